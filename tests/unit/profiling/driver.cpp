// What whoever observes blocks sees of them, and that nobody sees what is left out.
#include "profiling/simulated/driver.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "profiling/simulated/warp_watch.hpp"
#include "traces.hpp"

namespace warpspy {
namespace {

constexpr int warps = 2;

// Warp w of block b reads a line of its own, (b + 1) times.
HandWritten product_of(std::int64_t grid) {
  return HandWritten(grid, warps * simt::warp_size, [](std::int64_t block, simt::BlockTrace& trace) {
    trace.warps.resize(warps);
    for (std::uint64_t w = 0; w < warps; ++w)
      for (std::int64_t times = 0; times <= block; ++times)
        access(trace.warps[w], a_base, [&](int lane) {
          return 128 * (static_cast<std::uint64_t>(block) * warps + w) + 4 * static_cast<std::uint64_t>(lane);
        });
  });
}

// Keeps what it is told, and of one block all that there is.
struct Noted : Observer {
  std::int64_t wanted = -1;
  std::vector<std::int64_t> ended_in_order;
  std::vector<BlockRun> runs;
  std::map<std::int64_t, std::vector<Waits>> waits;
  int waited_times = 0;

  Kept keeps(int, std::int64_t block) const override { return block == wanted ? Kept::steps : Kept::sums; }
  void ended(BlockRun& run) override {
    ended_in_order.push_back(run.stream.block);
    runs.push_back(std::move(run));
  }
  void waited(int, std::int64_t block, std::span<const Waits> of_warps) override {
    waits[block].assign(of_warps.begin(), of_warps.end());
    ++waited_times;
  }
};

class DriverTest : public testing::Test {
 protected:
  SliceRun run(BlockBatch batch) {
    const Launched launched(product_, 0);
    driver_.begin_launch(launched.shape);
    costs_.clear();
    return driver_.run(launched, batch, costs_);
  }

  Progress progress_;
  HandWritten product_ = product_of(8);
  GpuSpec gpu_ = small_gpu();
  Noted noted_;
  Driver driver_{product_, gpu_, progress_, &noted_};
  std::vector<BlockCost> costs_;
};

TEST_F(DriverTest, BlocksEndInTheOrderOfTheCaches) {
  noted_.wanted = 5;
  run({{{1, 5}, {2}}});
  EXPECT_EQ(noted_.ended_in_order, (std::vector<std::int64_t>{1, 5, 2}));
  EXPECT_EQ(costs_.size(), 3u);
  for (const BlockRun& r : noted_.runs) {
    const auto times = static_cast<std::uint64_t>(r.stream.block) + 1;
    EXPECT_EQ(r.stream.requests.size(), warps * times);
    ASSERT_EQ(r.trace.warps.size(), 2u) << r.stream.block;
    for (const simt::WarpTrace& w : r.trace.warps) {
      EXPECT_EQ(w.warp_steps, times);
      EXPECT_EQ(w.accesses.size(), r.stream.block == 5 ? times : 0);
    }
    EXPECT_EQ(noted_.waits.at(r.stream.block).size(), 2u);
  }
  // The first time a line comes from DRAM, then from L1.
  EXPECT_EQ(noted_.runs[1].served.front(), 0b10101010);
  EXPECT_EQ(noted_.runs[1].served.back(), 0);
  EXPECT_EQ(noted_.waits.at(5)[0].dram, 1u);
}

TEST_F(DriverTest, L2CanBeAskedAgain) {
  SliceRun slice = run({{{3}}});
  EXPECT_EQ(noted_.waits.at(3)[0].dram, 1u);
  EXPECT_EQ(costs_[0].waits.dram, 1u);
  driver_.ask_l2(slice, costs_);
  EXPECT_EQ(noted_.waits.at(3)[0].dram, 0u);
  EXPECT_EQ(costs_[0].waits.dram, 0u);
  EXPECT_EQ(costs_[0].waits.l2, 1u);
  EXPECT_EQ(noted_.ended_in_order.size(), 1u);
}

TEST_F(DriverTest, NobodyIsToldOfBlocksThatAreNotObserved) {
  BlockBatch unobserved{{{3}}}, part{{{3}}};
  unobserved.observed = false;
  part.warps = {1, 1};
  for (const BlockBatch& batch : {unobserved, part}) {
    SliceRun slice = run(batch);
    driver_.ask_l2(slice, costs_);
  }
  EXPECT_TRUE(noted_.runs.empty());
  EXPECT_EQ(noted_.waited_times, 0);
}

TEST_F(DriverTest, OneWarpOfABlockAsksAlone) {
  BlockBatch batch{{{4}}};
  batch.only_warp = 1;
  run(batch);
  EXPECT_EQ(driver_.memory().counts().l1_lookups, 4u * 5);
  const BlockStream& stream = noted_.runs.at(0).stream;
  EXPECT_EQ(stream.warp_begin[0], stream.warp_begin[1]);
  EXPECT_EQ(stream.warp_begin[2] - stream.warp_begin[1], 5u);
  EXPECT_EQ(noted_.waits.at(4)[0], (Waits{.instructions = noted_.waits.at(4)[0].instructions}));
  EXPECT_EQ(noted_.waits.at(4)[1].dram, 1u);
}

TEST_F(DriverTest, APartHasItsOwnWarpsAndTheWorkOfAll) {
  BlockBatch batch{{{2}}};
  batch.warps = {1, 1};
  const Launched launched(product_, 0);
  const std::vector<BlockRun> runs = driver_.emulate(launched, {&batch, 1});
  EXPECT_EQ(runs.at(0).stream.requests.size(), 3u);
  EXPECT_EQ(runs.at(0).stream.work, work_of(try_block(product_, 0, 2)));
}

// Of blocks that ran in part no warp is looked at: those that were keep what they waited.
TEST(WarpWatch, KeepsTheWaitsOfWarpsWhenPartsAskAgain) {
  HandWritten product = product_of(8);
  const GpuSpec gpu = small_gpu();
  Progress progress;
  WarpWatch watch;
  Driver driver(product, gpu, progress, &watch);
  const Launched launched(product, 0);
  driver.begin_launch(launched.shape);
  std::vector<BlockCost> costs;
  driver.run(launched, {{{0}}}, costs);
  const std::vector<Waits> before = {watch.warps.at(0).waits, watch.warps.at(1).waits};
  EXPECT_EQ(before[0].dram, 1u);
  BlockBatch part{{{7}}};
  part.warps = {0, 1};
  SliceRun slice = driver.run(launched, part, costs);
  driver.ask_l2(slice, costs);
  EXPECT_EQ(watch.warps.size(), 2u);
  EXPECT_EQ(watch.warps[0].waits, before[0]);
  EXPECT_EQ(watch.warps[1].waits, before[1]);
}

TEST(TryBlocks, SeesEachOnceAndStopsWhenCancelled) {
  HandWritten product = product_of(8);
  Progress progress;
  const std::vector<std::int64_t> blocks = {6, 1, 3};
  std::vector<std::int64_t> seen(blocks.size());
  try_blocks(product, 0, blocks, progress,
             [&](std::size_t i, const simt::BlockTrace& trace) { seen[i] = trace.block; });
  EXPECT_EQ(seen, blocks);
  progress.cancel();
  EXPECT_THROW(try_blocks(product, 0, blocks, progress, [](std::size_t, const simt::BlockTrace&) {}), Cancelled);
}

}  // namespace
}  // namespace warpspy
