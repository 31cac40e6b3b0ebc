#include "ui/state/zoom.hpp"

#include <algorithm>
#include <cmath>

namespace warpspy::ui {

namespace {

constexpr double kLeastDecades = 0.25, kMostDecades = 16;

// lo..hi scaled about `at` by the factor.
void scale(double& lo, double& hi, double at, double factor) {
  const double a = std::log10(lo), b = std::log10(hi), c = std::log10(at);
  const double span = std::clamp((b - a) / factor, kLeastDecades, kMostDecades);
  const double share = (c - a) / (b - a);
  lo = std::pow(10, c - share * span);
  hi = std::pow(10, c + (1 - share) * span);
}

}  // namespace

RoofView view_of(const plot::Layout& layout) { return {layout.x.min, layout.x.max, layout.y.min, layout.y.max}; }

RoofView zoom_at(const plot::Layout& layout, plot::Point at, double factor) {
  RoofView v = view_of(layout);
  scale(v.x0, v.x1, layout.x_of(at.x), factor);
  scale(v.y0, v.y1, layout.y_of(at.y), factor);
  return v;
}

RoofView pan(const plot::Layout& layout, double dx, double dy) {
  const plot::Rect& a = layout.area;
  return {layout.x_of(a.x - dx), layout.x_of(a.right() - dx), layout.y_of(a.bottom() - dy), layout.y_of(a.y - dy)};
}

}  // namespace warpspy::ui
