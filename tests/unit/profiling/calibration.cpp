#include "profiling/simulated/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "core/generate/generate.hpp"
#include "core/run/check_words.hpp"
#include "core/run/time_interval.hpp"
#include "kernels/table/kernel_code.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/simulated/time_model.hpp"
#include "profiling/validate/calibrate.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

const std::string assets = WARPSPY_SOURCE_DIR "/assets";

Calibration of_h100() { return read_calibrations(assets).at("h100"); }

TEST(Calibration, TraitsByHand) {
  TimeEstimate t;
  t.dram = 1, t.l2 = 3, t.issue = 4;     // of DRAM and L2 the larger: shares of 9 / 25 and 16 / 25
  t.total = 60, t.waves = 1;             // (60 - 20) / (60 + 20), (1 - 2) / (1 + 2)
  t.block_wait = 6, t.longest_wait = 8;  // (6 - 2) / (6 + 2)
  const double wanted[product_traits] = {0.36, 0, 0.64, 0, 0, 0.5, (1 - 2) / 3.0, 0.5, 0.75, 0.25, 0};
  const ProductTraits traits = traits_of(t);
  for (std::size_t k = 0; k < product_traits; ++k) EXPECT_DOUBLE_EQ(traits[k], wanted[k]) << k;
}

TEST(Calibration, WhatIsUnlikeAllSamplesKeepsItsBounds) {
  ProductTraits traits;
  traits.fill(1e6);
  EXPECT_NEAR(calibrated_factor(of_h100(), "csr_vector", Precision::f32, traits), 1, 1e-6);
  EXPECT_EQ(calibrated_factor({}, "csr_vector", Precision::f32, {}), 1);
}

TEST(Calibration, SamplesOfAnotherKernelOrPrecisionCountLess) {
  const KernelSamples one{"csr_vector", kernel_code("csr_vector"), {}, {{{}, 0.2}}};
  const Calibration c{"h100", "somewhere", {one}, {}};
  EXPECT_DOUBLE_EQ(calibrated_factor(c, "csr_vector", Precision::f32, {}), 1.2);
  EXPECT_DOUBLE_EQ(calibrated_factor(c, "csr_vector", Precision::f64, {}), 1.14);
  EXPECT_DOUBLE_EQ(calibrated_factor(c, "ell", Precision::f32, {}), 1.02);
}

TEST(Calibration, OfTheH100IsOfCodeThatThereIs) {
  const Calibration c = of_h100();
  EXPECT_FALSE(c.measured.empty());
  double largest = 0;
  for (const KernelSamples& k : c.kernels) {
    EXPECT_EQ(k.code, kernel_code(k.kernel)) << k.kernel;
    for (const CalibrationSample& s : k.samples) {
      const double factor = calibrated_factor(c, k.kernel, Precision::f32, s.traits);
      EXPECT_GE(factor, 0.5);
      EXPECT_LE(factor, 2.5);
      largest = std::max(largest, std::abs(factor - 1));
    }
  }
  EXPECT_GT(largest, 0.05) << "else the samples do nothing";
}

KernelSamples planted() {
  return {"csr_vector", kernel_code("csr_vector"), {{"coop", 4}}, {{{0.25, -1, 0.1234}, 1.0625}, {{}, -0.5}}};
}

TEST(Calibration, ComesBackFromItsFile) {
  const Calibration one{"h100", "somewhere", {planted()}, {}};
  const Calibration back = calibration_from_json(to_json(one), "file");
  EXPECT_EQ(back.gpu, "h100");
  EXPECT_EQ(back.measured, "somewhere");
  ASSERT_EQ(back.samples(), 2u);
  EXPECT_EQ(back.kernels[0].params, planted().params);
  for (std::size_t s = 0; s < 2; ++s) {
    EXPECT_EQ(back.kernels[0].samples[s].traits, planted().samples[s].traits);
    EXPECT_EQ(back.kernels[0].samples[s].weight, planted().samples[s].weight);
  }
  for (const char* text : {"", "{}",
                           R"({"gpu":"a","measured":"b","kernels":[{"kernel":"k","code":"","params":{},)"
                           R"("samples":"AAAA"}]})"})
    EXPECT_THROW(calibration_from_json(text, "file"), Error) << text;
}

TEST(Calibration, WhatDoesNotFitIsLeftOutAndSaid) {
  KernelSamples changed = planted(), unknown = planted(), other = planted(), value = planted();
  changed.code = std::string(32, '0');
  unknown.kernel = "no_such_kernel";
  other.params = {{"no_such_parameter", 1}};
  value.params = {{"coop", 3}};
  const Calibration all{"h100", "somewhere", {planted(), changed, unknown, other, value}, {}};
  const Calibration c = calibration_from_json(to_json(all), "file");
  EXPECT_EQ(c.samples(), 2u);
  EXPECT_EQ(c.samples_left_out(), 8u);
  EXPECT_EQ(c.left_out.at("csr_vector"), 6u);
  EXPECT_EQ(calibration_words(&c, "csr_vector", 1.25),
            "x 1.25 by 2 calibration samples, 2 of this kernel (8 of other code or parameters left out)");
  EXPECT_EQ(calibration_words(nullptr, "csr_vector", 1), "no calibration samples");
}

TEST(Calibration, AFactorIsForAllButTheLaunch) {
  const GpuSpec gpu = read_gpu_spec(assets + "/gpus/h100.json");
  const Calibration calibration = of_h100();
  Simulation s;
  s.shape.grid = 1000;
  s.occupancy.blocks = 8;
  s.dram_read_bytes = 1e8, s.l2_sectors = 4e6, s.l2_requests = 1e6;
  s.costs.assign(1000, {.waits = {.dram = 4}, .steps = 900, .sectors = 4000, .lines = 1000});
  s.launches = {s};
  const TimeEstimate bounds = estimate_time(s, gpu, Precision::f32, 1e6);
  const TimeEstimate taught = estimate_time(s, gpu, Precision::f32, 1e6, "csr_vector", &calibration);
  EXPECT_EQ(bounds.factor, 1);
  EXPECT_NE(bounds.how.find("no calibration samples"), std::string::npos) << bounds.how;
  ASSERT_NE(taught.factor, 1);
  EXPECT_DOUBLE_EQ(taught.factor, calibrated_factor(calibration, "csr_vector", Precision::f32, traits_of(bounds)));
  EXPECT_DOUBLE_EQ(taught.total, bounds.launch + taught.factor * (bounds.total - bounds.launch));
  EXPECT_DOUBLE_EQ(taught.even, bounds.launch + taught.factor * (bounds.even - bounds.launch));
  EXPECT_NE(taught.how.find(" calibration samples, "), std::string::npos) << taught.how;
}

// Kernel "slow" takes up to 40 % more the more of its time is latency; "plain" is as the model says.
TEST(Calibrate, FindsWhatWasPlanted) {
  const unsigned seed = 11;
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const auto any = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); };
  const auto wanted = [](const TimedProduct& p) { return p.kernel == "slow" ? 1 + 0.4 * p.traits[3] : 1; };
  std::vector<TimedProduct> products;
  for (int m = 0; m < 120; ++m)
    for (const char* kernel : {"plain", "slow", "plain too"}) {
      TimeEstimate t;
      t.dram = any(1, 9), t.latency = any(1, 9), t.total = any(15, 40), t.waves = any(1, 4), t.block_wait = 2;
      TimedProduct p{"matrix " + std::to_string(m), kernel, "code", {}, 0, 1, t.total - 1, traits_of(t)};
      p.measured_us = 1 + p.bounds_us * wanted(p);
      products.push_back(p);
    }
  // A matrix of which all kernels take twice what the model says must not mislead the others.
  const auto is_odd = [](const TimedProduct& p) { return p.matrix == "matrix 10"; };
  for (TimedProduct& p : products) p.measured_us *= is_odd(p) ? 2 : 1;
  const Calibration c = calibration_of("h100", "here", products);
  ASSERT_EQ(c.samples(), products.size());
  ASSERT_EQ(c.kernels.size(), 3u) << "products of one kernel, code and parameters are together";
  for (const TimedProduct& p : products) {
    if (is_odd(p)) continue;
    EXPECT_NEAR(calibrated_factor(c, p.kernel, Precision::f32, p.traits), wanted(p), 0.06)
        << p.matrix << " " << p.kernel;
  }
}

RunRecord measured_in(const RunRecord& modelled, double us) {
  RunRecord r = modelled;
  r.time = {us, "us", Provenance::measured};
  return r;
}

RunRecord modelled_run() {
  const std::unique_ptr<Engine> engine = make_engine(assets);
  RunRequest request;
  request.matrix = "gen:laplace5?nx=60&ny=60";
  request.kernel = "csr_vector";
  request.device = "sim:h100";
  Progress progress;
  const Matrix m = generate(request.matrix.substr(4), progress);
  return engine->run(request, m, progress);
}

// The bounds are the same whether there were samples or not, so that the same runs always make the same samples.
TEST(Calibrate, TakesTheBoundsOfARunAndLeavesOutWhatSamplesSaid) {
  const RunRecord modelled = modelled_run();
  ASSERT_EQ(modelled.status, RunStatus::ok) << modelled.error;
  EXPECT_EQ(modelled.code, kernel_code("csr_vector"));
  const std::optional<TimedProduct> product = timed_product(measured_in(modelled, 5), modelled);
  ASSERT_TRUE(product);
  EXPECT_EQ(product->measured_us, 5);
  EXPECT_EQ(product->code, modelled.code);
  const double factor = calibrated_factor(of_h100(), "csr_vector", Precision::f32, product->traits);
  EXPECT_NEAR(product->launch_us + factor * product->bounds_us, modelled.time.value, 1e-9);
  EXPECT_FALSE(timed_product(modelled, modelled)) << "a modelled time is no sample";
  // The same samples give the same time and interval; none give the bounds.
  const Calibration samples = of_h100();
  const RunRecord again = by_samples(modelled, &samples, modelled.device_name);
  EXPECT_NEAR(again.time.value, modelled.time.value, 1e-9);
  ASSERT_TRUE(interval_of(modelled));
  EXPECT_NEAR(interval_of(again)->upper_us, interval_of(modelled)->upper_us, 1e-9);
  EXPECT_EQ(again.details.size(), modelled.details.size());
  const RunRecord bounds = by_samples(modelled, nullptr, modelled.device_name);
  EXPECT_NEAR(bounds.time.value, product->launch_us + product->bounds_us, 1e-9);
  EXPECT_FALSE(interval_of(bounds));
}

TEST(Calibrate, TakesTheNewestRunOfEachRequestAndTodaysCodeAlone) {
  RunRecord run = measured_in(modelled_run(), 5);
  run.device_name = "NVIDIA H100 80GB HBM3";
  RunRecord older = run, changed = run, unnoted = run, elsewhere = run, modelled = run, failed = run, cold = run,
            ranked = run;
  changed.code = std::string(32, '0');
  unnoted.code.clear();
  elsewhere.device_name = "NVIDIA H200";
  modelled.time.provenance = Provenance::modelled;
  failed.status = RunStatus::failed;
  cold.request.cache_state = CacheState::cold;
  ranked.request.cache_state = CacheState::cold,
  ranked.notes.push_back(std::string(not_checked_note) + "it was ranked");
  RunRecord solve = run, transposed = run;
  solve.request.solver = Solver::cg;  // its time is that of an iteration
  transposed.request.kernel = "csr_transposed", transposed.code = kernel_code("csr_transposed");
  const MeasuredOf found = measured_of(
      "h100", {&run, &older, &changed, &unnoted, &elsewhere, &modelled, &failed, &ranked, &cold, &solve, &transposed},
      [](const RunRecord& r) { return r.device_name == "NVIDIA H200" ? "h200" : "h100"; });
  EXPECT_EQ(found.runs, (std::vector<const RunRecord*>{&run, &cold, &transposed}));
  EXPECT_EQ(found.other_code, 2u);
  EXPECT_EQ(found.unchecked, 1u);
}

}  // namespace
}  // namespace warpspy
