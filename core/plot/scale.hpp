// Converts data to pixels and back, for one axis.
#pragma once

#include <cmath>

#include "core/plot/plot.hpp"

namespace warpspy::plot {

// The axis made drawable: finite, min < max, positive when logarithmic. A drawable axis is returned as it is.
Axis sane(Axis a);
// 0 at the left or bottom, 1 at the right or top; NaN stays NaN; clamped far outside.
double fraction(const Axis& a, double v);
double value_at(const Axis& a, double t);
double pixel_x(const Axis& a, const Rect& area, double v);
double pixel_y(const Axis& a, const Rect& area, double v);

// Rounds a coordinate to the middle of a pixel, where a line of one pixel is crisp. The small addition puts 99.99999
// and 100 into the same pixel.
inline double crisp(double v) { return std::floor(v + 1e-6) + 0.5; }

}  // namespace warpspy::plot
