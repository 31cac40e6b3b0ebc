// Intervals of modelled times: what they hold of samples whose spread is known, and of the samples of the H100.
#include "profiling/simulated/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>

#include "core/generate/generate.hpp"
#include "core/run/time_interval.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/simulated/time_model.hpp"
#include "profiling/validate/calibrate.hpp"
#include "profiling/validate/intervals.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

const std::string assets = WARPSPY_SOURCE_DIR "/assets";

// Samples whose logarithms of measured / modelled time are normal; the spread is `spread` x (1 + 9 x the first trait).
Calibration drawn(std::mt19937& random, const std::string& kernel, std::size_t samples, double spread) {
  Calibration c{"h100", "drawn", {}, {}, {"one matrix"}};
  KernelSamples& of_kernel = c.kernels.emplace_back(KernelSamples{kernel, "code", {{"coop", 4}}, {}});
  std::normal_distribution<double> normal;
  for (std::size_t k = 0; k < samples; ++k) {
    CalibrationSample s;
    s.traits[0] = static_cast<double>(k % 2);
    s.error = SampleError{spread * (1 + 9 * s.traits[0]) * normal(random), 0};
    of_kernel.samples.push_back(s);
  }
  return c;
}

const ProductKind kind{"csr_vector", "CSR vector", {{"coop", 4}}};

TEST(Interval, HoldsNineOfTenOfWhatIsDrawnLikeTheSamples) {
  const unsigned seed = 7;
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (const double trait : {0.0, 1.0}) {
    const double spread = 0.02 * (1 + 9 * trait);
    int held = 0, all = 0;
    for (int repeat = 0; repeat < 80; ++repeat) {
      const Calibration c = drawn(random, "csr_vector", 240, 0.02);
      const auto interval = error_interval(c, kind, {trait});
      ASSERT_TRUE(interval);
      EXPECT_EQ(interval->samples, 50u);
      EXPECT_EQ(interval->like, "CSR vector, f32, cold");
      for (int k = 0; k < 200; ++k, ++all) {
        const double ratio = std::exp(spread * normal(random));
        held += ratio >= interval->least && ratio <= interval->most;
      }
    }
    const double share = static_cast<double>(held) / all;
    EXPECT_GT(share, 0.9) << trait;
    EXPECT_LT(share, 0.95) << "wider than it need be at " << trait;
  }
}

double width(const std::optional<ErrorInterval>& i) { return i ? i->most / i->least : 0; }

TEST(Interval, WidensWhereNothingAlikeWasMeasured) {
  const unsigned seed = 8;
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const Calibration c = drawn(random, "csr_vector", 400, 0.02);
  const auto own = error_interval(c, kind, {0});
  ProductKind other_kernel = kind, other_params = kind, warm = kind, f64 = kind;
  other_kernel.kernel = "ell";
  other_params.params["coop"] = 8;
  warm.cache_state = CacheState::warm;
  f64.precision = Precision::f64;
  for (const ProductKind& k : {other_kernel, other_params}) {
    const auto wider = error_interval(c, k, {0});
    EXPECT_GT(width(wider), width(own));
    EXPECT_EQ(wider->like, "any kernel, f32, cold");
    EXPECT_EQ(wider->samples, 400u);
  }
  for (const ProductKind& k : {warm, f64}) {
    const auto other_ways = error_interval(c, k, {1});
    EXPECT_EQ(other_ways->like, std::string(kind.label) + ", measured in other ways");
    EXPECT_EQ(other_ways->samples, 400u);
    ProductKind nothing_alike = k;
    nothing_alike.kernel = "ell";
    const auto widest = error_interval(c, nothing_alike, {1});
    EXPECT_GT(width(widest), width(error_interval(c, other_kernel, {1})));
    EXPECT_GT(width(widest), width(other_ways));
    EXPECT_EQ(widest->like, "only the GPU is the same");
  }
  // Fewer than 19 samples have no twentieth part.
  EXPECT_EQ(error_interval(drawn(random, "csr_vector", 18, 0.02), kind, {})->like, "only the GPU is the same");
}

TEST(Interval, IsAbsentWithoutSamples) {
  EXPECT_FALSE(error_interval({}, kind, {}));
  Calibration older;
  older.kernels.push_back({"csr_vector", "code", {}, {{{}, 0.1}}});
  EXPECT_FALSE(error_interval(older, kind, {})) << "a sample that does not say how far the model was off";
}

RunRecord run_on(const std::string& device) {
  const std::unique_ptr<Engine> engine = make_engine(assets);
  RunRequest request;
  request.matrix = "gen:laplace5?nx=60&ny=60";
  request.kernel = "csr_vector";
  request.cache_state = CacheState::cold;
  request.device = device;
  Progress progress;
  return engine->run(request, generate(request.matrix.substr(4), progress), progress);
}

TEST(Interval, IsInTheRecordOrItsReasonIs) {
  const RunRecord h100 = run_on("sim:h100"), older = run_on("sim:gtx280");
  const auto interval = interval_of(h100);
  ASSERT_TRUE(interval) << h100.error;
  EXPECT_LT(interval->lower_us, h100.time.value);
  EXPECT_GT(interval->upper_us, h100.time.value);
  EXPECT_EQ(interval->samples, 50u);
  EXPECT_EQ(interval->like, "CSR vector, f32, cold");
  EXPECT_FALSE(interval_of(older));
  EXPECT_EQ(why_no_interval(older), "no times of products were measured on " + older.device_name);
}

// The error that a sample keeps is that of the model that never saw its matrix.
TEST(Interval, ErrorsAreThoseOfTheOtherMatricesModel) {
  const unsigned seed = 12;
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const auto any = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); };
  std::vector<TimedProduct> products;
  for (int m = 0; m < 12; ++m)
    for (const char* kernel : {"one", "two", "three"}) {
      TimeEstimate t;
      t.dram = any(1, 9), t.latency = any(1, 9), t.total = any(15, 40), t.waves = any(1, 4), t.block_wait = 2;
      products.push_back({"matrix " + std::to_string(m), kernel, "code", {}, 0, 1, t.total - 1, traits_of(t)});
      products.back().measured_us = t.total * any(0.8, 1.3);
    }
  const Calibration all = calibration_of("h100", "here", products);
  ASSERT_EQ(all.matrices.size(), 12u);
  for (const KernelSamples& k : all.kernels)
    for (const CalibrationSample& s : k.samples) {
      ASSERT_TRUE(s.error);
      const std::string& matrix = all.matrices[s.error->matrix];
      std::vector<TimedProduct> others;
      const TimedProduct* own = nullptr;
      for (const TimedProduct& p : products)
        if (p.matrix != matrix)
          others.push_back(p);
        else if (p.kernel == k.kernel)
          own = &p;
      ASSERT_TRUE(own);
      const double factor = calibrated_factor(calibration_of("h100", "here", others), k.kernel,
                                              own->precision == "f64" ? Precision::f64 : Precision::f32, own->traits);
      EXPECT_NEAR(s.error->log_ratio, std::log(own->measured_us / (own->launch_us + factor * own->bounds_us)), 1e-9);
    }
  const Calibration back = calibration_from_json(to_json(all), "file", [](const KernelSamples&) { return true; });
  EXPECT_EQ(back.matrices, all.matrices);
  ASSERT_TRUE(back.kernels[0].samples[0].error);
  EXPECT_NEAR(back.kernels[0].samples[0].error->log_ratio, all.kernels[0].samples[0].error->log_ratio, 5.1e-5);
  EXPECT_EQ(back.kernels[0].samples[4].error->matrix, all.kernels[0].samples[4].error->matrix);
}

TEST(Interval, OfTheH100HoldsWhatItSays) {
  std::vector<std::string> aside;
  std::ifstream list(WARPSPY_SOURCE_DIR "/docs/bench/intervals-aside.txt");
  for (std::string line; std::getline(list, line);)
    if (line.front() != '#') aside.push_back(line);
  ASSERT_EQ(aside.size(), 43u);
  const Calibration c = read_calibrations(assets).at("h100");
  const std::vector<Coverage> all = interval_coverage(c, aside);
  ASSERT_EQ(all.size(), 3u);
  std::printf("%s", to_csv(all).c_str());
  for (const Coverage& one : all) {
    EXPECT_GT(one.products, 500u) << one.what;
    EXPECT_GE(one.share(), 0.85) << one.what;
    EXPECT_LE(one.share(), 0.95) << one.what;
  }
  EXPECT_THROW(interval_coverage(c, {"no such matrix"}), Error);
  EXPECT_THROW(interval_coverage({}, {}), Error);
}

}  // namespace
}  // namespace warpspy
