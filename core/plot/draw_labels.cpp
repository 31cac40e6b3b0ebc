// Words in the data area: notes, labels beside lines. None covers another, or a mark.
#include <algorithm>
#include <cmath>

#include "core/plot/frame.hpp"
#include "core/plot/glyphs.hpp"
#include "core/plot/label_placer.hpp"
#include "core/plot/scale.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

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

struct Candidate {
  Box box;
  Point baseline;
  Align align = Align::center;
  double radians = 0;
  bool led = false;  // a leader joins the label to its line
  Point leader_from = {}, leader_to = {};
};

// Level text with its box's centre at c.
Candidate level_at(Point c, double width, double ts) {
  return {{c, width / 2 + 0.15 * ts, 0.6 * ts, 0}, {c.x, c.y + 0.36 * ts}, Align::center, 0, false, {}, {}};
}

// Text along a segment, `from_end` of the segment's length short of its end, `off` text sizes above (or below) the
// line.
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

// Places for the label of a line: along its longest visible stretch when that slopes, beside its ends when it is level.
std::vector<Candidate> line_label_places(const Frame& f, const Series& s, double width) {
  std::vector<Candidate> result;
  const double ts = f.ts;
  Point a, b, first, last;
  double longest = -1;
  bool any = false;
  for (const auto& run : runs_of(f, s)) {
    for (std::size_t k = 0; k < run.size(); ++k) {
      Point p = run[k], q = run[std::min(k + 1, run.size() - 1)];
      if (!clip_segment(f.out.area, p, q)) continue;
      if (!any) first = p;
      any = true, last = q;
      const double length = std::hypot(q.x - p.x, q.y - p.y);
      if (length > longest) longest = length, a = p, b = q;
    }
  }
  if (!any) return result;
  if (first.x > last.x) std::swap(first, last);
  if (a.x > b.x) std::swap(a, b);
  const bool sloped = std::abs(b.y - a.y) > 0.1 * std::abs(b.x - a.x);
  const double margin = 2 * ts;
  if (sloped && f.canvas.turns_text() && longest > width + 2 * margin) {
    // Near the upper end first: there the slopes of a roofline are farthest from the points.
    const double slack = longest - width - margin;
    for (double off : {0.75, -0.75})
      for (double t : {1.0, 0.85, 0.7, 0.5, 0.3, 0.0})
        result.push_back(along(a, b, margin + (1 - t) * (slack - margin), off, width, ts));
  }
  if (sloped) {
    // Level text beside a slope: the corner next to the line clears it.
    const double direction = b.y < a.y ? 1 : -1, away = width / 2 + 0.6 * ts;
    for (double t : {0.9, 0.6, 0.35, 0.1, 0.75, 0.5, 0.25})
      for (double side : {-1.0, 1.0}) {
        const Point on{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        result.push_back(level_at({on.x + side * direction * away, on.y + side * 0.5 * ts}, width, ts));
      }
    // A curve of short pieces among others: above or below any of its points, the last ones first.
    const auto parts = runs_of(f, s);
    for (const double lift : {1.1, 1.8, 2.6})
      for (auto part = parts.rbegin(); part != parts.rend(); ++part)
        for (auto p = part->rbegin(); p != part->rend() && result.size() < most_places; ++p)
          for (const double side : {-1.0, 1.0}) result.push_back(level_at({p->x, p->y + side * lift * ts}, width, ts));
    return result;
  }
  // Beside the right end, if need be further down (labels are placed from the top), on a leader; then to the left.
  const double beyond = width / 2 + 0.9 * ts, above = 0.95 * ts;
  const auto beside = [&](double dy) {
    Candidate c = level_at({last.x + beyond + (dy == 0 ? 0 : 0.6 * ts), last.y + dy}, width, ts);
    if (std::abs(dy) > 0.4 * ts) {
      c.led = true;
      c.leader_from = {last.x + 0.55 * ts, last.y};
      c.leader_to = {c.box.centre.x - width / 2 - 0.25 * ts, c.box.centre.y};
    }
    return c;
  };
  for (double dy : {0.0, 0.4, 0.8, 1.2}) result.push_back(beside(dy * ts));
  // A level line that runs to the edge (a ceiling): above its end.
  result.push_back(level_at({last.x - width / 2 - 0.3 * ts, last.y - above}, width, ts));
  result.push_back(level_at({first.x - beyond, first.y}, width, ts));
  for (double dy : {-0.4, -0.8, -1.2}) result.push_back(beside(dy * ts));
  for (double lift : {1.15, -1.15}) result.push_back(level_at({last.x, last.y - lift * ts}, width, ts));
  for (double lift : {1.0, -1.0})
    result.push_back(level_at({first.x - beyond + 0.3 * ts, first.y - lift * ts}, width, ts));
  result.push_back(level_at({first.x + width / 2 + 0.3 * ts, first.y - above}, width, ts));
  result.push_back(level_at({last.x - width / 2 - 0.3 * ts, last.y + above}, width, ts));
  // At the edge of the area, clear of the mark there.
  for (double lift : {1.35, -1.35})
    result.push_back(level_at({last.x - width / 2 + 0.3 * ts, last.y - lift * ts}, width, ts));
  return result;
}

// Places for the label of an arrow: beside its middle, on either side, then nearer to its ends.
std::vector<Candidate> arrow_label_places(Point a, Point b, double width, double ts) {
  std::vector<Candidate> result;
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const double nx = length > 0 ? (b.y - a.y) / length : 0, ny = length > 0 ? -(b.x - a.x) / length : -1;  // across
  // How far a level box reaches across the arrow.
  const double reach = std::abs(nx) * (width / 2 + 0.15 * ts) + std::abs(ny) * 0.6 * ts;
  for (const double away : {0.3, 0.8, 1.6})
    for (const double t : {0.5, 0.62, 0.38, 0.75, 0.25, 0.9, 0.1})
      for (const double side : {1.0, -1.0}) {
        const double d = side * (reach + away * ts);
        result.push_back(level_at({a.x + t * (b.x - a.x) + nx * d, a.y + t * (b.y - a.y) + ny * d}, width, ts));
      }
  return result;
}

// Labels are placed in this order: context as given, then runs' labels from the top down, so that those that have to
// move stay in the order of their lines.
std::vector<std::size_t> label_order(const Frame& f) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < f.plot.series.size(); ++k) {
    const Series& s = f.plot.series[k];
    if (s.label.empty() || s.kind == Series::Kind::vline) continue;
    const bool level =
        s.kind == Series::Kind::line && points_of(s) > 0 && s.y.front() == s.y[points_of(s) - 1] && s.faint;
    order.emplace_back(level ? f.pixel(s, s.x[0], s.y[0]).y : -1e9, k);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::size_t> result;
  for (const auto& o : order) result.push_back(o.second);
  return result;
}

// Notes stay where they are; those that give way are left out instead.
void draw_notes(Frame& f, LabelPlacer& placer) {
  if (!f.tick_labels) return;
  for (const Note& note : f.plot.notes) {
    const Point p = f.out.to_pixel(note.x, note.y);
    if (!finite(p)) continue;
    const std::string s = fitted(f.canvas, note.text, f.ts, Font::ui, f.out.area.w);
    const double half = f.canvas.text_width(s, f.ts) / 2;
    const double lo = f.out.area.x + half, hi = std::max(lo, f.out.area.right() - half);
    const double beside = half + 0.35 * f.ts;
    const double x = note.align == Align::left ? p.x + beside : note.align == Align::right ? p.x - beside : p.x;
    const Point at{std::clamp(x, lo, hi), p.y};
    const Box box{at, half, 0.5 * f.ts, 0};
    if (!note.gives_way)
      placer.add_mark(box);
    else if (!f.out.area.contains(p) || !placer.place({box}, 0, placer.lines()))
      continue;
    f.canvas.text({at.x, at.y + 0.36 * f.ts}, s, f.ts, readable(note.color, f.theme), Align::center);
  }
}

}  // namespace

void draw_labels(Frame& f) {
  LabelPlacer placer(f.out.area);
  for (const Hit& hit : f.out.marks) {
    const double r = line_width(f, f.plot.series[hit.series]) * 1.2;
    placer.add_mark({hit.at, r, r, 0});
  }
  std::vector<std::pair<std::size_t, std::size_t>> own(f.plot.series.size());
  for (std::size_t k = 0; k < f.plot.series.size(); ++k) {
    const Series& s = f.plot.series[k];
    own[k].first = placer.lines();
    if (s.kind == Series::Kind::line)
      for (const auto& run : runs_of(f, s))
        for (std::size_t i = 0; i + 1 < run.size(); ++i) {
          Point a = run[i], b = run[i + 1];
          if (clip_segment(f.out.area, a, b)) placer.add_line(box_of_segment(a, b, line_width(f, s)));
        }
    const Rect& area = f.out.area;
    if (s.kind == Series::Kind::vline && !s.x.empty()) {
      const double x = pixel_x(f.out.x, area, s.x[0]);
      if (std::isfinite(x)) placer.add_line(box_of_segment({x, area.y}, {x, area.bottom()}, line_width(f, s)));
    }
    own[k].second = placer.lines();
  }
  draw_notes(f, placer);
  if (!f.line_labels) return;
  // Arrows are what the figure is about: their labels come first, and nothing else crosses them.
  for (const Arrow& arrow : f.plot.arrows)
    if (const auto shaft = shaft_of(f, arrow)) placer.add_line(box_of_segment(shaft->first, shaft->second, 4 * f.unit));
  for (const Arrow& arrow : f.plot.arrows) {
    // Points too near for an arrow between them still say what became of the value.
    const auto shaft = shaft_of(f, arrow);
    const Point from = shaft ? shaft->first : f.out.to_pixel(arrow.x0, arrow.y0);
    const Point to = shaft ? shaft->second : f.out.to_pixel(arrow.x1, arrow.y1);
    if (arrow.label.empty() || !finite(from) || !finite(to)) continue;
    const double width = f.canvas.text_width(arrow.label, f.ts, Font::bold);
    const auto places = arrow_label_places(from, to, width, f.ts);
    std::vector<Box> boxes;
    for (const Candidate& c : places) boxes.push_back(c.box);
    if (const auto best = placer.place(boxes))
      f.canvas.text(places[*best].baseline, arrow.label, f.ts, readable(arrow.color, f.theme), Align::center,
                    Font::bold);
  }
  for (std::size_t k : label_order(f)) {
    const Series& s = f.plot.series[k];
    const double width = f.canvas.text_width(s.label, f.ts);
    std::vector<Candidate> places;
    if (s.kind == Series::Kind::hline && !s.y.empty()) {
      const double y = pixel_y(f.y_axis(s), f.out.area, s.y[0]);
      for (double side : {-0.85, 0.85}) {
        places.push_back(level_at({f.out.area.right() - width / 2 - 0.3 * f.ts, y + side * f.ts}, width, f.ts));
        places.push_back(level_at({f.out.area.x + width / 2 + 0.5 * f.ts, y + side * f.ts}, width, f.ts));
      }
    } else {
      places = line_label_places(f, s, width);
    }
    std::vector<Box> boxes;
    for (const Candidate& c : places) boxes.push_back(c.box);
    const auto best = placer.place(boxes, own[k].first, own[k].second);
    if (!best) continue;
    const Candidate& c = places[*best];
    const Color color = readable(s.color, f.theme);
    if (c.led) f.canvas.line(c.leader_from, c.leader_to, f.theme.hairline, 0.8 * f.unit);
    if (c.radians == 0)
      f.canvas.text(c.baseline, s.label, f.ts, color, c.align);
    else
      f.canvas.turned_text(c.baseline, s.label, f.ts, color, c.radians, c.align);
  }
}

}  // namespace warpspy::plot
