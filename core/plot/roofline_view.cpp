// Which part of the roofline is shown.
#include <algorithm>
#include <cmath>

#include "core/plot/roofline_parts.hpp"

namespace warpspy::plot {
namespace {

// A point is far if its intensity exceeds that of the last corner of the roofs by this factor.
constexpr double kFar = 30;

// The range of the data, rounded outward, so that nothing touches the frame and the last power of ten is visible.
void fit_log(Axis& axis, double lo, double hi, double pad) {
  const double low = std::log10(lo) - pad, high = std::log10(hi) + pad;
  axis.min = std::pow(10.0, low), axis.max = std::pow(10.0, high);
}

// The largest intensity that is not far; infinite without roofs.
double near_up_to(const std::vector<Roof>& roofs) {
  const double ceiling = ceiling_of(roofs);
  double corner = 0;
  for (const Roof& r : roofs)
    if (r.level != Level::compute && r.value > 0) corner = std::max(corner, ceiling / r.value);
  return corner > 0 ? kFar * corner : INFINITY;
}

}  // namespace

double ceiling_of(const std::vector<Roof>& roofs) {
  double top = 0;
  for (const Roof& r : roofs)
    if (r.level == Level::compute) top = std::max(top, r.value);
  return top;
}

void choose_ranges(Plot& plot, const std::vector<Roof>& roofs, const std::vector<PlacedRun>& runs,
                   const RooflineStyle& style, const PlacedRun* marked) {
  plot.x.scale = plot.y.scale = Scale::log10;
  if (style.view) {
    plot.x.min = style.view->x0, plot.x.max = style.view->x1;
    plot.y.min = style.view->y0, plot.y.max = style.view->y1;
    return;
  }
  double x0 = 1e300, x1 = 0, y0 = 1e300, y1 = 0;
  const auto see = [&](double x, double y) {
    x0 = std::min(x0, x), x1 = std::max(x1, x);
    y0 = std::min(y0, y), y1 = std::max(y1, y);
  };
  const double near = near_up_to(roofs);
  for (const PlacedRun& r : runs)
    for (const RooflinePoint& p : r.points) see(std::min(p.intensity, near), p.gflops);
  if (marked)
    for (const ByteCount& c : byte_counts(*marked->run, style.flops))
      see(std::min(c.intensity, near), marked->points.front().gflops);
  // If all points beyond the corners are far, the axis ends at the corners.
  if (x1 >= near && std::isfinite(near)) x1 = near / kFar;
  const double ceiling = ceiling_of(roofs);
  const bool any_run = x1 > 0;
  for (const Roof& r : roofs) {
    if (r.level == Level::compute || !(r.value > 0)) continue;
    if (ceiling > 0) see(ceiling / r.value, ceiling);
    // SpMV has about 1/10 flop per byte: an empty roofline shows the region where its points will be.
    if (!any_run) see(0.1, 0.1 * r.value);
    // The lower end of a roof below the points would otherwise be cut off.
    if (any_run) see(x0, std::min(x0 * r.value, ceiling > 0 ? ceiling : x0 * r.value));
  }
  if (ceiling > 0 && x1 <= 0) see(0.1, ceiling / 100), see(10, ceiling);
  if (x1 <= 0) x0 = 0.01, x1 = 100, y0 = 1, y1 = 1e4;
  const double minimum = style.minimum ? style.minimum->intensity : 0;
  if (minimum > 0 && std::isfinite(minimum)) x0 = std::min(x0, minimum), x1 = std::max(x1, minimum);
  fit_log(plot.x, x0, x1, 0.35);
  fit_log(plot.y, y0, y1, 0.35);
  if (!marked) return;
  // Leaves room below the marked run for the names of its byte counts, one step each.
  const double steps = kCountStep * (static_cast<double>(byte_counts(*marked->run, style.flops).size()) + 1.2);
  const double y = std::log10(marked->points.front().gflops), top = std::log10(plot.y.max);
  plot.y.min = std::min(plot.y.min, std::pow(10.0, (y - steps * top) / (1 - steps)));
}

Standing standing_of(const Plot& plot, const RooflineStyle& style, double intensity) {
  if (style.view || intensity <= plot.x.max) return {intensity, false};
  return {plot.x.max * std::pow(plot.x.min / plot.x.max, 0.02), true};
}

}  // namespace warpspy::plot
