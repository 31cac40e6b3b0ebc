// Formats that a real device makes: byte for byte what the host builds, of every shape, of matrices by lot and of some
// that are large enough to fill it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <random>

#include "core/generate/generate.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/made_on_gpu.hpp"
#include "tests/gpu/assets.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

class ConversionsGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!device_.available) GTEST_SKIP() << device_.reason;
  }
  // Makes each format of `a` that can be made with its default parameters.
  int expect_same(const Csr& a, Precision precision, const std::string& what) {
    Progress progress;
    const FormatFacts facts(a);
    const auto csr = std::make_shared<const CsrFormat>(a, precision, RealView::real_part, progress);
    int made = 0;
    for (const ConversionRow& row : conversions()) {
      std::shared_ptr<const Format> host;
      try {
        host = format_row(row.format).build(facts, precision, RealView::real_part, {}, progress);
      } catch (const Error&) {
        continue;  // such as half of the diagonals of a matrix that is not symmetric
      }
      const MadeOnGpu there = make_on_gpu(row, device_, csr, facts, *host, {}, progress);
      EXPECT_EQ(there.differs, "") << what << " " << row.format << " " << name_of(precision);
      EXPECT_EQ(there.provenance, Provenance::measured);
      EXPECT_GT(there.us, 0);
      ++made;
    }
    return made;
  }
  DeviceInfo device_ = make_catalog(testing::assets_folder()).devices.front();
};

TEST_F(ConversionsGpu, OfEveryShapeAreThoseOfTheHost) {
  for (const testing::Shape& shape : testing::shapes())
    for (const Precision precision : {Precision::f32, Precision::f64})
      EXPECT_GE(expect_same(shape.matrix, precision, shape.name), 5) << shape.name;
}

TEST_F(ConversionsGpu, OfMatricesByLotAreThoseOfTheHost) {
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  std::mt19937 lot(seed);
  for (int n = 0; n < 40; ++n) {
    const index_t rows = 1 + lot() % 5000, cols = 1 + lot() % 5000, most = 1 + lot() % 60;
    const Csr a =
        testing::random_rows(rows, cols, [&](index_t) { return static_cast<index_t>(lot() % (most + 1)); }, lot());
    expect_same(a, n % 2 ? Precision::f32 : Precision::f64, "number " + std::to_string(n));
  }
}

TEST_F(ConversionsGpu, OfLargeMatricesAreThoseOfTheHost) {
  for (const char* text :
       {"laplace27?nx=60&ny=60&nz=60&spd=1", "powerlaw?rows=300000&mean=8", "fem_quad?degree=2&nx=200&ny=200"}) {
    Progress progress;
    const Matrix m = generate(text, progress);
    EXPECT_GE(expect_same(*m.csr, Precision::f32, text), 7) << text;
  }
}

// Of other values of the same entries only the launches that read values run, in the memory of the first conversion.
TEST_F(ConversionsGpu, OfOtherValuesAreThoseOfTheHost) {
  Progress progress;
  for (const char* text : {"laplace27?nx=60&ny=60&nz=60&spd=1", "powerlaw?rows=300000&mean=8", "bratu?n=40"}) {
    const Matrix m = generate(text, progress);
    const Csr& a = *m.csr;
    std::vector<double> other(a.values().begin(), a.values().end());
    for (double& value : other) value *= -2;
    const Csr b(a.rows(), a.cols(), {a.row_ptr().begin(), a.row_ptr().end()}, Indices(a.columns()), std::move(other));
    const FormatFacts facts(a), of_other(b);
    for (const Precision precision : {Precision::f32, Precision::f64})
      for (const ConversionRow& row : conversions()) {
        std::shared_ptr<const Format> host;
        try {
          host = format_row(row.format).build(of_other, precision, RealView::real_part, {}, progress);
        } catch (const Error&) {
          continue;  // all diagonals of a matrix by lot have no room, on the device neither
        }
        const auto made = [&](const Csr& of, const FormatFacts& of_facts, std::shared_ptr<KeptConversion> again) {
          const auto csr = std::make_shared<const CsrFormat>(of, precision, RealView::real_part, progress);
          return row.on_device({.csr = csr, .facts = &of_facts, .keep = true, .again = std::move(again)});
        };
        const std::string what = std::string(text) + " " + row.format + " " + name_of(precision);
        const DeviceConversion first = made(a, facts, nullptr);
        EXPECT_EQ(first.kept == nullptr, row.counts_values) << what;
        const DeviceConversion there = made(b, of_other, first.kept);
        for (const MadeArray& array : downloaded(there.made))
          for (const ArrayView& wanted : host->arrays()) {
            if (wanted.name != array.name) continue;
            ASSERT_EQ(array.bytes.size(), wanted.bytes()) << what << ": " << array.name;
            EXPECT_EQ(std::memcmp(array.bytes.data(), wanted.data, wanted.bytes()), 0) << what << ": " << array.name;
          }
      }
  }
}

// What kernels prepare, by itself.
TEST_F(ConversionsGpu, PreparationsAreThoseOfTheHost) {
  Progress progress;
  for (const PreparationRow& row : preparations()) {
    const auto check = [&](const Csr& a, Precision precision, const std::string& what) {
      const FormatFacts facts(a);
      const ConversionInputs in{std::make_shared<const CsrFormat>(a, precision, RealView::real_part, progress), &facts};
      const auto by_name = [](std::vector<MadeArray> all) {
        std::sort(all.begin(), all.end(), [](const MadeArray& a, const MadeArray& b) { return a.name < b.name; });
        return all;
      };
      const std::vector<MadeArray> host = by_name(row.on_host(in));
      const std::vector<MadeArray> there = by_name(downloaded(row.made.on_device(in).made));
      ASSERT_EQ(there.size(), host.size()) << row.made.format << " of " << what;
      for (std::size_t k = 0; k < host.size(); ++k)
        EXPECT_TRUE(there[k] == host[k]) << row.made.format << " of " << what << ": " << host[k].name << " differs";
    };
    for (const testing::Shape& shape : testing::shapes())
      for (const Precision precision : {Precision::f32, Precision::f64}) check(shape.matrix, precision, shape.name);
    for (const char* text : {"laplace27?nx=60&ny=60&nz=60", "powerlaw?rows=300000&mean=8", "arrow?n=300000"})
      check(*generate(text, progress).csr, Precision::f32, text);
  }
}

// The engine's products read what was made there.
TEST_F(ConversionsGpu, RunsReadFormatsThatTheDeviceMade) {
  const auto engine = make_engine(testing::assets_folder());
  Progress progress;
  const Matrix m = generate("powerlaw?rows=30000&mean=8", progress);
  for (const CacheState state : {CacheState::warm, CacheState::cold})
    for (const char* kernel :
         {"sell_warps", "bsr_warps", "csr_compact_even", "csr_even", "csr_slots", "csr_compact_slots", "csr_stream",
          "csr_compact_stream", "csr_merge", "csr_slots_transposed"}) {
      RunRequest r;
      r.kernel = kernel, r.device = "cuda:0", r.counters = "none", r.cache_state = state;
      const RunRecord record = engine->run(r, m, progress);
      ASSERT_EQ(record.status, RunStatus::ok) << kernel << ": " << record.error;
      EXPECT_NE(record.detail("csr_upload"), nullptr) << kernel;
      ASSERT_NE(record.detail("conversion"), nullptr) << kernel;
      const double conversion = record.detail("conversion")->value;
      const Quantity *values = record.detail("conversion_values"), *indices = record.detail("conversion_indices");
      EXPECT_EQ(values != nullptr, record.format != "csr") << kernel << " of " << conversion << " us";
      ASSERT_TRUE(record.check) << kernel;
      EXPECT_TRUE(record.check->passed) << kernel;
      if (!values || !indices) continue;
      EXPECT_GT(values->value, 0) << kernel;
      EXPECT_GE(indices->value, 0) << kernel;
    }
}

}  // namespace
}  // namespace warpspy
