#include "core/run/telling_step.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace warpspy {
namespace {

std::uint64_t told(const WarpTrace& w, const WarpStep& s, WarpMeasure measure) {
  if (measure == WarpMeasure::sectors) return traffic_of(w, s).sectors;
  // A step that is not counted as an instruction has no idle lanes.
  if (measure == WarpMeasure::idle) return s.times == 0 ? 0 : static_cast<std::uint64_t>(32 - std::popcount(s.active));
  return 0;
}

}  // namespace

std::size_t telling_step(const WarpTrace& warp, WarpMeasure measure, const std::string& array) {
  const auto of = [&](const WarpStep& s) {
    return array.empty() || (s.array >= 0 && warp.arrays[static_cast<std::size_t>(s.array)].name == array);
  };
  const bool asked = std::any_of(warp.steps.begin(), warp.steps.end(), of);
  std::size_t step = 0;
  std::uint64_t most = 0;
  for (std::size_t k = 0; k < warp.steps.size(); ++k) {
    if (asked && !of(warp.steps[k])) continue;
    if (const auto n = told(warp, warp.steps[k], measure); n > most) most = n, step = k;
  }
  return step;
}

WarpWanted beside_of(const WarpWanted& wanted, const WarpTrace& warp) {
  using By = WarpWanted::By;
  if (wanted.by == By::row || wanted.by == By::entry) return wanted;
  const auto row_in = [&](const WarpStep& step) {
    const auto [first, past] = rows_of(warp, step);
    return first < past ? first : index_t{-1};
  };
  index_t row = -1;
  if (!warp.steps.empty()) row = row_in(warp.steps[telling_step(warp, wanted.measure)]);
  for (std::size_t k = 0; row < 0 && k < warp.steps.size(); ++k) row = row_in(warp.steps[k]);
  if (row < 0) return wanted;
  WarpWanted same = wanted;
  same.by = By::row;
  same.row = row;
  return same;
}

}  // namespace warpspy
