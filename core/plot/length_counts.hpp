// Counts row lengths and places them on an axis, for the figures of row lengths. Only this folder uses it.
#pragma once

#include <vector>

#include "core/matrix/csr.hpp"
#include "core/matrix/stats.hpp"
#include "core/plot/plot.hpp"

namespace warpspy::plot {

// A row length paired with its number of rows; lengths that no row has are left out.
struct LengthCount {
  index_t length = 0, rows = 0;
};
// Counts the lengths that occur. It takes O(rows log rows) if the stats have no histogram because the longest row is
// too long.
std::vector<LengthCount> length_counts(const Csr& a, const RowStats& stats);

// Returns where the place of a length begins on the x axis: halfway to the length before it, as the axis sees it.
double left_of_length(index_t length, bool log);
// The place of length 0 on a log axis.
inline constexpr double kZeroLeft = 0.36, kZeroRight = 0.52, kZeroMiddle = 0.433;

// The share of `rows` (%) that are at most so long, over the axis `x`: steps at lengths that there are, level between
// them.
void add_share_curve(Series& curve, const std::vector<LengthCount>& lengths, double rows, const Axis& x);

}  // namespace warpspy::plot
