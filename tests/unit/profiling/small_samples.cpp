// What a small sample of a kernel's blocks says of all of them, class by class of what it may miss. `Depths` draws from
// everything; here the budget is so small that a sample is needed.
#include <gtest/gtest.h>

#include "core/gpu/gpu_spec.hpp"
#include "kernels/table/table.hpp"
#include "profiling/simulated/simulate.hpp"
#include "tests/paths.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

constexpr double small_budget = 1e6, no_end = budget_of(Depth::whole);

Simulation simulated(const char* matrix, const char* kernel, const char* gpu, double budget) {
  Progress progress;
  const auto p = testing::product_of(kernel_row(kernel), generate(matrix, progress), Precision::f32, {});
  const auto product = kernel_row(kernel).emulate(p->inputs);
  return simulate(*product, read_gpu_spec(std::string(WARPSPY_SOURCE_DIR "/assets/gpus/") + gpu + ".json"),
                  {.budget = budget, .cache_state = CacheState::warm}, progress);
}

// A few SMs at a time have few additions: slice by slice the busiest unit of L2 has 2.2 times its share of them. Added
// up it has 1.4 times: this sample has a seventh of a wave.
TEST(SmallSamples, TurnsOfAtomicsAreThoseOfAWave) {
  for (const char* kernel : {"csc", "coo_atomic"}) {
    const auto turns = [&](double budget) {
      const Simulation s = simulated("laplace5?nx=400&ny=400", kernel, "h200", budget);
      EXPECT_EQ(s.share < 1, budget == small_budget);
      return s.launches.back().atomic_turns;
    };
    EXPECT_NEAR(turns(small_budget) / turns(no_end), 1, 0.4) << kernel;
  }
}

// Each slice writes the elements that it added to: all of them together more than y has, and more than L2.
TEST(SmallSamples, WhatIsAddedToIsWrittenAsOftenAsItComes) {
  const Simulation some = simulated("random?rows=100000&cols=100000&per_row=8", "csc", "rtx4090", small_budget);
  EXPECT_LT(some.share, 1);
  EXPECT_LT(some.dram_read_bytes + some.dram_write_bytes, 0.01 * some.l2_sectors * 32) << "L2 has room for all";
}

// What the launch behind the sampled one does hangs on the rows that the others would have left to it.
TEST(SmallSamples, CarriesAreTakenAsBehindAllBlocks) {
  const auto last = [](double budget) {
    return simulated("laplace5?nx=400&ny=400", "coo_segmented", "h100", budget).launches.back();
  };
  const LaunchSimulation some = last(small_budget), all = last(no_end);
  EXPECT_EQ(some.shape.grid, 1);
  EXPECT_EQ(some.requests, all.requests);
  EXPECT_EQ(some.warp_steps, all.warp_steps);
}

TEST(SmallSamples, ALongColumnIsAskedBesides) {
  for (const char* kernel : {"csc_transposed", "bsr_transposed"})
    EXPECT_FALSE(simulated("powerlaw?rows=100000&mean=8", kernel, "h100", small_budget).launches.back().longest.empty())
        << kernel;
}

// A few rows have a third of all entries: samples have too many of them or none.
TEST(SmallSamples, UnevenBlocksCountByWhatTheyHave) {
  const auto told = [](double budget) {
    return simulated("powerlaw?rows=100000&mean=8", "csr_vector", "h100", budget).launches.back();
  };
  const LaunchSimulation some = told(small_budget), all = told(no_end);
  EXPECT_LT(some.share, 1);
  EXPECT_NEAR(some.sectors / all.sectors, 1, 0.1);
  double blocks = 0;
  for (const BlockCost& c : some.costs) blocks += c.times;
  EXPECT_NEAR(blocks, static_cast<double>(some.shape.grid), 1e-6 * blocks);
}

}  // namespace
}  // namespace warpspy
