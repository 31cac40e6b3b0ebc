#include "profiling/simulated/simulate.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <thread>

#include "kernels/simt/emulator.hpp"
#include "kernels/table/table.hpp"
#include "profiling/metrics/metrics.hpp"
#include "profiling/simulated/coalesce.hpp"
#include "profiling/simulated/time_model.hpp"
#include "tests/products.hpp"
#include "traces.hpp"

namespace warpspy {
namespace {

// Block b reads its own 512 bytes of a with two warps, and 512 bytes of x, and writes its 512 bytes of y.
void stream_block(std::int64_t b, simt::BlockTrace& trace) {
  trace.warps.resize(4);
  for (int w = 0; w < 4; ++w) {
    const auto own = [=](int l) { return static_cast<std::uint64_t>(512 * b + 128 * w + 4 * l); };
    access(trace.warps[w], a_base, own);
    access(trace.warps[w], x_base,
           [=](int l) { return static_cast<std::uint64_t>((1024 * w + 128 * (b % 8)) + 4 * l); });
    access(trace.warps[w], y_base, own, simt::Op::store);
  }
}

Simulation run(const GpuSpec& gpu, std::int64_t grid, SimulateOptions options) {
  HandWritten product(grid, 128, stream_block);
  Progress progress;
  return simulate(product, gpu, options, progress);
}

TEST(Simulate, WholeGridByHand) {
  SimulateOptions all;
  all.budget = budget_of(Depth::whole);
  const Simulation s = run(small_gpu(), 1000, all);
  EXPECT_EQ(s.share, 1);
  EXPECT_TRUE(s.blocks.empty());
  EXPECT_EQ(s.launches[0].costs.size(), 1000u);
  EXPECT_EQ(s.requests, 12000);
  EXPECT_EQ(s.sectors, 48000);
  EXPECT_EQ(s.l1_lookups, 32000);
  EXPECT_EQ(s.dram_read_bytes, 512000 + 4096);  // x stays in L2
  // L2 has room for it, and stays dirty in part when the product ends.
  EXPECT_NEAR(s.dram_write_bytes, 512000 - l2_dirty * small_gpu().l2_bytes, 0.001 * 512000);
  EXPECT_EQ(s.lane_steps / s.warp_steps, 32);
  ASSERT_EQ(s.arrays.size(), 3u);
  EXPECT_EQ(s.arrays[0].name, "a");
  EXPECT_EQ(s.arrays[0].requests, 4000);
  EXPECT_EQ(s.arrays[0].bytes_used, 4000 * 128);
  ASSERT_EQ(s.lines.size(), 1u);
  EXPECT_EQ(s.lines[0].name, "hand.hpp:1");
  EXPECT_EQ(s.lines[0].sectors, 48000);
}

TEST(Simulate, ASampleIsScaledAndSaysItsShare) {
  SimulateOptions some;
  some.sample_blocks = 640;  // ten waves of 64: two of the four SMs of sixteen waves
  const Simulation s = run(small_gpu(), 6400, some);
  EXPECT_DOUBLE_EQ(s.share, 0.08);
  EXPECT_EQ(s.blocks.size(), 512u);
  EXPECT_DOUBLE_EQ(s.requests, 12.0 * 6400);
  // Every wave of the sample reads x anew, 40960 bytes in all; the whole grid, which has L2 to itself, reads it again
  // only when enough of a has passed.
  EXPECT_NEAR(s.dram_read_bytes, 512.0 * 6400 + 4096, 4096);
  EXPECT_NEAR(s.dram_write_bytes, 512.0 * 6400 - l2_dirty * small_gpu().l2_bytes, 1);
}

TEST(Simulate, DoesNotDependOnTheNumberOfThreads) {
  SimulateOptions options;
  options.sample_blocks = 300;
  const GpuSpec gpu = small_gpu();
  options.threads = 1;
  const Simulation one = run(gpu, 3000, options);
  options.threads = 2;
  const Simulation two = run(gpu, 3000, options);
  EXPECT_EQ(one.blocks, two.blocks);
  const auto a = modelled_counters(one, gpu), b = modelled_counters(two, gpu);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].value, b[i].value) << a[i].id;
  for (std::size_t i = 0; i < one.costs.size(); ++i) EXPECT_EQ(one.costs[i].waits, two.costs[i].waits);
}

bool adds_by_atomics(EmulatedProduct& product) {
  simt::Additions never = simt::Additions::dry_run();
  for (std::size_t launch = 0; launch < product.launches().size(); ++launch) {
    simt::BlockTrace trace;
    product.emulate_block(static_cast<int>(launch), 0, &trace, &never);
    for (const simt::WarpTrace& warp : trace.warps)
      for (const simt::Access& a : warp.accesses)
        if (a.op == simt::Op::atomic) return true;
  }
  return false;
}

// Sums of atomics are rounded in the order in which they are done; counts must not depend on who ran a block either.
TEST(Simulate, EveryKernelIsTheSameOnOneTwoAndFourThreads) {
  const tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);  // however few cores there are
  const GpuSpec gpu = small_gpu();
  std::vector<std::pair<std::string, Matrix>> matrices = testing::product_matrices();
  Matrix crowded;  // many blocks, rows of 0 to 60 entries, and columns that all blocks share
  crowded.csr =
      std::make_shared<const Csr>(testing::random_rows(3000, 3000, [](index_t r) { return r * 7919 % 61; }, 1));
  matrices.emplace_back("crowded", std::move(crowded));
  int with_atomics = 0;
  for (const KernelRow& kernel : kernels())
    for (const auto& [name, matrix] : matrices) {
      if (!kernel.emulate) continue;
      const auto p = testing::product_of(kernel, matrix, Precision::f32, {}, {0.75, -2});
      if (!p) continue;
      // Thousands of diagonals with next to nothing in them take long and show nothing new.
      if (p->format && p->format->size().stored > 20 * matrix.csr->nnz()) continue;
      with_atomics += adds_by_atomics(*kernel.emulate(p->inputs));
      std::vector<double> y;
      std::vector<Counter> counters;
      std::vector<BlockCost> costs;
      for (int threads : {1, 2, 4}) {
        SimulateOptions options;
        options.budget = budget_of(Depth::whole);
        options.threads = threads;
        const auto product = kernel.emulate(p->inputs);
        Progress progress;
        const Simulation s = simulate(*product, gpu, options, progress);
        std::vector<BlockCost> seen;
        for (const LaunchSimulation& launch : s.launches)
          seen.insert(seen.end(), launch.costs.begin(), launch.costs.end());
        if (threads == 1) {
          y = product->y(), counters = modelled_counters(s, gpu), costs = seen;
          EXPECT_EQ(testing::first_wrong_row(p->expected, y), "") << kernel.info.id << " " << name;
          continue;
        }
        EXPECT_EQ(product->y(), y) << kernel.info.id << " " << name << " " << threads << " threads";
        const auto now = modelled_counters(s, gpu);
        ASSERT_EQ(now.size(), counters.size());
        for (std::size_t i = 0; i < now.size(); ++i)
          EXPECT_EQ(now[i].value, counters[i].value) << kernel.info.id << " " << name << " " << now[i].id;
        ASSERT_EQ(seen.size(), costs.size()) << kernel.info.id << " " << name;
        for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i].waits, costs[i].waits);
      }
    }
  EXPECT_GE(with_atomics, 1);
}

TEST(Simulate, SamplesWhenTheBudgetIsShort) {
  HandWritten product(4000, 128, [](std::int64_t b, simt::BlockTrace& trace) {
    stream_block(b, trace);
    trace.warps[0].lane_steps += 5000;
  });
  Progress progress;
  SimulateOptions options;
  options.budget = budget_of(Depth::quick);
  const Simulation s = simulate(product, small_gpu(), options, progress);
  EXPECT_LT(s.share, 0.5);
  EXPECT_LT(product.emulated.load(), 2000);
  EXPECT_EQ(static_cast<double>(s.blocks.size()) / 4000, s.share);
}

// An array of four times L2, read once per product.
TEST(Simulate, AKeptShareIsThereForTheNextProduct) {
  constexpr double bytes = 1 << 22;
  const auto read = [&](simt::CachePolicy policy, CacheState state, std::int64_t sample) {
    HandWritten product(8192, 128, [policy](std::int64_t b, simt::BlockTrace& trace) {
      trace.warps.resize(4);
      for (int w = 0; w < 4; ++w)
        access(
            trace.warps[w], a_base, [=](int l) { return static_cast<std::uint64_t>(512 * b + 128 * w + 4 * l); },
            simt::Op::load, ~0u, 4, policy);
      // An array that no block touches would be taken for another launch's, which needs its place in L2.
      access(trace.warps[0], y_base, [](int l) { return static_cast<std::uint64_t>(4 * l); }, simt::Op::store);
    });
    Progress progress;
    SimulateOptions options;
    options.budget = budget_of(Depth::whole);
    options.sample_blocks = sample;
    options.cache_state = state;
    GpuSpec gpu = small_gpu();
    gpu.compute_capability = keeps_shares_from;
    return simulate(product, gpu, options, progress).dram_read_bytes / bytes;
  };
  using enum simt::CachePolicy;
  for (const auto policy : {plain, streaming, evict_last_eighth, evict_last_quarter}) {
    EXPECT_EQ(read(policy, CacheState::cold, 0), 1) << static_cast<int>(policy);
    EXPECT_EQ(read(policy, CacheState::cold, 2048), 1) << static_cast<int>(policy);
  }
  for (const std::int64_t sample : {0, 2048}) {
    EXPECT_EQ(read(plain, CacheState::warm, sample), 1) << "lines drive out each other";
    EXPECT_EQ(read(streaming, CacheState::warm, sample), 1);
    EXPECT_NEAR(read(evict_last_eighth, CacheState::warm, sample), 7 / 8., 0.01);
  }
  // A quarter is all of L2: some of it has to go.
  EXPECT_GT(read(evict_last_quarter, CacheState::warm, 0), 3 / 4.);
  EXPECT_LT(read(evict_last_quarter, CacheState::warm, 0), 1);
}

TEST(Simulate, StopsWhenCancelled) {
  Progress progress;
  HandWritten product(100000, 128, [&](std::int64_t b, simt::BlockTrace& trace) {
    if (b == 500) progress.cancel();
    stream_block(b, trace);
  });
  SimulateOptions all;
  all.budget = budget_of(Depth::whole);
  EXPECT_THROW(simulate(product, small_gpu(), all, progress), Cancelled);
  EXPECT_LT(product.emulated.load(), 100000);
}

// One block of 4000 has a row of 50 lines, four of which are on their way at a time; the sample does not have it.
TEST(Simulate, TheBlockWithTheLongestRowIsAskedBesidesASample) {
  constexpr std::int64_t hub = 1777;
  const auto fill = [](std::int64_t b, simt::BlockTrace& trace) {
    trace.warps.resize(1);
    for (int n = 0; n < (b == hub ? 50 : 1); ++n)
      access(trace.warps[0], a_base,
             [=](int l) { return static_cast<std::uint64_t>(128 * (b == hub ? 8000 + n : b) + 4 * l); });
  };
  const auto simulated = [&](std::vector<LongestSegment> longest, SimulateOptions options) {
    HandWritten product(4000, 32, fill, longest);
    Progress progress;
    return simulate(product, small_gpu(), options, progress).launches.at(0);
  };
  const SimulateOptions sample{.sample_blocks = 64};
  const LaunchSimulation told = simulated({{hub, 50}}, sample), untold = simulated({}, sample);
  ASSERT_LT(told.share, 1);
  EXPECT_EQ(told.longest, (std::vector<LongBlock>{{hub, {.dram = 13, .instructions = 350}}}));
  EXPECT_TRUE(untold.longest.empty());
  EXPECT_EQ(told.requests, untold.requests) << "only its waiting counts";
  EXPECT_EQ(told.dram_read_bytes, untold.dram_read_bytes);
  EXPECT_TRUE(simulated({{hub, 50}}, {.budget = budget_of(Depth::whole)}).longest.empty()) << "all blocks ran";
  EXPECT_TRUE(simulated({{hub, 1'000'000'000}}, sample).longest.empty()) << "more than a sample may take";
  // A shorter one tells of it.
  const auto first = simulated({{3999, 200'000'000}, {hub, 50}}, sample).longest;
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].block, 3999);
  EXPECT_EQ(first[0].waits, (Waits{.dram = 13, .instructions = 350}.times(4'000'000)));
}

// 200 blocks that read ten lines each before 3800 that read one: a sample of whole waves would have none of the first.
TEST(Simulate, ASampleHasBlocksOfBothPartsOfALaunch) {
  constexpr std::int64_t grid = 4000, second = 200;
  const auto lines = [](std::int64_t b) { return b < second ? 10 : 1; };
  HandWritten product(grid, 32,
                      [&](std::int64_t b, simt::BlockTrace& trace) {
                        trace.warps.resize(1);
                        for (int n = 0; n < lines(b); ++n)
                          access(trace.warps[0], a_base, [=](int l) {
                            return static_cast<std::uint64_t>(128 * (b < second ? 10 * b + n : 2000 + b) + 4 * l);
                          });
                      },
                      {}, {second});
  Progress progress;
  const LaunchSimulation s = simulate(product, small_gpu(), {.sample_blocks = 256}, progress).launches.at(0);
  ASSERT_LT(s.share, 0.5);
  EXPECT_EQ(s.shape.grid, grid);
  EXPECT_NEAR(s.requests, 200 * 10 + 3800, 1e-6);
  double blocks = 0, waits = 0;
  for (const BlockCost& c : s.costs) blocks += c.times, waits += c.times * c.waits.dram;
  EXPECT_NEAR(blocks, grid, 1e-6);
  EXPECT_NEAR(waits, 200 * 3 + 3800, 1e-6) << "four lines of an array are on their way at a time";
  EXPECT_TRUE(std::is_sorted(s.blocks.begin(), s.blocks.end()));
  EXPECT_LT(s.blocks.at(0), second);
  EXPECT_GE(s.blocks.back(), second);
}

TEST(Simulate, AnEmptyGridIsNothing) {
  const Simulation s = run(small_gpu(), 0, {});
  EXPECT_EQ(s.requests, 0);
  EXPECT_EQ(s.dram_read_bytes, 0);
  EXPECT_EQ(estimate_time(s, small_gpu(), Precision::f32, 0).total, 0);  // nothing is launched
}

Simulation product_of(std::vector<LaunchSimulation> launches) {
  Simulation s;
  s.launches = std::move(launches);
  return s;
}

TEST(TimeEstimate, ByHand) {
  GpuSpec gpu = small_gpu();
  gpu.compute_capability = 70;
  LaunchSimulation s;
  s.shape.grid = 8;
  s.occupancy.blocks = 1;
  s.dram_read_bytes = 1e6, s.dram_write_bytes = 1e6;  // 2e6 / 100 GB/s = 20 us
  s.l2_sectors = 1e6 / 32 * 5;                        // 5e6 B / 500 GB/s = 10 us
  s.l2_requests = 4000;                               // at 0.5 lines per clock on 4 SMs of 1 GHz: 2 us
  s.warp_steps = 1600;
  s.atomic_turns = 1000;  // of 0.8 ns
  // 8 blocks on 4 SMs, that wait four times for L2, 150 ns each: 1.2 us; 4 warps of 50
  // instructions and 200 steps of 6, four per clock: 0.35 us each; 32000 B at 128 GB/s: 0.25 us each.
  s.costs.assign(8, {.waits = {.l2 = 4}, .steps = 200, .warps = 4, .sectors = 1000, .lines = 200});
  const TimeEstimate t = estimate_time(product_of({s}), gpu, Precision::f64, 1e6);
  EXPECT_DOUBLE_EQ(t.dram, 20);
  EXPECT_DOUBLE_EQ(t.l2, 10);
  EXPECT_DOUBLE_EQ(t.l1, 0.5);
  EXPECT_DOUBLE_EQ(t.requests, 2);
  EXPECT_DOUBLE_EQ(t.issue, 0.7);
  EXPECT_DOUBLE_EQ(t.atomics, 0.8);
  EXPECT_DOUBLE_EQ(t.compute, 2);
  EXPECT_DOUBLE_EQ(t.latency, 1.2);
  // L2 is on the way of DRAM's bytes, L1 on that of the lines asked of L2: the larger of each two.
  const double others = 20 * 20 + 2 * 2 + 0.7 * 0.7 + 0.8 * 0.8 + 1.2 * 1.2;
  EXPECT_DOUBLE_EQ(t.total, std::sqrt(others + 2 * 2) + 2 + cold_launch_us);
  EXPECT_NE(t.how.find("DRAM 20"), std::string::npos);
  Simulation warm = product_of({s});
  warm.warm = true;
  EXPECT_DOUBLE_EQ(estimate_time(warm, gpu, Precision::f64, 1e6).launch, 2);
  // Two launches one after another; the flops are shared between them.
  const TimeEstimate two = estimate_time(product_of({s, s}), gpu, Precision::f64, 1e6);
  EXPECT_DOUBLE_EQ(two.total, 2 * (std::sqrt(others + 1 * 1) + 2 + cold_launch_us));
  EXPECT_DOUBLE_EQ(two.compute, 2);
  EXPECT_EQ(instructions_of(product_of({s}), gpu), 8 * (4 * 50 + 200 * 6));
  gpu.issues_per_step = 5;
  EXPECT_EQ(instructions_of(product_of({s}), gpu), 8 * 200 * 5) << "another compiler";
  gpu.issues_per_step = 0;
  // With check bits in DRAM a long copy moves a quarter more bytes in the same time.
  gpu.ecc_in_memory = true;
  EXPECT_DOUBLE_EQ(estimate_time(product_of({s}), gpu, Precision::f64, 1e6).dram, 20 / 1.25);
  gpu.ecc_in_memory = false;
  // The block with the longest row may take longer than all that a sample has.
  s.longest = {{0, {.l2 = 10}}};
  EXPECT_DOUBLE_EQ(estimate_time(product_of({s}), gpu, Precision::f64, 1e6).latency, 1.5);
  // Where launches can overlap, and do, what it takes to start one is hidden.
  s.shape.overlap = true;
  gpu.compute_capability = 89;
  EXPECT_DOUBLE_EQ(estimate_time(product_of({s}), gpu, Precision::f64, 1e6).launch, 2 + cold_launch_us);
  gpu.compute_capability = 90;
  EXPECT_DOUBLE_EQ(estimate_time(product_of({s}), gpu, Precision::f64, 1e6).launch, 0);
}

TEST(Metrics, AllAreModelledOrSayWhyNot) {
  GpuSpec gt200 = small_gpu();
  gt200.l2_bytes = gt200.l1_bytes_per_sm = 0;
  gt200.l1_caches_global = false;
  for (const GpuSpec& gpu : {small_gpu(), gt200}) {
    const Simulation s = run(gpu, 100, {});
    const auto counters = modelled_counters(s, gpu);
    std::size_t i = 0;
    for (const MetricRow& m : metrics()) {
      if (!m.modelled) continue;
      ASSERT_LT(i, counters.size());
      EXPECT_EQ(counters[i].id, m.info.id);
      EXPECT_TRUE(counters[i].value.has_value() || !counters[i].reason.empty()) << counters[i].id;
      ++i;
    }
    EXPECT_EQ(i, counters.size());
    const auto has = [&](const char* id) {
      for (const Counter& c : counters)
        if (c.id == id) return c.value.has_value();
      return false;
    };
    EXPECT_TRUE(has("dram_bytes"));
    EXPECT_EQ(has("l2_hit_rate"), gpu.l2_bytes > 0);
    EXPECT_EQ(has("l1_bytes"), gpu.l1_caches_global);
  }
}

}  // namespace
}  // namespace warpspy
