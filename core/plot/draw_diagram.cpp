// Boxes joined by arrows.
#include <algorithm>
#include <cmath>

#include "core/plot/frame.hpp"
#include "core/plot/label_placer.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

// Diagram units to pixels.
struct Space {
  Rect room;
  double sx, sy;
  Point at(Point p) const { return {room.x + p.x * sx, room.y + p.y * sy}; }
  Rect at(const Rect& r) const { return {room.x + r.x * sx, room.y + r.y * sy, r.w * sx, r.h * sy}; }
};

void draw_box(Frame& f, const Diagram::Box& b, const Rect& r) {
  const double edge = std::max(1.0, 1.4 * f.unit), pad = 0.4 * f.ts;
  f.canvas.fill_rect(r, mix(b.color, f.theme.ground, f.theme.dark ? 0.82 : 0.88));
  f.canvas.stroke_rect({r.x + edge / 2, r.y + edge / 2, r.w - edge, r.h - edge}, b.color, edge);
  const double width = r.w - 2 * pad, line = 1.3 * f.ts;
  std::vector<std::string> lines;
  for (const std::string& s : b.lines)
    if ((static_cast<double>(lines.size()) + 2) * line < r.h - pad)
      lines.push_back(s);
    else
      ++f.out.left_out;
  double y = r.y + r.h / 2 - static_cast<double>(lines.size()) * line / 2 + 0.36 * f.ts;
  f.canvas.text({r.x + r.w / 2, y}, cut(f, b.title, 1.1 * f.ts, Font::bold, width), 1.1 * f.ts, f.theme.ink,
                Align::center, Font::bold);
  for (const std::string& s : lines) {
    y += line;
    f.canvas.text({r.x + r.w / 2, y}, cut(f, s, f.ts, Font::ui, width), f.ts, f.theme.muted, Align::center);
  }
}

// A band with a head, level or upright.
std::vector<Point> band(Point from, Point to, double half, double head) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (!(length > 0)) return {};
  const double ux = (to.x - from.x) / length, uy = (to.y - from.y) / length;
  const double neck = std::max(0.0, length - head), wide = half + 0.45 * head;
  const auto p = [&](double along, double across) {
    return Point{from.x + ux * along - uy * across, from.y + uy * along + ux * across};
  };
  return {p(0, -half), p(neck, -half), p(neck, -wide), p(length, 0), p(neck, wide), p(neck, half), p(0, half)};
}

void draw_band(Frame& f, const Diagram::Arrow& a, Point from, Point to, double half) {
  const double head = 0.75 * f.ts;
  if (a.missing) {
    const double dashes[] = {3 * f.unit, 3 * f.unit};
    const Point line[] = {from, to};
    f.canvas.polyline(line, f.theme.muted, f.unit, dashes);
    return;
  }
  std::vector<Point> shape = band(from, to, half, head);
  if (shape.empty()) return;
  const Color inside =
      a.fill == Fill::solid ? a.color : mix(a.color, f.theme.ground, a.fill == Fill::half ? 0.45 : 0.8);
  // A canvas fills only convex shapes, so shaft and head are drawn separately.
  const std::vector<Point> shaft = {shape[0], shape[1], shape[5], shape[6]}, tip = {shape[2], shape[3], shape[4]};
  f.canvas.fill_polygon(shaft, inside);
  f.canvas.fill_polygon(tip, inside);
  if (a.fill == Fill::solid) return;
  shape.push_back(shape[0]);
  f.canvas.polyline(shape, a.color, std::max(1.0, 1.1 * f.unit));
}

// Words to the right of an upright arrow.
void draw_words_beside(Frame& f, const Diagram::Arrow& a, Point from, Point to, double half, double room) {
  const double line = 1.25 * f.ts, x = from.x + std::max(half, 0.45 * 0.75 * f.ts + half) + 0.5 * f.ts;
  std::vector<std::string> all = a.above;
  all.insert(all.end(), a.below.begin(), a.below.end());
  const double height = static_cast<double>(all.size()) * line, free = std::abs(to.y - from.y);
  if (height > free + 0.2 * f.ts) ++f.out.left_out;
  double y = (from.y + to.y) / 2 - height / 2 + 0.95 * f.ts;
  for (std::size_t k = 0; k < all.size(); ++k) {
    f.canvas.text({x, y}, cut(f, all[k], f.ts, Font::ui, room - (x - from.x)), f.ts,
                  k == 0 ? f.theme.ink : f.theme.muted);
    y += line;
  }
}

// Draws level text, unless it would cover other text; then it only counts it as left out.
void write(Frame& f, std::vector<Box>& taken, Point p, const std::string& s, Color c, Align align,
           Font font = Font::ui) {
  const double half = f.canvas.text_width(s, f.ts, font) / 2;
  const double x = align == Align::left ? p.x + half : align == Align::right ? p.x - half : p.x;
  const Box box{{x, p.y - 0.36 * f.ts}, half, 0.5 * f.ts, 0};
  for (const Box& other : taken)
    if (overlap(box, other)) ++f.out.left_out;
  taken.push_back(box);
  f.canvas.text(p, s, f.ts, c, align, font);
}

// Text at the middle of an arrow; above (and below) a horizontal arrow.
void draw_words(Frame& f, std::vector<Box>& taken, const Diagram::Arrow& a, Point from, Point to, double half) {
  const Point middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
  const double width = std::abs(to.x - from.x) - 0.3 * f.ts, line = 1.25 * f.ts,
               clear = std::max(half, 0.45 * 0.75 * f.ts + half);
  const auto words = [&](const std::vector<std::string>& list, bool up) {
    double y = up ? middle.y - clear - 0.5 * f.ts - (static_cast<double>(list.size()) - 1) * line
                  : middle.y + clear + 1.15 * f.ts;
    for (std::size_t k = 0; k < list.size(); ++k) {
      write(f, taken, {middle.x, y}, cut(f, list[k], f.ts, Font::ui, width), k == 0 ? f.theme.ink : f.theme.muted,
            Align::center);
      y += line;
    }
  };
  words(a.above, true);
  words(a.below, false);
}

// The note follows the heading; on a page it comes in lines below it.
void draw_heading(Frame& f, std::vector<Box>& taken, const Diagram::Heading& h, Point p, double right) {
  const std::string text = cut(f, h.text, f.ts, Font::bold, right - p.x);
  write(f, taken, p, text, f.theme.ink, Align::left, Font::bold);
  const double used = f.canvas.text_width(text, f.ts, Font::bold) + 0.7 * f.ts;
  if (!f.parts.page || used + f.canvas.text_width(h.note, f.ts) <= right - p.x) {
    write(f, taken, {p.x + used, p.y}, cut(f, h.note, f.ts, Font::ui, right - p.x - used), f.theme.muted, Align::left);
    return;
  }
  for (const std::string& line : wrapped(f.canvas, h.note, f.ts, Font::ui, right - p.x)) {
    p.y += 1.25 * f.ts;
    write(f, taken, p, line, f.theme.muted, Align::left);
  }
}

}  // namespace

void draw_diagram(Frame& f) {
  const bool narrow = f.parts.page && f.plot.tall && f.frame.w < 50 * f.ts;
  const Diagram& d = narrow ? *f.plot.tall : *f.plot.diagram;
  const double pad = std::min({0.9 * f.ts, f.frame.w * 0.04, f.frame.h * 0.04});
  Rect room{f.frame.x + pad, f.frame.y + pad, f.frame.w - 2 * pad, f.frame.h - 2 * pad - measure_foot(f)};
  room = draw_titles(f, room);
  f.out.area = room;
  draw_foot(f);
  if (room.w < 12 * f.ts || room.h < 6 * f.ts) {
    ++f.out.left_out;
    return;
  }
  const Space space{room, room.w / d.width, room.h / d.height};
  const double widest = std::min(0.9 * f.ts, room.h / d.height * 0.25);
  for (std::size_t k = 0; k < d.arrows.size(); ++k) {
    const Diagram::Arrow& a = d.arrows[k];
    const Point from = space.at(a.from), to = space.at(a.to);
    const double half = std::max(0.7 * f.unit, a.share * widest);
    draw_band(f, a, from, to, half);
    const double x = std::min(from.x, to.x), y = std::min(from.y, to.y), reach = half + f.ts;
    f.out.arrows.push_back({{x, y - reach, std::abs(to.x - from.x), std::abs(to.y - from.y) + 2 * reach}, k});
  }
  std::vector<Box> taken;
  for (const Diagram::Box& b : d.boxes) {
    draw_box(f, b, space.at(b.at));
    taken.push_back(box_of(space.at(b.at)));
  }
  for (const Diagram::Arrow& a : d.arrows) {
    const Point from = space.at(a.from), to = space.at(a.to);
    const double half = std::max(0.7 * f.unit, a.share * widest);
    if (std::abs(to.x - from.x) >= std::abs(to.y - from.y))
      draw_words(f, taken, a, from, to, half);
    else
      draw_words_beside(f, a, from, to, half, a.room * space.sx);
  }
  for (const Diagram::Heading& h : d.headings) draw_heading(f, taken, h, space.at(h.at), room.right());
}

}  // namespace warpspy::plot
