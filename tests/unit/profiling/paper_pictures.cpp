// Bell & Garland 2008, figures 16 to 25, as this program draws them: tests/golden holds the exact calls,
// docs/bell-garland the pictures beside what the paper says. Of each figure the accesses, as the paper prints them, and
// the warp.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "core/plot/theme.hpp"
#include "core/plot/warp_figure.hpp"
#include "tests/unit/profiling/paper_golden.hpp"
#include "tests/unit/profiling/paper_warps.hpp"

using namespace warpspy;
using warpspy::testing::expect_golden;

namespace {

struct Case {
  const char *figure, *kernel, *array;  // array: whose accesses are drawn; nullptr: the warp alone
  ParamSet params, format;
  plot::AccessRows rows = plot::AccessRows::iterations;
  int launch = 0;
  WarpOp op = WarpOp::load;  // the warp is drawn at the first step of this kind on the array
};
const Case cases[] = {
    {"16", "dia", "values", {{"block_size", 32}}, {{"alignment", 4}}},
    {"18", "ell", "columns", {{"block_size", 32}}, {{"alignment", 4}}},
    {"21", "csr_scalar", "values", {{"block_size", 32}}, {}},
    {"23", "csr_vector", "values", {{"coop", 32}, {"block_size", 32}}, {}, plot::AccessRows::warps},
    {"24", "coo_segmented", nullptr, {}, {}, plot::AccessRows::iterations, 1, WarpOp::exchange},
    {"25", "coo_segmented", nullptr, {}, {}, plot::AccessRows::iterations, 1},
};
constexpr double access_height = 230, warp_height = 800;

bool is_of(const WarpTrace& w, const WarpStep& s, const Case& c) {
  return s.op == c.op && (!c.array || (s.array >= 0 && w.arrays[static_cast<std::size_t>(s.array)].name == c.array));
}

class PaperPictures : public ::testing::TestWithParam<int> {};

TEST_P(PaperPictures, Match) {
  const Case& c = cases[GetParam()];
  const auto warps = warpspy::testing::paper_warps(c.kernel, c.params, c.format, c.launch);
  const std::string name = std::string("bell_garland_") + c.figure;
  if (c.array) expect_golden(plot::access_figure(warps, c.array, c.rows), name, access_height);
  const std::vector<WarpStep>& steps = warps.front().steps;
  const auto step = std::find_if(steps.begin(), steps.end(), [&](const WarpStep& s) { return is_of(warps[0], s, c); });
  ASSERT_NE(step, steps.end());
  const auto shown = std::make_shared<const WarpTrace>(warps.front());
  expect_golden(plot::warp_figure({shown}, step - steps.begin(), plot::light_theme()), name + "_warp", warp_height);
}

INSTANTIATE_TEST_SUITE_P(BellGarland, PaperPictures, ::testing::Range(0, static_cast<int>(std::size(cases))),
                         [](const auto& tested) { return std::string("Figure") + cases[tested.param].figure; });

}  // namespace
