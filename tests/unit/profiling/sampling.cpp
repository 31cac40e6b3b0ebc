#include "profiling/simulated/sampling.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "profiling/simulated/occupancy.hpp"
#include "profiling/simulated/time_model.hpp"
#include "traces.hpp"

namespace warpspy {
namespace {

std::vector<std::int64_t> blocks_in(const Grid& grid, const std::vector<Slice>& slices) {
  std::vector<std::int64_t> all;
  for (const Slice& s : slices)
    for (const auto& sm : grid.blocks_of(s)) all.insert(all.end(), sm.begin(), sm.end());
  return all;
}

TEST(Slices, BlocksAreDealtRoundTheSms) {
  const Grid grid{11, 4, 2};
  EXPECT_EQ(grid.waves(), 2);
  EXPECT_EQ(grid.blocks_of({0, 1, 2}), (std::vector<std::vector<std::int64_t>>{{1, 5}, {2, 6}}));
  EXPECT_EQ(grid.blocks_of({1, 0, 4}), (std::vector<std::vector<std::int64_t>>{{8}, {9}, {10}, {}}));
}

RC_GTEST_PROP(Slices, AllSlicesRunEveryBlockOnce, ()) {
  const Grid grid{*rc::gen::inRange(1, 5000), *rc::gen::inRange(1, 40), *rc::gen::inRange(1, 20)};
  auto blocks = blocks_in(grid, all_slices(grid, *rc::gen::inRange(1, grid.sms + 1)));
  std::sort(blocks.begin(), blocks.end());
  std::vector<std::int64_t> expected(static_cast<std::size_t>(grid.blocks));
  std::iota(expected.begin(), expected.end(), 0);
  RC_ASSERT(blocks == expected);
}

RC_GTEST_PROP(Slices, SamplesAreSomeBlocksNoneTwice, ()) {
  const Grid grid{*rc::gen::inRange(1, 20000), *rc::gen::inRange(1, 140), *rc::gen::inRange(1, 20)};
  const std::int64_t wanted = *rc::gen::inRange<std::int64_t>(0, grid.blocks + 1);
  const auto blocks = blocks_in(grid, sample_slices(grid, wanted));
  RC_ASSERT(!blocks.empty());
  RC_ASSERT(std::set(blocks.begin(), blocks.end()).size() == blocks.size());
  for (const std::int64_t b : blocks) RC_ASSERT(b >= 0 && b < grid.blocks);
  // Never more than asked for, but for the least that can run: one SM's blocks.
  RC_ASSERT(static_cast<std::int64_t>(blocks.size()) <= std::max<std::int64_t>(wanted, grid.resident));
}

TEST(Slices, BlocksAloneLieEvenly) {
  EXPECT_EQ(spread_blocks(80, 4), (std::vector<std::int64_t>{49, 18, 68, 37}));
  for (const std::int64_t grid : {1, 2, 3, 79, 474, 15625}) {
    const auto all = spread_blocks(grid, grid + 16);
    EXPECT_EQ(std::set(all.begin(), all.end()).size(), static_cast<std::size_t>(grid)) << grid;
  }
  EXPECT_EQ(spread_blocks(1000, 1), (std::vector<std::int64_t>{618}));
  const Grid grid{100, 4, 3};
  const auto blocks = grid.blocks_of({2, 0, 4});
  for (int sm = 0; sm < grid.sms; ++sm)
    for (const std::int64_t block : blocks[static_cast<std::size_t>(sm)]) EXPECT_EQ(grid.sm_of(block), sm);
}

TEST(Slices, WholeWavesAreSpreadOverTheGrid) {
  const Grid grid{64 * 100, 16, 4};  // 100 waves
  const auto slices = sample_slices(grid, 32 * 64);
  ASSERT_EQ(slices.size(), 32u);
  std::set<std::int64_t> waves;
  for (const Slice& s : slices) {
    waves.insert(s.wave);
    EXPECT_EQ(s.sms, 16);
  }
  EXPECT_EQ(waves.size(), 32u);
  EXPECT_EQ(*waves.begin(), 1);
  EXPECT_EQ(slices[0].wave, 51);
  EXPECT_EQ(slices[1].wave, 1);  // any beginning is spread
}

// Rows may be other in the one or two waves that would fit.
TEST(Slices, AFewWavesArePartsOfMore) {
  const Grid many{64 * 100, 16, 4};
  const auto some = sample_slices(many, 3 * 64);
  ASSERT_EQ(some.size(), 16u);  // of three SMs each
  std::set<std::int64_t> waves;
  for (const Slice& s : some) {
    waves.insert(s.wave);
    EXPECT_EQ(s.sms, 3);
  }
  EXPECT_EQ(waves.size(), 16u);
  // Where all waves are few, each of them, the last one too.
  const Grid few{64 * 5 + 20, 16, 4};
  const auto parts = sample_slices(few, 3 * 64);
  ASSERT_EQ(parts.size(), 6u);
  waves.clear();
  for (const Slice& s : parts) waves.insert(s.wave);
  EXPECT_EQ(waves, (std::set<std::int64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(sample_slices({64 * 5, 16, 4}, 64 * 5).size(), 5u);  // all of them, whole
}

// One block in a hundred has as many entries as all others together.
TEST(Sizes, WhatASampleMissedItsSizeTells) {
  std::vector<double> sizes(100, 10);
  sizes[70] = 990;
  const std::vector<std::int64_t> few{3, 50, 97}, with_it{3, 70, 97};
  EXPECT_DOUBLE_EQ(scale_by_size(sizes, few, 1, 100), 1980.0 / 30);
  EXPECT_DOUBLE_EQ(scale_by_size(sizes, with_it, 1, 100), 1980.0 / 1010);
  EXPECT_DOUBLE_EQ(scale_by_size(sizes, with_it, 0.5, 100), 1980.0 / 505);
  EXPECT_DOUBLE_EQ(scale_by_size({}, few, 1, 100), 100.0 / 3);
  // A block that ran and is like no other one stands for itself alone.
  const std::vector<double> like = like_each(sizes, with_it, 100);
  EXPECT_DOUBLE_EQ(like[0], 49.5);
  EXPECT_DOUBLE_EQ(like[1], 1);
  EXPECT_DOUBLE_EQ(like[2], 49.5);
  for (const double of : like_each(sizes, few, 100)) EXPECT_DOUBLE_EQ(of, 100.0 / 3);
  for (const double of : like_each({}, few, 100)) EXPECT_DOUBLE_EQ(of, 100.0 / 3);
}

TEST(Misses, StreamsAreLeftAlone) {
  EXPECT_EQ(misses_in_whole({{1000, 1000}, {1000, 400}}, 10).dram, (std::vector<double>{1000, 400}));
}

TEST(Misses, WhatStaysInL2IsReadOnce) {
  EXPECT_EQ(misses_in_whole({{1000, 1000}, {100, 5000}}, 2000).dram, (std::vector<double>{1000, 100}));
}

TEST(Misses, WithoutL2EveryTouchIsAMiss) { EXPECT_EQ(misses_in_whole({{1000, 1000}, {100, 5000}}, 0).dram[1], 5000); }

TEST(Misses, BetweenTheTwoByTheCharacteristicTime) {
  // 1e6 sectors stream by while 1e4 sectors are touched 1e6 times. L2 holds 1e4 + 5e4 sectors: the characteristic time
  // is 5 % of the grid (the reused ones are then all there: 1e6 * 0.05 / 1e4 = 5 touches each), so exp(-5) of them
  // miss.
  const double misses = misses_in_whole({{1e6, 1e6}, {1e4, 1e6}}, 5e4 + 1e4 * (1 - std::exp(-5.0))).dram[1];
  EXPECT_NEAR(misses, 1e4 + 9.9e5 * std::exp(-5.0), 1e-3);
}

TEST(Misses, WarmProductsFindWhatL2Kept) {
  const auto of = [](double l2) { return misses_in_whole({{1000, 1000}, {100, 5000}}, l2, true); };
  EXPECT_EQ(of(2000).kept, 1);  // all 1100 sectors fit with room to spare
  EXPECT_EQ(of(2000).dram, (std::vector<double>{0, 0}));
  EXPECT_EQ(of(800).kept, 0);
  EXPECT_EQ(of(800).dram[0], 1000) << "a circle larger than L2 finds nothing of itself";
  EXPECT_LT(of(800).dram[1], 100) << "what is touched again and again stays";
  EXPECT_GT(of(1100).kept, 0);
  EXPECT_LT(of(1100).kept, 1);
  EXPECT_EQ(of(1100).dram[0], 1000 * (1 - of(1100).kept));
  EXPECT_GT(of(1100).l2[0], of(1100).dram[0]) << "what only the other partition holds is a miss of L2, not of both";
  KeptShare before{1, 1};  // never more kept of a larger footprint
  for (double footprint = 0; footprint < 2000; footprint += 10) {
    const KeptShare kept = kept_in_l2(footprint, 1000);
    EXPECT_LE(kept.near, before.near);
    EXPECT_LE(kept.either, before.either);
    EXPECT_LE(kept.near, kept.either);
    before = kept;
  }
  EXPECT_EQ(kept_in_l2(1, 0).either, 0);
  // A stream that the sample takes for slightly larger than it is remains one.
  EXPECT_NEAR(misses_in_whole({{1000, 1001}, {1000, 1001}}, 1000, true).dram[0], 1000, 2);
}

TEST(Occupancy, LimitedByThreadsBlocksAndSharedMemory) {
  const GpuSpec gpu = small_gpu();  // 2048 threads, 16 blocks, 64 KiB of shared memory
  const auto of = [&](int block, int shared) {
    LaunchShape s;
    s.block = block, s.shared_bytes = shared;
    return occupancy_of(gpu, s);
  };
  EXPECT_EQ(of(256, 0).blocks, 8);
  EXPECT_STREQ(of(256, 0).limit, "threads");
  EXPECT_EQ(of(64, 0).blocks, 16);
  EXPECT_EQ(of(64, 0).warps, 32);
  EXPECT_DOUBLE_EQ(of(64, 0).share, 0.5);
  EXPECT_EQ(of(100, 0).warps, 64);  // 100 threads take four warps
  EXPECT_EQ(of(128, 20000).blocks, 3);
  EXPECT_STREQ(of(128, 20000).limit, "shared memory");
  const auto of_registers = [&](int registers, int capability) {
    GpuSpec g = gpu;
    g.compute_capability = capability;
    LaunchShape s;
    s.block = 256, s.registers = registers;
    return occupancy_of(g, s);
  };
  EXPECT_STREQ(of_registers(32, 90).limit, "threads");
  EXPECT_EQ(of_registers(40, 90).blocks, 6);  // 48 warps of 1280
  EXPECT_STREQ(of_registers(40, 90).limit, "registers");
  EXPECT_EQ(of_registers(41, 90).blocks, 5);  // a warp's are taken in pieces of 256: 42 warps of 1536
  EXPECT_EQ(of_registers(40, 35).blocks, 8) << "of older compilers nothing is known";
  EXPECT_THROW(of(2048, 0), Error);
  EXPECT_THROW(of(128, 50000), Error);
}

TEST(Makespan, DealsToWhoIsFreeFirst) {
  EXPECT_EQ(makespan({}, 3), 0);
  EXPECT_EQ(makespan({{1, 1}, {1, 1}, {1, 1}, {1, 1}}, 2), 2);
  EXPECT_EQ(makespan({{4, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, 2), 4);  // one long block beside four short ones
  EXPECT_EQ(makespan({{1, 1}, {1, 1}, {1, 1}, {1, 1}, {4, 1}}, 2), 6);  // the long one comes last
  EXPECT_EQ(makespan({{3, 4}, {3, 4}}, 2), 12);                         // each stands for four
  EXPECT_EQ(makespan({{1, 2}, {3, 1}}, 2), 4);                          // two short ones before a long one
  EXPECT_EQ(makespan({{5, 1}}, 100), 5);
}

RC_GTEST_PROP(Makespan, LiesBetweenItsBounds, ()) {
  const auto costs = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 100)));
  const int servers = *rc::gen::inRange(1, 20);
  std::vector<Repeated> c;
  for (const int cost : costs) c.push_back({1.0 * cost, 1});
  const double sum = std::accumulate(costs.begin(), costs.end(), 0.0);
  const double largest = *std::max_element(costs.begin(), costs.end());
  const double t = makespan(c, servers);
  RC_ASSERT(t >= std::max(largest, sum / servers) - 1e-9);
  RC_ASSERT(t <= sum / servers + largest + 1e-9);
}

}  // namespace
}  // namespace warpspy
