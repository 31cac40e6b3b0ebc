// Grid, axis lines, ticks, title, legend, colour bar.
#include <algorithm>
#include <cmath>

#include "core/plot/frame.hpp"
#include "core/plot/glyphs.hpp"
#include "core/plot/scale.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

bool covered_by_image(const Frame& f) { return !f.plot.images.empty(); }

// Ticks at 2 to 9 times the powers of ten, if decades are wide enough.
std::vector<double> minor_ticks(const Axis& a, double length, double ts) {
  std::vector<double> result;
  if (a.scale != Scale::log10) return result;
  const double decades = std::log10(a.max / a.min);
  if (length / decades < 3.5 * ts) return result;
  for (int k = static_cast<int>(std::floor(std::log10(a.min))); std::pow(10.0, k) < a.max; ++k)
    for (int m = 2; m < 10; ++m) {
      const double v = m * std::pow(10.0, k);
      if (v > a.min && v < a.max && !(a.integers && v < 1)) result.push_back(v);
    }
  return result;
}

void draw_x_ticks(Frame& f) {
  const Rect& area = f.out.area;
  const double bottom = crisp(area.bottom()), length = 0.35 * f.ts;
  for (double v : minor_ticks(f.out.x, area.w, f.ts)) {
    const double x = crisp(pixel_x(f.out.x, area, v));
    f.canvas.line({x, bottom}, {x, bottom + length * 0.55}, f.theme.hairline, f.unit * 0.8);
  }
  for (const Tick& t : f.x_ticks) {
    const double x = crisp(pixel_x(f.out.x, area, t.value));
    f.canvas.line({x, bottom}, {x, bottom + length}, f.theme.hairline, f.unit);
    if (f.x_upright)
      f.canvas.text({x + 0.36 * f.ts, bottom + 0.6 * f.ts}, cut(f, t.label, f.ts, Font::ui, f.x_tick_height), f.ts,
                    f.theme.muted, Align::right, Font::ui, true);
    else
      draw_rich(f.canvas, {x, bottom + 1.45 * f.ts}, t.label, f.ts, f.theme.muted, Align::center, f.theme.least_text);
  }
}

void draw_y_ticks(Frame& f, const Axis& axis, const std::vector<Tick>& list, bool right, Color color) {
  const Rect& area = f.out.area;
  const double x = crisp(right ? area.right() : area.x), sign = right ? 1 : -1, length = 0.35 * f.ts;
  if (!right)
    for (double v : minor_ticks(axis, area.h, f.ts)) {
      const double y = crisp(pixel_y(axis, area, v));
      f.canvas.line({x, y}, {x + sign * length * 0.55, y}, f.theme.hairline, f.unit * 0.8);
    }
  for (const Tick& t : list) {
    const double y = pixel_y(axis, area, t.value);
    f.canvas.line({x, crisp(y)}, {x + sign * length, crisp(y)}, f.theme.hairline, f.unit);
    draw_rich(f.canvas, {x + sign * 0.6 * f.ts, y + 0.36 * f.ts}, t.label, f.ts, color,
              right ? Align::left : Align::right, f.theme.least_text);
  }
}

// Splits the label into several lines, and keeps it between the header and the text below the figure.
void draw_upright_label(Frame& f, double x, double middle, const std::vector<std::string>& lines, Color c) {
  const double room = f.upright_bottom - f.upright_top;
  for (const std::string& line : lines) {
    // A longer label is cut, so that it does not leave the frame.
    const std::string s = cut(f, line, f.ts, Font::ui, room);
    const double half = f.canvas.text_width(s, f.ts) / 2;
    const double y = std::clamp(middle, f.upright_top + half, std::max(f.upright_top + half, f.upright_bottom - half));
    f.canvas.text({x, y}, s, f.ts, c, Align::center, Font::ui, true);
    x += kUprightLine * f.ts;
  }
}

void draw_axis_labels(Frame& f) {
  const Rect& area = f.out.area;
  double below = f.x_upright ? f.x_tick_height + 2.1 * f.ts : 3.05 * f.ts;
  for (const std::string& line : f.x_label) {
    const std::string s = cut(f, line, f.ts, Font::ui, f.frame.w - f.ts);
    // Centred below the axis unless that would leave the frame.
    const double half = f.canvas.text_width(s, f.ts) / 2;
    const double x =
        std::clamp(area.x + area.w / 2, f.frame.x + half, std::max(f.frame.x + half, f.frame.right() - half));
    f.canvas.text({x, area.bottom() + below}, s, f.ts, f.theme.ink, Align::center);
    below += 1.25 * f.ts;
  }
  const double middle = area.y + area.h / 2;
  const double more = kUprightLine * f.ts * (static_cast<double>(f.y_label.size()) - 1);
  draw_upright_label(f, area.x - f.y_tick_width - 1.25 * f.ts - more, middle, f.y_label, f.theme.ink);
  draw_upright_label(f, area.right() + f.y2_tick_width + 1.95 * f.ts, middle, f.y2_label, f.y2_color);
}

}  // namespace

void draw_axes(Frame& f) {
  if (!f.tick_labels || covered_by_image(f)) return;
  const Rect& area = f.out.area;
  for (const Tick& t : f.y_ticks) {
    const double y = crisp(pixel_y(f.out.y, area, t.value));
    f.canvas.line({area.x, y}, {area.right(), y}, f.theme.grid, f.unit);
  }
  // Vertical grid lines help only if x is read as exactly as y: on two log axes.
  if (f.out.x.scale != Scale::log10) return;
  for (const Tick& t : f.x_ticks) {
    if (f.out.x.integers && t.value < 1) continue;
    const double x = crisp(pixel_x(f.out.x, area, t.value));
    f.canvas.line({x, area.y}, {x, area.bottom()}, f.theme.grid, f.unit);
  }
}

void draw_frame(Frame& f) {
  const Rect& area = f.out.area;
  const double left = crisp(area.x), right = crisp(area.right()), top = crisp(area.y), bottom = crisp(area.bottom());
  if (covered_by_image(f)) {
    f.canvas.stroke_rect({left, top, right - left, bottom - top}, f.theme.hairline, f.unit);
  } else {
    const Point corner[] = {{left, area.y}, {left, bottom}, {area.right(), bottom}};
    f.canvas.polyline(corner, f.theme.hairline, f.unit);
    if (f.out.y2) f.canvas.line({right, area.y}, {right, bottom}, f.theme.hairline, f.unit);
  }
  for (const Series& s : f.plot.series)
    if (s.right_axis) f.y2_color = readable(s.color, f.theme);
  if (f.tick_labels) {
    draw_x_ticks(f);
    draw_y_ticks(f, f.out.y, f.y_ticks, false, f.theme.muted);
    if (f.out.y2) draw_y_ticks(f, *f.out.y2, f.y2_ticks, true, f.y2_color);
  }
  if (f.labels) draw_axis_labels(f);
  draw_top_labels(f);
}

void draw_header(Frame& f) {
  double y = f.header_y;
  const double room = f.frame.right() - f.header_x - 0.5 * f.ts, size = 1.15 * f.ts;
  for (const std::string& line : f.title_lines) {
    f.canvas.text({f.header_x, y + size}, cut(f, line, size, Font::bold, room), size, f.theme.ink, Align::left,
                  Font::bold);
    y += (&line == &f.title_lines.back() ? 1.55 : 1.4) * f.ts;
  }
  for (const std::string& line : f.subtitle_lines) {
    f.canvas.text({f.header_x, y + f.ts}, cut(f, line, f.ts, Font::ui, room), f.ts, f.theme.muted);
    y += 1.3 * f.ts;
  }
}

void draw_colorbar(Frame& f) {
  if (f.colorbar_width == 0 || !f.plot.colorbar || f.plot.colorbar->rgba.empty()) return;
  const ColorBar& bar = *f.plot.colorbar;
  const Rect& area = f.out.area;
  const double height = std::min(area.h, std::max(14 * f.ts, area.h * 0.5));
  const Rect r{crisp(area.right() + 1.2 * f.ts), crisp(area.bottom() - height), std::floor(0.9 * f.ts),
               std::floor(height)};
  std::vector<std::uint32_t> top_down(bar.rgba.rbegin(), bar.rgba.rend());
  f.canvas.image(r, 1, static_cast<int>(top_down.size()), top_down);
  f.canvas.stroke_rect(r, f.theme.hairline, f.unit);
  double width = 0;
  double last = 1e300;
  if (f.tick_labels)
    for (const auto& [at, label] : bar.ticks) {
      if (!(at >= 0 && at <= 1)) continue;
      const double y = r.bottom() - at * r.h;
      if (last - y < 1.2 * f.ts) continue;  // two ticks would touch, so only the lower one is drawn
      last = y;
      f.canvas.line({r.right(), y}, {r.right() + 0.3 * f.ts, y}, f.theme.hairline, f.unit);
      draw_rich(f.canvas, {r.right() + 0.5 * f.ts, y + 0.36 * f.ts}, label, f.ts, f.theme.muted, Align::left,
                f.theme.least_text);
      width = std::max(width, rich_width(f.canvas, label, f.ts, f.theme.least_text));
    }
  if (!f.labels) return;
  const double x = r.right() + 0.5 * f.ts + width + 1.5 * f.ts;
  if (f.parts.page) return draw_upright_label(f, x, r.y + r.h / 2, f.bar_label, f.theme.ink);
  for (const std::string& label : f.bar_label)
    f.canvas.text({x, r.y + r.h / 2}, cut(f, label, f.ts, Font::ui, area.h), f.ts, f.theme.ink, Align::center, Font::ui,
                  true);
}

}  // namespace warpspy::plot
