// Bell & Garland 2008, figure 25: the COO kernel on "a fictitious architecture with four threads per warp". Kernel and
// emulator are those of the program, compiled once more with warps of four lanes (tests/CMakeLists.txt).
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/formats/coo.hpp"
#include "core/plot/warp_figure.hpp"
#include "kernels/spmv/coo_segmented.hpp"
#include "kernels/spmv/emulated_product.hpp"
#include "tests/unit/profiling/paper_golden.hpp"
#include "tests/unit/profiling/paper_matrix.hpp"

using namespace warpspy;

namespace {

static_assert(simt::warp_size == 4);

// One warp goes through all entries of the paper's matrix, as in the figure.
struct PaperProduct {
  Progress progress;
  std::shared_ptr<const CooFormat> coo =
      std::make_shared<CooFormat>(*warpspy::testing::paper_matrix().csr, Precision::f32, RealView::real_part, progress);
  std::vector<double> x = {1, 10, 100, 1000};
  EmulatedSpmv<float> product{CooSegmented::info(), {.format = coo, .x = x}, CommonParams{}};
  std::vector<std::vector<simt::BlockTrace>> traces;  // by launch and block

  PaperProduct() {
    CooSegmented::lay_out(*coo, {.block_size = 4, .coo_warps = 1}, product.layout());
    for (const LaunchShape& launch : product.launches()) {
      std::vector<simt::BlockTrace>& blocks = traces.emplace_back(static_cast<std::size_t>(launch.grid));
      for (std::int64_t b = 0; b < launch.grid; ++b)
        product.emulate_block(static_cast<int>(traces.size()) - 1, b, &blocks[static_cast<std::size_t>(b)], nullptr);
    }
  }
};

// The loads from `values`, as a figure of accesses wants them.
WarpTrace loads_of_values(const PaperProduct& run, const simt::WarpTrace& warp) {
  WarpTrace told;
  told.kernel = CooSegmented::info().id, told.kernel_label = CooSegmented::info().label;
  told.gpu = "warps of four lanes";
  told.arrays.push_back({.name = "values"});
  told.array_places.push_back({.base = 0, .element_bytes = sizeof(float)});
  const auto values = run.coo->values().as<float>();
  for (const simt::Access& a : warp.accesses) {
    const simt::ArrayInfo& array = run.product.arrays()[a.array];
    if (array.name != "values") continue;
    WarpStep step;
    step.array = 0;
    step.bytes = a.bytes;
    step.active = a.active;
    step.first_access = static_cast<std::uint32_t>(told.accesses.size());
    for (int i = 0; i < std::popcount(a.active); ++i) {
      const std::uint64_t address = warp.addresses[a.first + static_cast<std::uint32_t>(i)];
      const auto element = static_cast<std::size_t>(address - array.base) / sizeof(float);
      told.accesses.push_back(
          {.element = static_cast<index_t>(element), .value = static_cast<double>(values[element]), .entry = true});
    }
    told.steps.push_back(step);
  }
  return told;
}

// The paper prints threads 0 1 2 3 at the first four entries, again at the next four, and thread 0 at the last one.
TEST(NarrowWarps, BellGarlandFigure25) {
  constexpr double height = 230;
  const PaperProduct run;
  const WarpTrace warp = loads_of_values(run, run.traces.at(1).at(0).warps.at(0));
  ASSERT_EQ(warp.steps.size(), 3u);
  EXPECT_EQ(warp.steps[0].active, 0b1111u);
  EXPECT_EQ(warp.steps[1].active, 0b1111u);
  EXPECT_EQ(warp.steps[2].active, 0b0001u);
  warpspy::testing::expect_golden(plot::access_figure({warp}, "values", plot::AccessRows::iterations),
                                  "bell_garland_25", height);
}

// The reduction of four lanes (figure 24) adds up what 32 lanes would.
TEST(NarrowWarps, TheProductIsTheSame) {
  EXPECT_EQ(PaperProduct().product.y(), (std::vector<double>{71, 820, 9305, 4060}));
}

}  // namespace
