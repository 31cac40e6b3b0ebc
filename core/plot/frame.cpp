// Margins, ticks and the data area.
#include "core/plot/frame.hpp"

#include <algorithm>
#include <cmath>

#include "core/plot/glyphs.hpp"
#include "core/plot/scale.hpp"

namespace warpspy::plot {

Point Frame::pixel(const Series& s, double vx, double vy) const {
  return {pixel_x(out.x, out.area, vx), pixel_y(y_axis(s), out.area, vy)};
}

std::string cut(Frame& f, const std::string& s, double size, Font font, double width) {
  std::string fits = fitted(f.canvas, s, size, font, width);
  if (fits != s) ++f.out.left_out;
  return fits;
}

std::vector<std::string> lines_of(Frame& f, const std::string& s, double size, Font font, double width) {
  if (!f.parts.page) return {s};
  return wrapped(f.canvas, s, size, font, width);
}

namespace {

int most_ticks(double length, double each) { return std::clamp(static_cast<int>(length / each), 2, 8); }
// Category names get a tick each, as close as lines of text; numbers get a rounded number of ticks.
int most_y_ticks(const Axis& axis, double height, double size) {
  if (axis.categories.empty()) return most_ticks(height, 4.2 * size);
  return std::max(2, static_cast<int>(height / (1.6 * size)));
}

// Rounds a margin up to half a text size. So it does not change with every new label, nor between versions of a font.
double coarse(double width, double size) { return std::ceil(width / (size / 2) + 0.1) * (size / 2); }

double widest(const Frame& f, const std::vector<Tick>& list) {
  double width = 0;
  for (const Tick& t : list) width = std::max(width, rich_width(f.canvas, t.label, f.ts, f.theme.least_text));
  return coarse(width, f.ts);
}

// Names are all wanted; of numbers some do.
bool has_names(const Axis& axis) {
  return std::any_of(axis.categories.begin(), axis.categories.end(),
                     [](const std::string& s) { return s.find_first_not_of("0123456789.") != std::string::npos; });
}

// Uses fewer ticks until their labels no longer touch.
std::vector<Tick> x_ticks_for(const Frame& f, double width) {
  if (f.x_upright) return ticks(f.out.x, std::max(1, static_cast<int>(width / (1.1 * f.ts))));
  // Every category has a name while there is room.
  const int names = static_cast<int>(f.out.x.categories.size());
  for (int most = std::max(names, most_ticks(width, 5 * f.ts));; --most) {
    std::vector<Tick> list = ticks(f.out.x, most);
    const double need = widest(f, list) + f.ts;
    for (const auto& [value, label] : f.out.x.named) list.insert(list.begin(), {value, label});
    if (list.size() < 2 || (most <= 2 && !f.parts.page)) return list;
    double gap = 1e300;
    for (std::size_t k = 1; k < list.size(); ++k)
      gap = std::min(gap, width * std::abs(fraction(f.out.x, list[k].value) - fraction(f.out.x, list[k - 1].value)));
    if (gap >= need) return list;
    if (most > 2) continue;
    // If two would touch, the first one is enough to mark the axis.
    return {list.front()};
  }
}

void count_left_out(Frame& f, const Axis& axis, const std::vector<Tick>& list) {
  if (has_names(axis) && list.size() < axis.categories.size()) f.out.left_out += axis.categories.size() - list.size();
}

// Upright names need only the room of a line of text each.
void stand_up(Frame& f, double width) {
  f.x_upright = false;
  const bool may = f.plot.x.upright || (f.parts.page && has_names(f.plot.x));
  if (!may || !f.tick_labels || f.out.x.categories.empty()) return;
  double widest_name = 0;
  for (const std::string& name : f.out.x.categories)
    widest_name = std::max(widest_name, f.canvas.text_width(name, f.ts));
  const double each = width / static_cast<double>(f.out.x.categories.size());
  if (coarse(widest_name, f.ts) + f.ts <= each) return;  // the same condition as in x_ticks_for()
  f.x_upright = true;
  f.x_tick_height = coarse(f.parts.page ? widest_name : std::min(widest_name, f.frame.h * 0.4), f.ts);
}

void choose_parts(Frame& f) {
  if (f.parts.page) {
    f.tick_labels = f.labels = f.line_labels = true;
    f.title = f.parts.titles && !f.plot.title.empty();
    f.subtitle = f.parts.titles && !f.plot.subtitle.empty();
    f.legend = f.plot.legend && f.parts.legend;
    return;
  }
  const double rows = f.frame.h / f.ts, columns = f.frame.w / f.ts;
  f.tick_labels = rows >= 6 && columns >= 10;
  f.labels = rows >= 10 && columns >= 14;
  f.line_labels = rows >= 16 && columns >= 26;
  f.title = f.parts.titles && !f.plot.title.empty() && rows >= 9 && columns >= 12;
  f.subtitle = f.parts.titles && !f.plot.subtitle.empty() && rows >= 13 && columns >= 16;
  f.legend = f.plot.legend && f.parts.legend && rows >= 16 && columns >= 20;
}

// The width that an upright label takes.
double upright_width(const Frame& f, const std::vector<std::string>& lines) {
  return lines.empty() ? 0 : (1.7 + kUprightLine * static_cast<double>(lines.size() - 1)) * f.ts;
}

// Splits upright labels to fit the height between header and foot on a page, or the frame's height on a screen.
void break_upright_labels(Frame& f) {
  const auto lines = [&](const std::string& label) {
    if (!f.labels || label.empty()) return std::vector<std::string>{};
    return lines_of(f, label, f.ts, Font::ui, f.upright_bottom - f.upright_top);
  };
  f.y_label = lines(f.plot.y.label);
  f.y2_label = f.plot.y2 ? lines(f.plot.y2->label) : std::vector<std::string>{};
  f.bar_label = f.plot.colorbar ? lines(f.plot.colorbar->label) : std::vector<std::string>{};
}

void measure_colorbar(Frame& f) {
  if (!f.plot.colorbar || has_classes(f) || f.frame.w < 16 * f.ts) return;
  double width = 0;
  for (const auto& tick : f.plot.colorbar->ticks)
    width = std::max(width, rich_width(f.canvas, tick.second, f.ts, f.theme.least_text));
  width = coarse(width, f.ts);
  f.colorbar_width = (1.2 + 0.9 + 0.5) * f.ts + (f.tick_labels ? width : 0) + upright_width(f, f.bar_label);
}

// How far the last label of the x axis reaches beyond the frame.
double overhang_of(const Frame& f, const Rect& area) {
  if (f.x_upright) return 0;
  double reach = 0;
  for (const Tick& t : x_ticks_for(f, area.w))
    reach = std::max(reach, pixel_x(f.out.x, area, t.value) +
                                rich_width(f.canvas, t.label, f.ts, f.theme.least_text) / 2 - f.frame.right() + 2);
  return std::max(0.0, reach);
}

// Makes a unit of x as long as a unit of y. A very long or flat matrix keeps a visible strip.
void make_square(const Frame& f, Rect& area) {
  const double aspect = (f.out.x.max - f.out.x.min) / (f.out.y.max - f.out.y.min);
  const double least = 2 * f.ts;
  if (area.w > area.h * aspect) {
    const double w = std::min(area.w, std::max(least, area.h * aspect));
    area.x += (area.w - w) / 2;
    area.w = w;
  } else {
    area.h = std::min(area.h, std::max(least, area.w / aspect));
  }
}

// Rounds to whole pixels, so that bars and pictures touch the axes.
Rect in_whole_pixels(const Rect& area) {
  const double x = std::round(area.x), y = std::round(area.y);
  return {x, y, std::max(1.0, std::round(area.right()) - x), std::max(1.0, std::round(area.bottom()) - y)};
}

}  // namespace

void measure(Frame& f) {
  f.out = {};
  choose_parts(f);
  f.out.x = sane(f.plot.x), f.out.y = sane(f.plot.y);
  // Upright numbers need more height.
  if (f.upright_notes) f.out.y.max += 0.14 * (f.out.y.max - f.out.y.min);
  if (f.plot.y2) f.out.y2 = sane(*f.plot.y2);
  const double pad = std::min({0.9 * f.ts, f.frame.w * 0.04, f.frame.h * 0.04});
  const double inside = f.frame.w - 2 * pad, right_edge = f.frame.right() - pad;
  const auto height_of = [&](std::size_t lines, double first, double more) {
    return lines == 0 ? 0 : (first + more * static_cast<double>(lines - 1)) * f.ts;
  };
  f.title_lines = f.title ? lines_of(f, f.plot.title, 1.15 * f.ts, Font::bold, inside) : std::vector<std::string>{};
  f.subtitle_lines = f.subtitle ? lines_of(f, f.plot.subtitle, f.ts, Font::ui, inside) : std::vector<std::string>{};
  f.x_label = f.labels && !f.plot.x.label.empty() ? lines_of(f, f.plot.x.label, f.ts, Font::ui, f.frame.w - f.ts)
                                                  : std::vector<std::string>{};
  const double top =
      f.frame.y + pad + height_of(f.title_lines.size(), 1.55, 1.4) + height_of(f.subtitle_lines.size(), 1.5, 1.3);
  f.header_y = f.frame.y + pad;

  // On a page the legend is below, so its height does not depend on the width of the data area.
  if (f.parts.page) f.legend_layout = flow_legend(f, inside);
  const double below = f.parts.page && !f.legend_layout.empty() ? legend_height(f) + 0.5 * f.ts : 0;
  const double foot = measure_foot(f);
  f.upright_top = f.parts.page ? top + 0.3 * f.ts : f.frame.y;
  f.upright_bottom = f.parts.page ? f.frame.bottom() - pad - foot - below : f.frame.bottom();
  if (!f.parts.page) f.upright_top += 0.5 * f.ts, f.upright_bottom -= 0.5 * f.ts;
  break_upright_labels(f);
  measure_colorbar(f);
  const double lowest =
      f.frame.bottom() - pad - foot - below - (f.tick_labels ? 1.6 * f.ts : 0) - height_of(f.x_label.size(), 1.5, 1.25);
  double bottom = lowest;

  // The width of the y labels depends on their number, which depends on the height. The height depends on the lines of
  // the legend, and those on the width. Two rounds are enough.
  Rect area;
  double left_margin = 0, above = 0, top_labels = 0, overhang = 0;
  const auto area_top = [&] {
    return top + above + top_labels + (f.title || above > 0 || f.tick_labels ? 0.5 * f.ts : 0);
  };
  for (int round = 0; round < (f.parts.page ? 3 : 2); ++round) {
    const double height = std::max(1.0, bottom - area_top());
    const int most = most_ticks(height, 4.2 * f.ts);
    f.y_ticks = ticks(f.out.y, most_y_ticks(f.out.y, height, f.ts));
    f.y2_ticks = f.out.y2 ? ticks(*f.out.y2, most) : std::vector<Tick>{};
    f.y_tick_width = f.tick_labels ? widest(f, f.y_ticks) : 0;
    f.y2_tick_width = f.tick_labels ? widest(f, f.y2_ticks) : 0;
    left_margin = upright_width(f, f.y_label) + (f.tick_labels ? f.y_tick_width + 0.6 * f.ts : 0);
    const double left = f.frame.x + pad + left_margin;
    double right = right_edge - f.colorbar_width - overhang;
    if (f.out.y2)
      right -= (f.tick_labels ? f.y2_tick_width + 0.6 * f.ts : 0) + upright_width(f, f.y2_label);
    else if (f.tick_labels && f.colorbar_width == 0)
      right -= 0.8 * f.ts;  // half of the last x label
    area = {left, area_top(), std::max(1.0, right - left), height};
    stand_up(f, area.w);
    bottom = lowest - (f.x_upright ? std::max(0.0, f.x_tick_height - 0.6 * f.ts) : 0);
    top_labels = line_up_top_labels(f, area);
    if (f.parts.page) {
      overhang += overhang_of(f, area);
    } else {
      f.legend_layout = flow_legend(f, area.w);
      above = legend_height(f);
    }
  }
  area.h = std::max(1.0, bottom - area_top());
  area.y = std::min(area_top(), bottom - area.h);
  if (f.plot.square_cells) make_square(f, area);
  f.out.area = area = in_whole_pixels(area);
  f.header_x = f.parts.page ? f.frame.x + pad : std::max(f.frame.x + pad, area.x - left_margin);
  f.legend_x = f.parts.page ? f.frame.x + pad : area.x;
  f.legend_y = f.parts.page ? f.frame.bottom() - pad - foot - below + 0.5 * f.ts : top;
  if (top_labels > 0) line_up_top_labels(f, area);
  f.x_ticks = x_ticks_for(f, area.w);
  if (f.plot.square_cells) f.y_ticks = ticks(f.out.y, most_y_ticks(f.out.y, area.h, f.ts));
  count_left_out(f, f.out.x, f.x_ticks), count_left_out(f, f.out.y, f.y_ticks);
  f.y2_color = f.theme.muted;
}

}  // namespace warpspy::plot
