// What a launch tells those who run a sample of its blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/generate/generate.hpp"
#include "core/jobs/progress.hpp"
#include "kernels/table/table.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

// Of each block of a launch.
std::vector<std::uint64_t> lane_steps(EmulatedProduct& product, int launch) {
  std::vector<std::uint64_t> steps;
  const std::int64_t grid = product.launches()[static_cast<std::size_t>(launch)].grid;
  for (std::int64_t b = 0; b < grid; ++b) {
    simt::BlockTrace trace;
    product.emulate_block(launch, b, &trace);
    std::uint64_t& sum = steps.emplace_back(0);
    for (const simt::WarpTrace& w : trace.warps) sum += w.lane_steps;
  }
  return steps;
}

// A row and a column of 3000 entries among those of two: the block that has it does most.
TEST(SampleHints, TheLongestSegmentIsWhereTheKernelSays) {
  Progress progress;
  const Matrix arrow = generate("arrow?n=3000", progress);
  int told = 0;
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.emulate) continue;
    const auto p = testing::product_of(kernel, arrow, Precision::f32, {});
    if (!p) continue;
    const auto product = kernel.emulate(p->inputs);
    for (std::size_t l = 0; l < product->launches().size(); ++l) {
      const LaunchShape& shape = product->launches()[l];
      const std::vector<std::uint64_t> steps = lane_steps(*product, static_cast<int>(l));
      if (shape.longest.empty()) continue;
      ++told;
      const LongestSegment& longest = shape.longest[0];
      ASSERT_GE(longest.block, 0) << kernel.info.id;
      ASSERT_LT(longest.block, shape.grid) << kernel.info.id;
      EXPECT_EQ(steps[static_cast<std::size_t>(longest.block)], *std::max_element(steps.begin(), steps.end()))
          << kernel.info.id << " says block " << longest.block << " of " << shape.grid;
      EXPECT_TRUE(std::is_sorted(shape.longest.begin(), shape.longest.end(), [](const auto& a, const auto& b) {
        return a.entries > b.entries;
      })) << kernel.info.id;
    }
  }
  EXPECT_GE(told, 10);
}

TEST(SampleHints, PartsAreInOrderAndInTheGrid) {
  Matrix uneven;
  uneven.csr = std::make_shared<const Csr>(testing::random_rows(3000, 3000, [](index_t r) { return r % 97; }, 1));
  std::vector<std::string> cut;
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.emulate) continue;
    const auto p = testing::product_of(kernel, uneven, Precision::f32, {});
    if (!p) continue;
    const auto product = kernel.emulate(p->inputs);
    for (const LaunchShape& shape : product->launches()) {
      if (shape.sections.empty()) continue;
      cut.push_back(kernel.info.id);
      EXPECT_GT(shape.sections.front(), 0) << kernel.info.id;
      EXPECT_LT(shape.sections.back(), shape.grid) << kernel.info.id;
      EXPECT_EQ(std::adjacent_find(shape.sections.begin(), shape.sections.end(), std::greater_equal<>()),
                shape.sections.end())
          << kernel.info.id;
    }
  }
  for (const std::string id : {"csr_adaptive", "hyb_fused", "hyb_r_fused"})
    EXPECT_NE(std::find(cut.begin(), cut.end(), id), cut.end()) << id;
}

}  // namespace
}  // namespace warpspy
