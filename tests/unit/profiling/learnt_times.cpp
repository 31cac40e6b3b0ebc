#include "profiling/simulated/learnt_times.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <set>
#include <string>

#include "core/generate/generate.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/simulated/time_model.hpp"
#include "profiling/validate/learn.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

const std::string assets = WARPSPY_SOURCE_DIR "/assets";

TEST(LearntTimes, TraitsByHand) {
  TimeEstimate t;
  t.dram = 1, t.l2 = 3, t.issue = 4;     // of DRAM and L2 the larger: shares of 9 / 25 and 16 / 25
  t.total = 60, t.waves = 1;             // (60 - 20) / (60 + 20), (1 - 2) / (1 + 2)
  t.block_wait = 6, t.longest_wait = 8;  // (6 - 2) / (6 + 2)
  const double wanted[product_traits] = {0.36, 0, 0.64, 0, 0, 0.5, (1 - 2) / 3.0, 0.5, 0.75, 0.25, 0};
  const ProductTraits traits = traits_of(t);
  for (std::size_t k = 0; k < product_traits; ++k) EXPECT_DOUBLE_EQ(traits[k], wanted[k]) << k;
}

TEST(LearntTimes, NothingIsLearntOfOtherGpusAndOfWhatIsUnlikeAll) {
  ProductTraits traits{};
  EXPECT_EQ(learnt_factor("gtx280", "csr_vector", traits), 1);
  traits.fill(1e6);
  EXPECT_NEAR(learnt_factor("h100", "csr_vector", traits), 1, 1e-6);
}

TEST(LearntTimes, AreOfKernelsThatThereAre) {
  const Catalog catalog = make_catalog(assets);
  ASSERT_FALSE(learnt_products("h100").empty());
  double largest = 0;
  for (const LearntProduct& p : learnt_products("h100")) {
    ASSERT_TRUE(catalog.kernel(std::string(p.kernel))) << p.kernel;
    ProductTraits traits;
    std::copy(p.traits.begin(), p.traits.end(), traits.begin());
    const double factor = learnt_factor("h100", p.kernel, traits);
    EXPECT_GE(factor, 0.6);
    EXPECT_LE(factor, 1.6);
    largest = std::max(largest, std::abs(factor - 1));
  }
  EXPECT_GT(largest, 0.05) << "else the list does nothing";
}

TEST(LearntTimes, AFactorIsForAllButTheLaunch) {
  const GpuSpec gpu = read_gpu_spec(assets + "/gpus/h100.json");
  Simulation s;
  s.shape.grid = 1000;
  s.occupancy.blocks = 8;
  s.dram_read_bytes = 1e8, s.l2_sectors = 4e6, s.l2_requests = 1e6;
  s.costs.assign(1000, {.waits = {.dram = 4}, .steps = 900, .sectors = 4000, .lines = 1000});
  s.launches = {s};
  const TimeEstimate bounds = estimate_time(s, gpu, Precision::f32, 1e6);
  const TimeEstimate learnt = estimate_time(s, gpu, Precision::f32, 1e6, "csr_vector");
  EXPECT_EQ(bounds.factor, 1);
  EXPECT_EQ(bounds.how.find("products like it"), std::string::npos);
  ASSERT_NE(learnt.factor, 1);
  EXPECT_DOUBLE_EQ(learnt.factor, learnt_factor("h100", "csr_vector", traits_of(bounds)));
  EXPECT_DOUBLE_EQ(learnt.total, bounds.launch + learnt.factor * (bounds.total - bounds.launch));
  EXPECT_DOUBLE_EQ(learnt.even, bounds.launch + learnt.factor * (bounds.even - bounds.launch));
  EXPECT_NE(learnt.how.find("products like it"), std::string::npos) << learnt.how;
}

// Kernel "slow" takes up to 40 % more the more of its time is latency; "plain" is as the model says.
TEST(Learn, FindsWhatWasPlanted) {
  const unsigned seed = 11;
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const auto any = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); };
  const auto wanted = [](const Lesson& l) { return l.kernel == "slow" ? 1 + 0.4 * l.traits[3] : 1; };
  std::vector<Lesson> lessons;
  for (int m = 0; m < 120; ++m)
    for (const char* kernel : {"plain", "slow", "plain too"}) {
      TimeEstimate t;
      t.dram = any(1, 9), t.latency = any(1, 9), t.total = any(15, 40), t.waves = any(1, 4), t.block_wait = 2;
      Lesson l{"matrix " + std::to_string(m), kernel, 0, 1, t.total - 1, traits_of(t)};
      l.measured_us = 1 + l.bounds_us * wanted(l);
      lessons.push_back(l);
    }
  // A matrix of which all kernels take twice what the model says: that tells nothing of their order.
  for (std::size_t k = 30; k < 33; ++k) lessons[k].measured_us *= 2;
  const std::vector<double> weights = learnt_weights(lessons);
  ASSERT_EQ(weights.size(), lessons.size());
  for (const Lesson& l : lessons) {
    double factor = 1;
    for (std::size_t j = 0; j < lessons.size(); ++j) {
      double distance = 0;
      for (std::size_t k = 0; k < product_traits; ++k) distance += std::pow(l.traits[k] - lessons[j].traits[k], 2);
      factor += weights[j] * likeness(l.kernel == lessons[j].kernel, distance);
    }
    EXPECT_NEAR(factor, wanted(l), 0.06) << l.matrix << " " << l.kernel;
  }
}

TEST(Learn, WritesTheSourceThatIsRead) {
  Lesson l{"m", "csr_even", 10, 2, 8, {}};
  l.traits[0] = 0.25, l.traits[10] = -1;
  EXPECT_EQ(source_of({l}, {0.125}),
            "{\"csr_even\", {0.2500F, 0.0000F, 0.0000F, 0.0000F, 0.0000F, 0.0000F, 0.0000F, 0.0000F, 0.0000F, 0.0000F, "
            "-1.0000F}, 0.12500F},\n");
}

RunRecord measured_in(const RunRecord& modelled, double us) {
  RunRecord r = modelled;
  r.time = {us, "us", Provenance::measured};
  return r;
}

// The bounds are the same whether anything was learnt or not, so that learning twice gives the same.
TEST(Learn, TakesTheBoundsOfARunAndLeavesOutWhatWasLearnt) {
  const std::unique_ptr<Engine> engine = make_engine(assets);
  RunRequest request;
  request.matrix = "gen:laplace5?nx=60&ny=60";
  request.kernel = "csr_vector";
  request.device = "sim:h100";
  Progress progress;
  const Matrix m = generate(request.matrix.substr(4), progress);
  const RunRecord modelled = engine->run(request, m, progress);
  ASSERT_EQ(modelled.status, RunStatus::ok) << modelled.error;
  const std::optional<Lesson> lesson = lesson_of(measured_in(modelled, 5), modelled);
  ASSERT_TRUE(lesson);
  EXPECT_EQ(lesson->measured_us, 5);
  const double factor = learnt_factor("h100", "csr_vector", lesson->traits);
  EXPECT_NEAR(lesson->launch_us + factor * lesson->bounds_us, modelled.time.value, 1e-9);
  EXPECT_FALSE(lesson_of(modelled, modelled)) << "a modelled time is no lesson";
}

}  // namespace
}  // namespace warpspy
