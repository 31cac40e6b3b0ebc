// Every format of the table: round trip, exact sizes, refusals.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/formats/csr.hpp"
#include "core/formats/ell.hpp"
#include "core/formats/sell.hpp"
#include "entries.hpp"

namespace warpspy {
namespace {

using testing::built;
using testing::built_as;
using testing::corners;
using testing::entries_of;
using testing::fault_of;

TEST(Formats, RoundTripAndExactSizesOnEveryShape) {
  ASSERT_FALSE(formats().empty());
  for (const testing::Shape& shape : testing::format_shapes()) {
    const FormatFacts facts(shape.matrix);
    for (const FormatRow& row : formats())
      for (Precision precision : {Precision::f32, Precision::f64})
        for (const ParamSet& params : corners(row.info.params))
          EXPECT_EQ(fault_of(row, facts, precision, params), "")
              << row.info.id << " " << shape.name << testing::text_of(params);
  }
}

// Any parameters within their ranges, not only the corners.
rc::Gen<ParamSet> any_params(const std::vector<ParamSpec>& specs) {
  return rc::gen::exec([specs] {
    ParamSet set;
    for (const ParamSpec& spec : specs) {
      const int most = static_cast<int>(std::min(spec.max, std::max(spec.min, 64.0)));
      int v = *rc::gen::inRange(static_cast<int>(spec.min), most + 1);
      if (spec.type == ParamSpec::Type::power_of_two) v = 1 << static_cast<int>(std::log2(std::max(v, 1)));
      set[spec.id] = v;
    }
    return set;
  });
}

RC_GTEST_PROP(Formats, RoundTripAndExactSizesOnRandomMatrices, ()) {
  const auto rows = *rc::gen::inRange<index_t>(0, 70), cols = *rc::gen::inRange<index_t>(1, 70);
  const auto longest = *rc::gen::inRange<index_t>(0, 20);
  const auto seed = *rc::gen::arbitrary<unsigned>();
  const Csr a =
      testing::random_rows(rows, cols, [&](index_t r) { return longest ? (r * 37 + seed % 91) % longest : 0; }, seed);
  const FormatFacts facts(a);
  for (const FormatRow& row : formats()) {
    const ParamSet params = *any_params(row.info.params);
    const std::string fault = fault_of(row, facts, Precision::f32, params);
    if (!fault.empty()) RC_FAIL(row.info.id + testing::text_of(params) + ": " + fault);
  }
}

// Large enough for several blocks of rows, groups of columns and windows; with columns near the diagonal and all over,
// and with rows too long for SELL to count.
TEST(Formats, LargeMatricesRoundTripBesideTheirSizes) {
  const auto length = [](index_t r) { return r % 4000 == 7 ? index_t{1000} + r % 3000 : 2 + r * 7 % 5; };
  const index_t n = 60000;
  std::vector<std::vector<index_t>> band(static_cast<std::size_t>(n));
  for (index_t r = 0; r < n; ++r)
    for (const index_t d : {-300, -2, -1, 0, 1, 300})
      if (r + d >= 0 && r + d < n && (r + d) % 11 != 0) band[r].push_back(r + d);
  const Csr matrices[] = {testing::from_rows(n, band, testing::some_value), testing::random_rows(n, n, length, 5)};
  for (const Csr& a : matrices) {
    const FormatFacts facts(a);
    const auto expected = testing::entries_of(a);
    for (const char* id : {"csc", "coo", "sell", "hyb"}) {
      SCOPED_TRACE(id);
      const auto format = testing::built(format_row(id), facts, Precision::f64);
      EXPECT_EQ(format_row(id).estimate(facts, Precision::f64, {}).arrays, format->size().arrays);
      EXPECT_TRUE(testing::entries_of(*format) == expected);
    }
  }
}

TEST(Formats, SellWindowsFallByLengthAndKeepTheOrderOfEqualRows) {
  const auto length = [](index_t r) { return r % 100 == 7 ? index_t{1020} + r % 9 : r * 7 % 5; };
  const Csr a = testing::random_rows(6000, 3000, length, 6);
  for (const double window : {2, 256, 1 << 20}) {
    const auto sell = testing::built_as<SellFormat>("sell", a, Precision::f32, {{"sort_window", window}});
    std::vector<index_t> expected(static_cast<std::size_t>(a.rows()));
    std::iota(expected.begin(), expected.end(), index_t{0});
    const auto step = static_cast<index_t>(window);
    for (index_t begin = 0; begin < a.rows(); begin += step)
      std::stable_sort(expected.begin() + begin, expected.begin() + std::min(begin + step, a.rows()),
                       [&](index_t x, index_t y) { return a.row_length(x) > a.row_length(y); });
    for (index_t i = 0; i < a.rows(); ++i) ASSERT_EQ(sell->permutation()[i], expected[i]) << window << ", place " << i;
  }
}

TEST(Formats, IndicesAre64BitsWideOnlyWhereTheyMustBe) {
  const index_t wide = index_t{1} << 32;
  const Csr small(1, INT32_MAX, {0, 1}, Indices(std::vector<std::int32_t>{7}), {1.0});
  const Csr large(1, wide, {0, 2}, Indices(std::vector<std::int64_t>{7, wide - 1}), {1.0, 2.0});
  for (const FormatRow& row : formats()) {
    if (row.info.id == "csc") continue;  // 2^31 column pointers: gigabytes
    EXPECT_EQ(fault_of(row, small, Precision::f32, {}), "") << row.info.id;
    EXPECT_EQ(fault_of(row, large, Precision::f32, {}), "") << row.info.id;
  }
  const auto csr = [](const Csr& a) { return built_as<CsrFormat>("csr", a, Precision::f32); };
  EXPECT_TRUE(csr(small)->columns().is32());
  EXPECT_FALSE(csr(large)->columns().is32());
  EXPECT_TRUE(csr(large)->row_ptr().is32());
}

TEST(Formats, CsrBytesByHand) {
  const Csr a = testing::from_rows(5, {{0, 1, 4}, {2}, {}}, testing::some_value);
  EXPECT_EQ(format_row("csr").estimate(a, Precision::f32, {}).bytes(), 4u * 4 + 4 * 4 + 4 * 4);
  EXPECT_EQ(format_row("csr").estimate(a, Precision::f64, {}).bytes(), 4u * 8 + 4 * 4 + 4 * 4);
  // plus x (5) and y (3), once each: Reguly & Giles 2012, equation 4, with this matrix's columns
  EXPECT_EQ(minimum_bytes(format_row("csr").estimate(a, Precision::f32, {}), a, Precision::f32), 48u + 8 * 4);
}

TEST(Formats, EllRowsArePaddedToTheAlignment) {
  const Csr a = testing::from_rows(3, {{0}, {1}, {2}}, testing::some_value);
  for (const auto& [alignment, pitch] : std::map<double, index_t>{{1, 3}, {2, 4}, {32, 32}, {1024, 1024}}) {
    const auto format = built(format_row("ell"), a, Precision::f32, {{"alignment", alignment}});
    EXPECT_EQ(static_cast<const EllFormat&>(*format).pitch(), pitch);
    EXPECT_EQ(format->size().padding, pitch - 3);
  }
}

TEST(Formats, ARowTooLongForEllIsRefusedWithItsSizeBeforeAllocating) {
  // 3 million rows, one of them of 3 million entries: 9e12 entries, 72 TB.
  const index_t n = 3'000'000;
  std::vector<index_t> row_ptr(static_cast<std::size_t>(n) + 1, n);
  row_ptr[0] = 0;
  std::vector<std::int32_t> columns(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; ++i) columns[i] = static_cast<std::int32_t>(i);
  const Csr a(n, n, std::move(row_ptr), Indices(std::move(columns)),
              std::vector<double>(static_cast<std::size_t>(n), 1));
  EXPECT_EQ(format_row("ell").estimate(a, Precision::f32, {}).bytes(), 72'000'000'000'000u);
  try {
    built(format_row("ell"), a, Precision::f32);
    FAIL() << "not refused";
  } catch (const Error& e) {
    EXPECT_NE(e.reason.find("72.0 TB"), std::string::npos) << e.reason;
    EXPECT_NE(e.reason.find("memory that is free on this machine"), std::string::npos) << e.reason;
    EXPECT_NE(e.remedy.find("csr (36.0 MB)"), std::string::npos) << e.remedy;
  }
}

TEST(Formats, MemoryThatJustSufficesIsEnough) {
  const Csr a = testing::from_rows(5, {{0, 1, 4}}, testing::some_value);
  const Estimate e = format_row("csr").estimate(a, Precision::f64, {});
  EXPECT_NO_THROW(require_memory("csr", e, a, Precision::f64, e.bytes()));
  EXPECT_THROW(require_memory("csr", e, a, Precision::f64, e.bytes() - 1), Error);
}

TEST(Formats, SizesBeyondSixtyFourBitsStickAtTheLargest) {
  EXPECT_EQ(saturating_bytes(INT64_MAX, 8), std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(saturating_count(index_t{1} << 40, index_t{1} << 40), INT64_MAX);
  const Estimate e{{{"a", ArraySize::Kind::values, SIZE_MAX}, {"b", ArraySize::Kind::indices, 8}}, 0, 0};
  EXPECT_EQ(e.bytes(), SIZE_MAX);
}

TEST(Formats, AValueBeyondF32IsRefusedNotMadeInfinite) {
  const Csr a(2, 2, {0, 1, 2}, Indices(std::vector<std::int32_t>{0, 1}), {1.0, -1e300});
  for (const FormatRow& row : formats()) {
    if (!testing::can_hold(row, a)) continue;
    EXPECT_EQ(entries_of(*built(row, a, Precision::f64)), entries_of(a));
    try {
      built(row, a, Precision::f32);
      FAIL() << row.info.id;
    } catch (const Error& e) {
      EXPECT_NE(e.reason.find("value -1e+300 in row 1, column 1"), std::string::npos) << e.reason;
      EXPECT_EQ(e.remedy, "use precision f64");
    }
  }
}

TEST(Formats, InfinitiesAndNaNsAreKept) {
  const double inf = std::numeric_limits<double>::infinity();
  const Csr a(2, 2, {0, 1, 2}, Indices(std::vector<std::int32_t>{0, 1}), {-inf, std::nan("")});
  for (const FormatRow& row : formats()) {
    if (!testing::can_hold(row, a)) continue;
    const auto entries = entries_of(*built(row, a, Precision::f32));
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(std::get<2>(entries[0]), -inf);
    EXPECT_TRUE(std::isnan(std::get<2>(entries[1])));
  }
}

TEST(Formats, AComplexMatrixIsReadThroughItsView) {
  const Csr a(2, 2, {0, 1, 2}, Indices(std::vector<std::int32_t>{0, 1}), {3, -5}, {4, 0});
  for (const FormatRow& row : formats()) {
    if (!testing::can_hold(row, a)) continue;
    for (RealView view : {RealView::real_part, RealView::modulus})
      EXPECT_EQ(entries_of(*built(row, a, Precision::f64, {}, view)), entries_of(a, view)) << row.info.id;
  }
}

TEST(Formats, BuildingCanBeCancelled) {
  const Csr a = testing::from_rows(3, {{0, 1}, {0, 1}, {2}}, testing::some_value);
  for (const FormatRow& row : formats()) {
    if (!testing::can_hold(row, a)) continue;
    Progress progress;
    progress.cancel();
    EXPECT_THROW(row.build(a, Precision::f32, RealView::real_part, {}, progress), Cancelled) << row.info.id;
  }
}

TEST(Formats, ProgressEndsAtOne) {
  const Csr a = testing::from_rows(3, {{0, 1}, {0, 1}, {2}}, testing::some_value);
  for (const FormatRow& row : formats()) {
    if (!testing::can_hold(row, a)) continue;
    Progress progress;
    row.build(a, Precision::f32, RealView::real_part, {}, progress);
    EXPECT_EQ(progress.fraction(), 1) << row.info.id;
  }
}

TEST(Formats, ParametersOutOfRangeAndUnknownNamesAreRefused) {
  const Csr a = testing::from_rows(1, {{0}}, testing::some_value);
  EXPECT_THROW(built(format_row("ell"), a, Precision::f32, {{"alignment", 3}}), Error);
  EXPECT_THROW(built(format_row("ell"), a, Precision::f32, {{"padding", 1}}), Error);
  try {
    format_row("elll");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(e.remedy.find("ell"), std::string::npos);
  }
}

}  // namespace
}  // namespace warpspy
