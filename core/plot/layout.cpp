#include <algorithm>
#include <cmath>

#include "core/plot/scale.hpp"

namespace warpspy::plot {

Axis sane(Axis a) {
  const bool log = a.scale == Scale::log10;
  if (!std::isfinite(a.min)) a.min = log ? 1 : 0;
  if (!std::isfinite(a.max)) a.max = a.min + 1;
  if (log && a.max <= 0) a.min = 1, a.max = 10;
  if (log && a.min <= 0) a.min = a.max * 1e-3;
  if (a.min > a.max) std::swap(a.min, a.max);
  if (a.max - a.min > std::abs(a.max) * 1e-12) return a;
  if (log) {
    a.min /= 2, a.max *= 2;
  } else {
    const double half = a.min == 0 ? 0.5 : std::abs(a.min) * 0.05;
    a.min -= half, a.max += half;
  }
  return a;
}

double fraction(const Axis& a, double v) {
  double t;
  if (a.scale == Scale::log10) {
    if (std::isnan(v)) return v;
    t = v > 0 ? std::log10(v / a.min) / std::log10(a.max / a.min) : -8;
  } else {
    t = (v - a.min) / (a.max - a.min);
  }
  // Values far outside are limited, so that pixel coordinates stay in the range that canvases can clip.
  if (!std::isnan(t)) t = std::clamp(t, -8.0, 9.0);
  return a.inverted ? 1 - t : t;
}

double value_at(const Axis& a, double t) {
  if (a.inverted) t = 1 - t;
  if (a.scale == Scale::log10) return a.min * std::pow(a.max / a.min, t);
  return a.min + (a.max - a.min) * t;
}

double pixel_x(const Axis& a, const Rect& area, double v) { return area.x + area.w * fraction(a, v); }
double pixel_y(const Axis& a, const Rect& area, double v) { return area.y + area.h * (1 - fraction(a, v)); }

Point Layout::to_pixel(double vx, double vy) const { return {pixel_x(x, area, vx), pixel_y(y, area, vy)}; }
double Layout::x_of(double px) const { return area.w > 0 ? value_at(x, (px - area.x) / area.w) : x.min; }
double Layout::y_of(double py) const { return area.h > 0 ? value_at(y, 1 - (py - area.y) / area.h) : y.min; }

std::optional<Hit> Layout::hit(Point p, double radius) const {
  std::optional<Hit> best;
  double nearest = radius;
  // Later marks are drawn on top, so they win ties.
  for (const Hit& mark : marks) {
    const double distance = std::hypot(mark.at.x - p.x, mark.at.y - p.y);
    if (distance > nearest) continue;
    nearest = distance;
    best = mark;
  }
  return best;
}

std::optional<std::size_t> Layout::bar_at(Point p) const {
  for (const auto& [rect, index] : bars) {
    // The mouse finds a bar anywhere in its column, since the bar of one row is only a pixel high.
    if (area.contains(p) && p.x >= rect.x && p.x < rect.right()) return index;
  }
  return std::nullopt;
}

}  // namespace warpspy::plot
