// How an H200 answered simple patterns, against its model; and the smallest cases, counted by hand.
#include "profiling/validate/memory_system.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/gpu/gpu_spec.hpp"
#include "profiling/simulated/simulate.hpp"
#include "tests/paths.hpp"
#include "traces.hpp"

namespace warpspy {
namespace {

// Where the model is known to answer otherwise, and by how much (docs/validation.md): close to what L2 holds.
double known_excess(const std::string& id) {
  static const std::map<std::string, double> excess = {{"sequential_40", -8.7}, {"wave_40", 7.6}};
  const auto at = excess.find(id);
  return at == excess.end() ? 0 : at->second;
}

class MemoryExperiment : public ::testing::TestWithParam<Experiment> {};

TEST_P(MemoryExperiment, TheModelAnswersAsTheGpuDid) {
  static const GpuSpec gpu =
      read_gpu_spec(WARPSPY_SOURCE_DIR "/assets/gpus/" + std::string(memory_reference_gpu) + ".json");
  const Experiment& e = GetParam();
  Progress progress;
  const double answer = modelled_answer(e, gpu, progress);
  if (const double excess = known_excess(e.id)) {
    EXPECT_NEAR(answer, e.reference + excess, 3) << e.label << ": is the note in docs/validation.md still true?";
    return;
  }
  EXPECT_NEAR(answer, e.reference, e.allowed) << e.label << ", " << e.quantity;
}

INSTANTIATE_TEST_SUITE_P(H200, MemoryExperiment, ::testing::ValuesIn(memory_experiments()),
                         [](const auto& row) { return std::string(row.param.id); });

// One warp reads 32 floats at a stride, twice.
struct ByHand {
  int stride;  // in floats
  double sectors;
};

TEST(ByHandCounts, AWarpAtAStride) {
  for (const ByHand& c : {ByHand{1, 4}, ByHand{2, 8}, ByHand{4, 16}, ByHand{8, 32}, ByHand{32, 32}}) {
    HandWritten product(1, 32, [&](std::int64_t, simt::BlockTrace& trace) {
      trace.warps.resize(1);
      for (int time = 0; time < 2; ++time)
        access(trace.warps[0], a_base, [&](int l) { return static_cast<std::uint64_t>(4 * c.stride * l); });
    });
    SimulateOptions all;
    all.budget = budget_of(Depth::whole);
    Progress progress;
    const Simulation s = simulate(product, small_gpu(), all, progress);
    EXPECT_EQ(s.requests, 2) << c.stride;
    EXPECT_EQ(s.sectors, 2 * c.sectors) << c.stride;
    // A line reused within a block is a hit.
    EXPECT_EQ(s.l1_hits, c.sectors) << c.stride;
    EXPECT_EQ(s.l2_loads, c.sectors) << c.stride;
  }
}

// Both halves of a line, by two loads: one request to L2 where the warp waits for them together, two where it has
// waited for the first before it asks for the second.
TEST(ByHandCounts, WhatAWarpAsksOfALineBeforeItWaitsIsOneRequest) {
  for (const bool waits_between : {false, true}) {
    HandWritten product(1, 32, [&](std::int64_t, simt::BlockTrace& trace) {
      trace.warps.resize(1);
      const auto half = [&](int part) {
        access(trace.warps[0], a_base, [=](int l) { return static_cast<std::uint64_t>(64 * part + 4 * (l % 16)); });
      };
      const auto store = [&] {
        access(trace.warps[0], y_base, [](int l) { return static_cast<std::uint64_t>(4 * l); }, simt::Op::store);
      };
      half(0);
      if (waits_between) store();
      half(1);
      if (!waits_between) store();
    });
    SimulateOptions all;
    all.budget = budget_of(Depth::whole);
    Progress progress;
    const Simulation s = simulate(product, small_gpu(), all, progress);
    EXPECT_EQ(s.requests, 3);
    EXPECT_EQ(s.l2_loads, 4);
    const double stores = 1;
    EXPECT_EQ(s.l2_requests, (waits_between ? 2 : 1) + stores);
  }
}

// A block reads its 512 bytes of a, all read x, and each writes its 512 bytes of y.
Simulation streamed(std::int64_t grid, CacheState state, std::int64_t sample = 0) {
  HandWritten product(grid, 128, [](std::int64_t b, simt::BlockTrace& trace) {
    trace.warps.resize(4);
    for (int w = 0; w < 4; ++w) {
      const auto own = [=](int l) { return static_cast<std::uint64_t>(512 * b + 128 * w + 4 * l); };
      access(trace.warps[w], a_base, own);
      access(trace.warps[w], x_base, [=](int l) { return static_cast<std::uint64_t>(1024 * w + 4 * l); });
      access(trace.warps[w], y_base, own, simt::Op::store);
    }
  });
  SimulateOptions options;
  options.budget = budget_of(Depth::whole);
  options.sample_blocks = sample;
  options.cache_state = state;
  Progress progress;
  return simulate(product, small_gpu(), options, progress);
}

// a and y of 205 kB each stay in an L2 of 1 MiB from one product to the next; of 3.3 MB each, nothing but x does.
TEST(WarmProduct, WhatFitsIntoL2IsFoundThere) {
  const Simulation cold = streamed(400, CacheState::cold), warm = streamed(400, CacheState::warm);
  EXPECT_EQ(cold.dram_read_bytes, 400 * 512 + 512);
  EXPECT_EQ(cold.dram_write_bytes, 0) << "y is in L2 when the product ends";
  EXPECT_EQ(warm.dram_read_bytes, 0);
  EXPECT_EQ(warm.dram_write_bytes, 0) << "y is written again before it has to leave";
  EXPECT_EQ(warm.l2_load_hits, warm.l2_loads);
  EXPECT_TRUE(warm.warm);
  EXPECT_FALSE(cold.warm);
  // What the SMs ask for is the same.
  EXPECT_EQ(warm.sectors, cold.sectors);
  EXPECT_EQ(warm.l1_hits, cold.l1_hits);
  EXPECT_EQ(warm.l2_sectors, cold.l2_sectors);
  double waited[2] = {0, 0};
  for (const BlockCost& c : cold.launches[0].costs) waited[0] += waited_ns(c.waits, small_gpu());
  for (const BlockCost& c : warm.launches[0].costs) waited[1] += waited_ns(c.waits, small_gpu());
  EXPECT_LT(waited[1], waited[0]);
}

TEST(WarmProduct, WhatIsFarLargerThanL2IsReadAgain) {
  const Simulation cold = streamed(6400, CacheState::cold), warm = streamed(6400, CacheState::warm);
  EXPECT_NEAR(warm.dram_read_bytes, cold.dram_read_bytes, 0.005 * cold.dram_read_bytes);
  EXPECT_LE(warm.dram_read_bytes, cold.dram_read_bytes);
  // In the steady state as much leaves L2 as is written.
  EXPECT_NEAR(warm.dram_write_bytes, 512.0 * 6400, 0.02 * 512 * 6400);
}

TEST(WarmAndCold, ASampleSaysTheSame) {
  for (const CacheState state : {CacheState::warm, CacheState::cold})
    for (const std::int64_t grid : {400, 6400}) {
      const Simulation whole = streamed(grid, state), sample = streamed(grid, state, grid / 4);
      const double near = 0.05 * 512 * static_cast<double>(grid);
      EXPECT_LT(sample.share, 1);
      EXPECT_NEAR(sample.dram_read_bytes, whole.dram_read_bytes, near) << grid << " " << name_of(state);
      EXPECT_NEAR(sample.dram_write_bytes, whole.dram_write_bytes, near) << grid << " " << name_of(state);
    }
}

}  // namespace
}  // namespace warpspy
