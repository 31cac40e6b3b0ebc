// Images, series, notes.
#include <algorithm>
#include <cmath>

#include "core/plot/frame.hpp"
#include "core/plot/glyphs.hpp"
#include "core/plot/scale.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {

bool finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }
std::size_t points_of(const Series& s) { return std::min(s.x.size(), s.y.size()); }
double line_width(const Frame& f, const Series& s) { return s.width * f.unit; }

std::vector<std::vector<Point>> runs_of(const Frame& f, const Series& s) {
  std::vector<std::vector<Point>> result(1);
  for (std::size_t k = 0; k < points_of(s); ++k) {
    const Point p = f.pixel(s, s.x[k], s.y[k]);
    if (finite(p))
      result.back().push_back(p);
    else if (!result.back().empty())
      result.emplace_back();
  }
  if (result.back().empty()) result.pop_back();
  return result;
}

std::optional<std::pair<Point, Point>> shaft_of(const Frame& f, const Arrow& arrow) {
  const Point a = f.out.to_pixel(arrow.x0, arrow.y0), b = f.out.to_pixel(arrow.x1, arrow.y1);
  const double length = std::hypot(b.x - a.x, b.y - a.y), gap = arrow.gap * f.unit;
  if (!finite(a) || !finite(b) || length <= 2 * gap + f.unit) return std::nullopt;
  const double ux = (b.x - a.x) / length * gap, uy = (b.y - a.y) / length * gap;
  return std::pair(Point{a.x + ux, a.y + uy}, Point{b.x - ux, b.y - uy});
}

namespace {

void draw_arrow(Frame& f, const Arrow& arrow) {
  const auto shaft = shaft_of(f, arrow);
  if (!shaft) return;
  const auto [a, b] = *shaft;
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const double head = std::min(9 * f.unit, length), half = head * 0.42;
  const double ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
  const Point neck{b.x - ux * head * 0.8, b.y - uy * head * 0.8}, foot{b.x - ux * head, b.y - uy * head};
  f.canvas.line(a, neck, arrow.color, arrow.width * f.unit);
  const Point tip[] = {b, {foot.x - uy * half, foot.y + ux * half}, {foot.x + uy * half, foot.y - ux * half}};
  f.canvas.fill_polygon(tip, arrow.color);
}

void stroke(Frame& f, const Series& s, std::span<const Point> points) {
  if (s.width <= 0) return;  // for a label without a line
  const double dashes[] = {5 * f.unit, 3.5 * f.unit};
  f.canvas.polyline(points, s.color, line_width(f, s),
                    s.dashed ? std::span<const double>(dashes) : std::span<const double>());
}

void draw_line(Frame& f, const Series& s) {
  for (const auto& run : runs_of(f, s))
    if (run.size() > 1) stroke(f, s, run);
  if (s.mark == Mark::none) return;
  for (const auto& run : runs_of(f, s))
    for (Point p : run) draw_mark(f.canvas, p, s.mark, s.fill, 0.3 * f.ts, s.color, f.theme.ground);
}

void draw_area(Frame& f, const Series& s) {
  for (auto run : runs_of(f, s)) {
    if (run.size() < 2) continue;
    const double base = f.out.area.bottom();
    run.push_back({run.back().x, base});
    run.push_back({run.front().x, base});
    f.canvas.fill_polygon(run, s.color);
  }
}

void draw_points(Frame& f, const Series& s) {
  const Rect& area = f.out.area;
  for (std::size_t k = 0; k < points_of(s); ++k) {
    const Point p = f.pixel(s, s.x[k], s.y[k]);
    if (!finite(p)) continue;
    // A mark outside the data area is not drawn, not even in part, and the mouse does not find it.
    const double slack = 0.5;
    if (p.x < area.x - slack || p.x > area.right() + slack || p.y < area.y - slack || p.y > area.bottom() + slack)
      continue;
    draw_mark(f.canvas, p, s.mark, s.fill, line_width(f, s), s.color, f.theme.ground);
  }
}

void draw_bars(Frame& f, const Series& s) {
  const Rect& area = f.out.area;
  for (std::size_t k = 0; k + 1 < s.x.size() && k < s.y.size(); ++k) {
    double left = pixel_x(f.out.x, area, s.x[k]), right = pixel_x(f.out.x, area, s.x[k + 1]);
    const double top = pixel_y(f.y_axis(s), area, s.y[k]);
    if (!std::isfinite(left) || !std::isfinite(right) || !std::isfinite(top)) continue;
    if (left > right) std::swap(left, right);
    const double foot = s.base == 0 ? area.bottom() : pixel_y(f.y_axis(s), area, s.base);
    const Rect column{left, std::min(top, foot), right - left, std::max(0.0, foot - top)};
    f.out.bars.emplace_back(column, k);
    if (column.h <= 0) continue;
    // A hairline of ground keeps wide bars apart.
    const double gap = column.w > 3 * f.unit && !s.joined ? f.unit * 0.8 : 0;
    if (s.joined) {  // on whole pixels, so that no gap is visible
      const double x0 = std::round(column.x), x1 = std::round(column.right());
      f.canvas.fill_rect({x0, column.y, x1 - x0, column.h}, s.color);
      continue;
    }
    const Rect bar{column.x, column.y, column.w - gap, column.h};
    if (s.fill == Fill::solid) {
      f.canvas.fill_rect(bar, s.color);
      continue;
    }
    // A pale fill with an outline; derived values are half as pale.
    const double edge = std::max(1.0, 1.2 * f.unit);
    f.canvas.fill_rect(bar, mix(s.color, f.theme.ground, s.fill == Fill::half ? 0.45 : 0.8));
    if (bar.w > 2 * edge && bar.h > 2 * edge)
      f.canvas.stroke_rect({bar.x + edge / 2, bar.y + edge / 2, bar.w - edge, bar.h - edge}, s.color, edge);
  }
}

void draw_one(Frame& f, const Series& s) {
  const Rect& area = f.out.area;
  switch (s.kind) {
    case Series::Kind::line:
      return draw_line(f, s);
    case Series::Kind::area:
      return draw_area(f, s);
    case Series::Kind::points:
      return draw_points(f, s);
    case Series::Kind::bars:
      return draw_bars(f, s);
    case Series::Kind::vline:
      for (double v : s.x) {
        const double x = crisp(pixel_x(f.out.x, area, v));
        const Point p[] = {{x, area.y}, {x, area.bottom()}};
        if (std::isfinite(x)) stroke(f, s, p);
      }
      return;
    case Series::Kind::hline:
      for (double v : s.y) {
        const double y = crisp(pixel_y(f.y_axis(s), area, v));
        const Point p[] = {{area.x, y}, {area.right(), y}};
        if (std::isfinite(y)) stroke(f, s, p);
      }
      return;
  }
}

void draw_cell_texts(Frame& f) {
  const Axis &x = f.out.x, &y = f.out.y;
  const double w = f.out.area.w / (x.max - x.min), h = f.out.area.h / (y.max - y.min);
  const auto fits = [&](double size) {
    double widest = 0;
    for (const CellText& c : f.plot.cell_texts) widest = std::max(widest, f.canvas.text_width(c.text, size));
    return widest + (f.parts.page ? 0.3 : 0.5) * f.ts <= w && 1.25 * size <= h;
  };
  double size = f.small(0.92);
  if (f.parts.page && !fits(size)) size = f.small(0.7);
  if (!fits(size)) return;
  for (const CellText& c : f.plot.cell_texts) {
    const Point p = f.out.to_pixel(c.x, c.y);
    f.canvas.text({p.x, p.y + 0.36 * size}, c.text, size, c.color, Align::center);
  }
}

}  // namespace

void find_marks(Frame& f) {
  const Rect& area = f.out.area;
  f.out.marks.clear();
  for (std::size_t index = 0; index < f.plot.series.size(); ++index) {
    const Series& s = f.plot.series[index];
    for (std::size_t k = 0; s.kind == Series::Kind::points && k < points_of(s); ++k) {
      const Point p = f.pixel(s, s.x[k], s.y[k]);
      if (!finite(p) || p.x < area.x || p.x > area.right() || p.y < area.y || p.y > area.bottom()) continue;
      f.out.marks.push_back({index, k, k < s.ids.size() ? s.ids[k] : 0, p, k < s.parts.size() ? s.parts[k] : 0});
    }
  }
}

void draw_series(Frame& f) {
  const Rect& area = f.out.area;
  f.canvas.push_clip(area);
  for (const Image& image : f.plot.images) {
    const auto pixels = image.rgba;
    if (!pixels || image.width < 1 || image.height < 1) continue;
    if (pixels->size() < static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height)) continue;
    const Point a = f.out.to_pixel(image.x0, image.y0), b = f.out.to_pixel(image.x1, image.y1);
    f.canvas.image({a.x, a.y, b.x - a.x, b.y - a.y}, image.width, image.height, *pixels);
  }
  const auto is_points = [](const Series& s) { return s.kind == Series::Kind::points; };
  for (std::size_t k = 0; k < f.plot.series.size(); ++k)
    if (!is_points(f.plot.series[k])) draw_one(f, f.plot.series[k]);
  for (const Arrow& arrow : f.plot.arrows) draw_arrow(f, arrow);
  draw_cell_texts(f);
  f.canvas.pop_clip();
  // A mark at the edge of the data area is drawn whole, so its clip rectangle is wider.
  const double reach = 0.8 * f.ts;
  f.canvas.push_clip({area.x - reach, area.y - reach, area.w + 2 * reach, area.h + 2 * reach});
  for (std::size_t k = 0; k < f.plot.series.size(); ++k)
    if (is_points(f.plot.series[k])) draw_one(f, f.plot.series[k]);
  f.canvas.pop_clip();
  draw_words(f);
}

}  // namespace warpspy::plot
