// What is run of products whose blocks take much work: how much each takes is written here.
#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "kernels/simt/emulator.hpp"
#include "kernels/table/table.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/simulated/time_model.hpp"
#include "tests/products.hpp"
#include "traces.hpp"

namespace warpspy {
namespace {

constexpr int warps = 8;

// Blocks of eight warps, each of which reads 128 bytes of its own and writes as much, and takes its lane steps for it.
class Slow : public HandWritten {
 public:
  using Steps = std::function<double(std::int64_t block)>;
  Slow(std::int64_t grid, bool alone, Steps of_a_warp)
      : HandWritten(grid, warps * simt::warp_size, {}), alone_(alone), of_a_warp_(std::move(of_a_warp)) {}

  void emulate_block(int, std::int64_t block, simt::BlockTrace* trace, simt::Additions*) override {
    run(block, {0, warps}, *trace);
  }
  bool emulate_warps(int, std::int64_t block, simt::WarpRange range, simt::BlockTrace* trace,
                     simt::Additions*) override {
    run(block, range, *trace);
    return alone_;
  }
  double work() {
    const std::lock_guard lock(mutex_);
    return work_;
  }
  Simulation simulated(SimulateOptions options) {
    Progress progress;
    return simulate(*this, small_gpu(), options, progress);
  }

  std::vector<std::int64_t> ran;  // each time that any of a block did

 private:
  void run(std::int64_t block, simt::WarpRange range, simt::BlockTrace& trace) {
    trace.warps.resize(warps);
    for (int w = range.first; w < range.first + range.count; ++w) {
      const auto own = [=](int l) { return static_cast<std::uint64_t>(128 * (block * warps + w) + 4 * l) % (1 << 22); };
      access(trace.warps[static_cast<std::size_t>(w)], a_base, own);
      access(trace.warps[static_cast<std::size_t>(w)], y_base, own, simt::Op::store);
      trace.warps[static_cast<std::size_t>(w)].lane_steps += static_cast<std::uint64_t>(of_a_warp_(block));
    }
    const std::lock_guard lock(mutex_);
    work_ += work_of(trace);
    ran.push_back(block);
  }

  bool alone_;
  Steps of_a_warp_;
  std::mutex mutex_;
  double work_ = 0;
};

TEST(ExpensiveBlocks, AnEnormousFirstOneIsNotTried) {
  Slow product(100000, true, [](std::int64_t block) { return block == 0 ? 1e12 : 1e5; });
  const Simulation s = product.simulated({.budget = 2e9});
  EXPECT_EQ(std::count(product.ran.begin(), product.ran.end(), 0), 0);
  EXPECT_LE(product.work(), 2e9);
  EXPECT_GT(s.share, 0.005);
  EXPECT_FALSE(s.launches[0].own_sm);
  EXPECT_DOUBLE_EQ(s.requests, 100000.0 * warps * 2);
}

TEST(ExpensiveBlocks, ProbingEndsWithItsShareOfTheBudget) {
  Slow product(1000, false, [](std::int64_t) { return 5e8 / warps; });
  const Simulation s = product.simulated({.budget = 4e9});
  // One warp tells what a block takes, and four of them take more than a twentieth of the budget.
  EXPECT_EQ(product.ran.front(), 618);
  EXPECT_EQ(s.blocks.size() + 4, product.ran.size());
  EXPECT_DOUBLE_EQ(s.share, static_cast<double>(s.blocks.size()) / 1000);
}

// Blocks of an SM share its caches. So whole SMs run, at four places at least, for up to twice the budget.
TEST(ExpensiveBlocks, RunWithTheOthersOfTheirSm) {
  Slow product(1000, true, [](std::int64_t) { return 2e8 / warps; });
  const Simulation s = product.simulated({.budget = 4e9});
  EXPECT_FALSE(s.launches[0].own_sm);
  EXPECT_EQ(s.launches[0].warps_of_block, 0);
  std::map<std::pair<std::int64_t, std::int64_t>, int> blocks_of_sm;  // by wave and SM
  for (const std::int64_t b : s.blocks) ++blocks_of_sm[{b / 32, b % 4}];
  EXPECT_EQ(blocks_of_sm.size(), 4u);
  for (const auto& [sm, blocks] : blocks_of_sm) EXPECT_EQ(blocks, 8) << sm.first << " " << sm.second;
  EXPECT_LE(product.work(), 2 * 4e9);
}

TEST(ExpensiveBlocks, RunInPartAtManyPlaces) {
  Slow product(1000, true, [](std::int64_t) { return 3e8; });  // an SM of them is more than twice the budget
  const Simulation s = product.simulated({.budget = 2e9});
  const LaunchSimulation& launch = s.launches[0];
  EXPECT_TRUE(launch.own_sm);
  EXPECT_GE(launch.costs.size(), 4u);
  EXPECT_GE(launch.warps_of_block, 1);
  EXPECT_LT(launch.warps_of_block, warps);
  EXPECT_TRUE(s.blocks.empty());
  EXPECT_DOUBLE_EQ(s.share, static_cast<double>(launch.costs.size()) * launch.warps_of_block / warps / 1000);
  EXPECT_LE(product.work(), 2e9);
  EXPECT_DOUBLE_EQ(s.requests, 1000.0 * warps * 2);
  EXPECT_DOUBLE_EQ(s.sectors, 1000.0 * warps * 8);
  EXPECT_EQ(launch.costs[0].lines, 2u * warps);
}

// A quarter of the blocks, in one piece, takes a hundred times as long: every place counts by its share of the grid.
TEST(ExpensiveBlocks, AmongOthersAreRunAsOftenAsThey) {
  Slow product(64000, true, [](std::int64_t block) { return (block < 16000 ? 1e7 : 1e5) / warps; });
  const Simulation s = product.simulated({.budget = 2e9});
  EXPECT_LT(product.work(), 3e9);
  const auto expensive = std::count_if(s.blocks.begin(), s.blocks.end(), [](std::int64_t b) { return b < 16000; });
  EXPECT_NEAR(static_cast<double>(expensive) / static_cast<double>(s.blocks.size()), 0.25, 0.1);
}

// Of what a sampled launch leaves to the next one most is not there: carries of a row then seem to be of several, which
// would be added to it at a time.
TEST(ExpensiveBlocks, ALaunchBehindASampledOneIsNotChecked) {
  const KernelRow& kernel = kernel_row("coo_segmented");
  Progress progress;
  const auto p = testing::product_of(kernel, generate("arrow?n=300000", progress), Precision::f32, {});
  ASSERT_TRUE(p);
  const auto product = kernel.emulate(p->inputs);
  const Simulation s = simulate(*product, small_gpu(), {.sample_blocks = 600, .sample_warps = 8}, progress);
  ASSERT_EQ(s.launches.size(), 3u);
  EXPECT_LT(s.launches[1].share, 1);
  EXPECT_EQ(s.launches[2].share, 1);
}

// The same rows everywhere: whatever warps run tell the whole.
TEST(ExpensiveBlocks, PartsOfAUniformKernelTellTheWhole) {
  Matrix m;
  m.csr = std::make_shared<const Csr>(testing::random_rows(40000, 40000, [](index_t) { return 9; }, 1));
  for (const std::string id : {"csr_scalar", "csr_vector", "ell", "csr_striped", "csr_striped_transposed"}) {
    const ParamSet params = id.starts_with("csr_striped") ? ParamSet{{"stripe_kib", 32}} : ParamSet{};
    const KernelRow& kernel = kernel_row(id);
    const auto p = testing::product_of(kernel, m, Precision::f32, params);
    ASSERT_TRUE(p) << id;
    const auto simulated = [&](SimulateOptions options) {
      const auto product = kernel.emulate(p->inputs);
      Progress progress;
      return simulate(*product, small_gpu(), options, progress);
    };
    const Simulation all = simulated({.budget = budget_of(Depth::whole)}),
                     some = simulated({.sample_blocks = 6, .sample_warps = 1});
    // Behind the second barrier of the transposed kernel a block needs all of its warps.
    for (std::size_t l = 0; l < some.launches.size(); ++l) {
      const bool alone = id != "csr_striped_transposed" || l + 1 < some.launches.size();
      EXPECT_EQ(some.launches[l].warps_of_block, alone ? 1 : 0) << id << " " << l;
      EXPECT_LT(some.launches[l].share, 0.5) << id << " " << l;
    }
    EXPECT_NEAR(some.requests / all.requests, 1, 0.03) << id;
    EXPECT_NEAR(some.sectors / all.sectors, 1, 0.03) << id;
    EXPECT_NEAR(some.warp_steps / all.warp_steps, 1, 0.03) << id;
  }
}

}  // namespace
}  // namespace warpspy
