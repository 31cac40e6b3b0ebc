// Finds places for text in the data area: notes, and labels of lines. No text covers another text or a mark.
#include "core/plot/label_places.hpp"

#include <algorithm>
#include <cmath>

#include "core/plot/scale.hpp"

namespace warpspy::plot {

// The part of a segment inside a rectangle (Liang and Barsky).
bool clip_segment(const Rect& r, Point& a, Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  double t0 = 0, t1 = 1;
  const double p[] = {-dx, dx, -dy, dy}, q[] = {a.x - r.x, r.right() - a.x, a.y - r.y, r.bottom() - a.y};
  for (int k = 0; k < 4; ++k) {
    if (p[k] == 0 && q[k] < 0) return false;
    if (p[k] < 0) t0 = std::max(t0, q[k] / p[k]);
    if (p[k] > 0) t1 = std::min(t1, q[k] / p[k]);
  }
  if (t0 > t1) return false;
  b = {a.x + t1 * dx, a.y + t1 * dy};
  a = {a.x + t0 * dx, a.y + t0 * dy};
  return true;
}

// Level text with its box's centre at c.
Candidate level_at(Point c, double width, double ts) {
  return {{c, width / 2 + 0.15 * ts, 0.6 * ts, 0}, {c.x, c.y + 0.36 * ts}, Align::center, 0, false, {}, {}};
}

namespace {

// Text along a segment: `from_end` of the segment's length before its end, `off` text sizes above (or below) the line.
Candidate along(Point a, Point b, double from_end, double off, double width, double ts) {
  const double radians = std::atan2(-(b.y - a.y), b.x - a.x);
  const double nx = -std::sin(radians), ny = -std::cos(radians);  // up, across the line
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const double s = 1 - (from_end + width / 2) / length;
  const Point on{a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)};
  const Point centre{on.x + nx * off * ts, on.y + ny * off * ts};
  const double drop = 0.36 * ts;
  return {{centre, width / 2 + 0.15 * ts, 0.55 * ts, radians},
          {centre.x - nx * drop, centre.y - ny * drop},
          Align::center,
          radians,
          false,
          {},
          {}};
}

constexpr std::size_t most_places = 160;

// The visible part of a line: its ends, and its longest stretch from left to right.
struct Visible {
  Point first, last, a, b;
};
std::optional<Visible> visible_part(const Frame& f, const Series& s) {
  Visible v;
  double longest = -1;
  for (const auto& run : runs_of(f, s)) {
    for (std::size_t k = 0; k < run.size(); ++k) {
      Point p = run[k], q = run[std::min(k + 1, run.size() - 1)];
      if (!clip_segment(f.out.area, p, q)) continue;
      if (longest < 0) v.first = p;
      v.last = q;
      const double length = std::hypot(q.x - p.x, q.y - p.y);
      if (length > longest) longest = length, v.a = p, v.b = q;
    }
  }
  if (longest < 0) return std::nullopt;
  if (v.first.x > v.last.x) std::swap(v.first, v.last);
  if (v.a.x > v.b.x) std::swap(v.a, v.b);
  return v;
}

bool slopes(const Visible& v) { return std::abs(v.b.y - v.a.y) > 0.1 * std::abs(v.b.x - v.a.x); }

}  // namespace

// Places for a line's label: along its longest visible stretch if that slopes, beside its ends if it is level.
std::vector<Candidate> line_label_places(const Frame& f, const Series& s, double width) {
  std::vector<Candidate> result;
  const double ts = f.ts;
  const auto seen = visible_part(f, s);
  if (!seen) return result;
  const auto [first, last, a, b] = *seen;
  const double longest = std::hypot(b.x - a.x, b.y - a.y);
  const bool sloped = slopes(*seen);
  const double margin = 2 * ts;
  if (sloped && f.canvas.turns_text() && longest > width + 2 * margin) {
    // Near the upper end first, where the slopes of a roofline are farthest from the points.
    const double slack = longest - width - margin;
    for (double off : {0.75, -0.75})
      for (double t : {1.0, 0.85, 0.7, 0.5, 0.3, 0.0})
        result.push_back(along(a, b, margin + (1 - t) * (slack - margin), off, width, ts));
  }
  if (sloped) {
    // Level text beside a slope: its nearest corner keeps a distance from the line.
    const double direction = b.y < a.y ? 1 : -1, away = width / 2 + 0.6 * ts;
    for (double t : {0.9, 0.6, 0.35, 0.1, 0.75, 0.5, 0.25})
      for (double side : {-1.0, 1.0}) {
        const Point on{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        result.push_back(level_at({on.x + side * direction * away, on.y + side * 0.5 * ts}, width, ts));
      }
    // A curve of short pieces: above or below any of its points, the last points first.
    const auto parts = runs_of(f, s);
    for (const double lift : {1.1, 1.8, 2.6})
      for (auto part = parts.rbegin(); part != parts.rend(); ++part)
        for (auto p = part->rbegin(); p != part->rend() && result.size() < most_places; ++p)
          for (const double side : {-1.0, 1.0}) result.push_back(level_at({p->x, p->y + side * lift * ts}, width, ts));
    return result;
  }
  // Beside the right end, if necessary further down with a leader line; otherwise to the left. Labels are placed from
  // the top.
  const double beyond = width / 2 + 0.9 * ts, above = 0.95 * ts;
  const Point end = last;  // clang 14 cannot capture a structured binding in a lambda
  const auto beside = [&](double dy) {
    Candidate c = level_at({end.x + beyond + (dy == 0 ? 0 : 0.6 * ts), end.y + dy}, width, ts);
    if (std::abs(dy) > 0.4 * ts) {
      c.led = true;
      c.leader_from = {end.x + 0.55 * ts, end.y};
      c.leader_to = {c.box.centre.x - width / 2 - 0.25 * ts, c.box.centre.y};
    }
    return c;
  };
  for (double dy : {0.0, 0.4, 0.8, 1.2}) result.push_back(beside(dy * ts));
  // A level line that reaches the edge (a ceiling): above its end.
  result.push_back(level_at({last.x - width / 2 - 0.3 * ts, last.y - above}, width, ts));
  result.push_back(level_at({first.x - beyond, first.y}, width, ts));
  for (double dy : {-0.4, -0.8, -1.2}) result.push_back(beside(dy * ts));
  for (double lift : {1.15, -1.15}) result.push_back(level_at({last.x, last.y - lift * ts}, width, ts));
  for (double lift : {1.0, -1.0})
    result.push_back(level_at({first.x - beyond + 0.3 * ts, first.y - lift * ts}, width, ts));
  result.push_back(level_at({first.x + width / 2 + 0.3 * ts, first.y - above}, width, ts));
  result.push_back(level_at({last.x - width / 2 - 0.3 * ts, last.y + above}, width, ts));
  // At the edge of the area, with a distance from the mark there.
  for (double lift : {1.35, -1.35})
    result.push_back(level_at({last.x - width / 2 + 0.3 * ts, last.y - lift * ts}, width, ts));
  return result;
}

// Places for an arrow's label: beside its middle, on either side, then nearer to its ends.
std::vector<Candidate> arrow_label_places(Point a, Point b, double width, double ts) {
  std::vector<Candidate> result;
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const double nx = length > 0 ? (b.y - a.y) / length : 0, ny = length > 0 ? -(b.x - a.x) / length : -1;  // across
  // How far a level text box reaches perpendicular to the arrow.
  const double reach = std::abs(nx) * (width / 2 + 0.15 * ts) + std::abs(ny) * 0.6 * ts;
  for (const double away : {0.3, 0.8, 1.6})
    for (const double t : {0.5, 0.62, 0.38, 0.75, 0.25, 0.9, 0.1})
      for (const double side : {1.0, -1.0}) {
        const double d = side * (reach + away * ts);
        result.push_back(level_at({a.x + t * (b.x - a.x) + nx * d, a.y + t * (b.y - a.y) + ny * d}, width, ts));
      }
  return result;
}

std::optional<Point> anchor_of(const Frame& f, const Series& s) {
  if (s.kind == Series::Kind::hline && !s.y.empty())
    return Point{f.out.area.right(), pixel_y(f.y_axis(s), f.out.area, s.y[0])};
  const auto seen = visible_part(f, s);
  if (!seen) return std::nullopt;
  if (!slopes(*seen)) return seen->last;
  return Point{(seen->a.x + seen->b.x) / 2, (seen->a.y + seen->b.y) / 2};
}

std::vector<Candidate> places_around(Point p, double width, double ts) {
  std::vector<Candidate> result;
  constexpr int kAngles = 16;
  for (const double away : {1.0, 1.5, 2.1, 2.9, 4.0, 5.5, 7.5})
    for (int k = 0; k < kAngles; ++k) {
      const double angle = 2 * M_PI * k / kAngles, c = std::cos(angle), s = std::sin(angle);
      Candidate place = level_at({p.x + c * (away * ts + width / 2), p.y + s * away * ts}, width, ts);
      place.led = away > 1.6;
      place.leader_from = {p.x + 0.5 * c * ts, p.y + 0.5 * s * ts};
      const double rim = away - 0.65;
      place.leader_to = {p.x + c * rim * ts, p.y + s * rim * ts};
      result.push_back(place);
    }
  return result;
}

}  // namespace warpspy::plot
