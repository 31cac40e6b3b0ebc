#include "core/plot/label_placer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace warpspy::plot {
namespace {

std::array<Point, 4> corners(const Box& b) {
  const double c = std::cos(b.radians), s = -std::sin(b.radians);  // y grows downward
  const Point u{c * b.half_w, s * b.half_w}, v{-s * b.half_h, c * b.half_h};
  const Point m = b.centre;
  return {{{m.x + u.x + v.x, m.y + u.y + v.y},
           {m.x + u.x - v.x, m.y + u.y - v.y},
           {m.x - u.x - v.x, m.y - u.y - v.y},
           {m.x - u.x + v.x, m.y - u.y + v.y}}};
}

// Whether the projections of a and b onto the axes of `along` are apart.
bool separated(const std::array<Point, 4>& a, const std::array<Point, 4>& b, double radians) {
  for (int axis = 0; axis < 2; ++axis) {
    const double angle = radians + axis * M_PI / 2;
    const double nx = std::cos(angle), ny = -std::sin(angle);
    double lo[2] = {1e300, 1e300}, hi[2] = {-1e300, -1e300};
    for (int k = 0; k < 4; ++k) {
      const double pa = a[k].x * nx + a[k].y * ny, pb = b[k].x * nx + b[k].y * ny;
      lo[0] = std::min(lo[0], pa), hi[0] = std::max(hi[0], pa);
      lo[1] = std::min(lo[1], pb), hi[1] = std::max(hi[1], pb);
    }
    if (hi[0] <= lo[1] || hi[1] <= lo[0]) return true;
  }
  return false;
}

bool overlaps(const Box& box, std::span<const Box> others) {
  return std::any_of(others.begin(), others.end(), [&](const Box& other) { return overlap(box, other); });
}

}  // namespace

Box box_of(const Rect& r) { return {{r.x + r.w / 2, r.y + r.h / 2}, r.w / 2, r.h / 2, 0}; }

Box box_of_segment(Point a, Point b, double width) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  return {{(a.x + b.x) / 2, (a.y + b.y) / 2}, std::hypot(dx, dy) / 2, width / 2, std::atan2(-dy, dx)};
}

bool overlap(const Box& a, const Box& b) {
  // Most pairs are far apart.
  const double reach = std::hypot(a.half_w, a.half_h) + std::hypot(b.half_w, b.half_h);
  if (std::hypot(a.centre.x - b.centre.x, a.centre.y - b.centre.y) >= reach) return false;
  const auto ca = corners(a), cb = corners(b);
  return !separated(ca, cb, a.radians) && !separated(ca, cb, b.radians);
}

bool inside(const Box& b, const Rect& r) {
  for (Point p : corners(b))
    if (p.x < r.x || p.x > r.right() || p.y < r.y || p.y > r.bottom()) return false;
  return true;
}

std::optional<std::size_t> LabelPlacer::place(const std::vector<Box>& candidates, std::size_t own_first,
                                              std::size_t own_last) {
  // A label across a mark hides data, and one across a line looks like that line's label. So such a label is left out:
  // the mouse and the table still name its point.
  const std::span<const Box> lines(lines_);
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Box& box = candidates[k];
    if (!inside(box, area_) || overlaps(box, labels_) || overlaps(box, marks_)) continue;
    if (overlaps(box, lines.first(own_first)) || overlaps(box, lines.subspan(own_last))) continue;
    labels_.push_back(box);
    return k;
  }
  return std::nullopt;
}

}  // namespace warpspy::plot
