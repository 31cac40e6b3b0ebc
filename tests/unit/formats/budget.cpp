// What does not fit or cannot be held is refused with its reason; what a conversion buys.
#include "core/formats/budget.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "core/base/numbers.hpp"
#include "core/formats/bsr.hpp"
#include "entries.hpp"

namespace warpspy {
namespace {

using testing::built;

std::string refusal_of(auto&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "not refused";
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Budget, HostAndDeviceEachHaveTheirLimit) {
  const Csr a = testing::from_rows(5, {{0, 1, 4}, {2}, {}}, testing::some_value);
  const Estimate e = format_row("csc").estimate(a, Precision::f64, {});
  ASSERT_GT(e.scratch, 0u);
  EXPECT_TRUE(fits(e, {}).fits);
  EXPECT_TRUE(fits(e, {.host = e.bytes() + e.scratch, .device = e.bytes()}).fits);
  const Fit device = fits(e, {.device = e.bytes() - 1});
  EXPECT_FALSE(device.fits);
  EXPECT_TRUE(has(device.reason, "needs " + byte_text(e.bytes()) + " and the device's limit is")) << device.reason;
  EXPECT_TRUE(has(fits(e, {.host = e.bytes() - 1}).reason, "the host's limit is"));
  EXPECT_TRUE(has(fits(e, {.host = e.bytes()}).reason, "while it is built"));
}

TEST(Budget, TheSmallerOfWhatIsSetAndWhatThereIs) {
  const auto huge = std::uint64_t{1} << 60;
  const Budget none = budget_now({});
  EXPECT_LT(none.host, huge);
  EXPECT_EQ(none.host_source, "memory that is free on this machine");
  EXPECT_EQ(none.device, UINT64_MAX) << "no device is known";
  EXPECT_EQ(budget_now({1000, {}}).host, 1000u);
  EXPECT_EQ(budget_now({1000, {}}).host_source, kSetByUser);
  EXPECT_EQ(budget_now({huge, {}}).host_source, none.host_source) << "memory that is not there is not to be had";
  struct Case {
    std::optional<std::uint64_t> set;
    double device, vectors;
    std::uint64_t limit;
    std::string source;
  };
  for (const Case& c : {Case{{}, 1e9, 0, 1000000000, "memory of Toy"},
                        {{}, 1e9, 1e6, 999000000, "memory of Toy less 1.0 MB for x and y"},
                        {5000, 1e9, 0, 5000, kSetByUser},
                        {5000, 0, 1000, 4000, std::string(kSetByUser) + " less 1.0 kB for x and y"},
                        {5000, 0, 6000, 0, std::string(kSetByUser) + " less 6.0 kB for x and y"},
                        {huge, 1e9, 0, 1000000000, "memory of Toy"}}) {
    const Budget b = budget_now({{}, c.set}, c.device, "Toy", c.vectors);
    EXPECT_EQ(b.device, c.limit);
    EXPECT_EQ(b.device_source, c.source);
  }
}

TEST(Budget, SizesAreReadAndWritten) {
  struct Case {
    const char* text;
    std::uint64_t bytes;
  };
  for (const Case& c : {Case{"1", 1},
                        {"1e9", 1000000000},
                        {"4GiB", 4294967296},
                        {"4 gib", 4294967296},
                        {"1.5GB", 1500000000},
                        {"0.5kB", 500},
                        {"512MB", 512000000},
                        {"2TiB", 2199023255552},
                        {"7 B", 7}})
    EXPECT_EQ(bytes_from_text(c.text, "x"), c.bytes) << c.text;
  for (const char* bad : {"", "0", "-1", "GB", "4 gibs", "nan", "inf", "1e30", "4GiB!", "0.1"})
    EXPECT_TRUE(
        has(refusal_of([&] { bytes_from_text(bad, "the size"); }), "the size '" + std::string(bad) + "' is not"))
        << bad;
  for (const std::uint64_t n : {1u, 999u, 1000u, 1024u, 1536u, 1000000u, 1048576u, 123456789u, 4294967295u}) {
    EXPECT_EQ(bytes_from_text(exact_bytes_text(n), "x"), n) << exact_bytes_text(n);
    EXPECT_EQ(bytes_from_text(exact_bytes_text(n << 20), "x"), n << 20) << exact_bytes_text(n << 20);
  }
  EXPECT_EQ(exact_bytes_text(std::uint64_t{4} << 30), "4GiB");
  EXPECT_EQ(exact_bytes_text(1500000000), "1500MB");
}

TEST(Budget, TheFormatsThatFitAreNamedSmallestFirst) {
  const Csr a = testing::random_rows(500, 500, [](index_t r) { return r == 0 ? index_t{400} : index_t{3}; }, 1);
  const std::uint64_t limit = 40000;
  const auto list = formats_that_fit(a, Precision::f32, {.device = limit});
  ASSERT_GE(list.size(), 3u);
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_LE(list[i].bytes, limit);
    if (i > 0) {
      EXPECT_LE(list[i - 1].bytes, list[i].bytes);
    }
  }
  const Estimate ell = format_row("ell").estimate(a, Precision::f32, {});
  const Error e = refusal("ell", ell, a, Precision::f32, {.device = limit});
  EXPECT_TRUE(has(e.reason, "format ell needs " + byte_text(static_cast<double>(ell.bytes())))) << e.reason;
  EXPECT_TRUE(has(e.reason, "limit is 40.0 kB (memory of the device)")) << e.reason;
  EXPECT_TRUE(has(e.remedy, "these fit: " + list[0].format)) << e.remedy;
  EXPECT_TRUE(has(refusal("ell", ell, a, Precision::f32, {.device = 10}).remedy, "no format fits"));
}

TEST(Budget, AMillionDiagonalsAreRefused) {
  // An antidiagonal: every entry on a diagonal of its own.
  const index_t n = 1'000'000;
  std::vector<index_t> row_ptr(static_cast<std::size_t>(n) + 1);
  std::vector<std::int32_t> columns(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; ++i) {
    row_ptr[i + 1] = i + 1;
    columns[i] = static_cast<std::int32_t>(n - 1 - i);
  }
  const Csr a(n, n, std::move(row_ptr), Indices(std::move(columns)),
              std::vector<double>(static_cast<std::size_t>(n), 1));
  const FormatFacts facts(a);
  const Estimate e = format_row("dia").estimate(facts, Precision::f64, {});
  EXPECT_EQ(e.fact("diagonals")->value, 1e6);
  EXPECT_EQ(e.bytes(), 8'000'000'000'000u + 4'000'000u);
  const std::string text = refusal_of([&] { built(format_row("dia"), facts, Precision::f64); });
  EXPECT_TRUE(has(text, "format dia needs 8.0 TB")) << text;
  EXPECT_TRUE(has(text, "these fit: ")) << text;
}

TEST(Budget, AnUnsymmetricPatternIsRefusedByPkt) {
  const Csr a = testing::from_rows(3, {{0, 1}, {1}, {2}}, testing::some_value);
  const Csr wide = testing::from_rows(4, {{0, 1}, {1}, {2}}, testing::some_value);
  for (const auto& [matrix, reason] : {std::pair{&a, "mirror is not stored"}, {&wide, "3 x 4"}}) {
    EXPECT_TRUE(has(refusal_of([&] { format_row("pkt").estimate(*matrix, Precision::f32, {}); }), reason));
    EXPECT_TRUE(has(refusal_of([&] { built(format_row("pkt"), *matrix, Precision::f32); }), reason));
  }
}

TEST(Budget, BlocksThatDoNotDivideArePaddedAndSaySo) {
  const Csr a = testing::from_rows(5, {{0, 4}, {1}, {2}, {3}, {4}, {0}, {1}}, testing::some_value);
  const Estimate e = built(format_row("bsr"), a, Precision::f32, {{"block_rows", 3}, {"block_cols", 2}})->size();
  EXPECT_EQ(e.fact("padded_rows")->value, 2);
  EXPECT_EQ(e.fact("padded_cols")->value, 1);
  // Blocks: rows 0-2: columns 0, 1, 2; rows 3-5: 0, 1, 2; row 6: 0.
  EXPECT_EQ(e.fact("blocks")->value, 7);
  EXPECT_DOUBLE_EQ(e.fact("fill")->value, 42.0 / 8);
}

TEST(Budget, ACancelledConversionEndsSoonAndLeavesNothing) {
  const Csr a = testing::random_rows(20000, 20000, [](index_t) { return index_t{20}; }, 3);
  for (const FormatRow& row : formats()) {
    if (row.info.id == "dia" || !testing::can_hold(row, a)) continue;
    // Cancelled by itself, from the middle of the work: at the first check after progress was made.
    Progress progress;
    std::thread watcher([&] {
      while (progress.fraction() == 0) std::this_thread::yield();
      progress.cancel();
    });
    std::shared_ptr<const Format> format;
    try {
      format = row.build(a, Precision::f64, RealView::real_part, {}, progress);
    } catch (const Cancelled&) {
    }
    progress.set(1);
    watcher.join();
    // Either it was through already, and is whole, or there is nothing.
    if (format) {
      EXPECT_EQ(testing::entries_of(*format), testing::entries_of(a)) << row.info.id;
    }
  }
}

}  // namespace
}  // namespace warpspy
