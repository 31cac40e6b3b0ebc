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

namespace {

int most_ticks(double length, double each) { return std::clamp(static_cast<int>(length / each), 2, 9); }

double widest(const Canvas& canvas, const std::vector<Tick>& list, double size) {
  double width = 0;
  for (const Tick& t : list) width = std::max(width, rich_width(canvas, t.label, size));
  return width;
}

// Tick labels side by side must not touch: fewer ticks until they do not.
std::vector<Tick> x_ticks_for(const Frame& f, double width) {
  for (int most = most_ticks(width, 5 * f.ts);; --most) {
    std::vector<Tick> list = ticks(f.out.x, most);
    const double need = widest(f.canvas, list, f.ts) + f.ts;
    for (const auto& [value, label] : f.out.x.named) list.insert(list.begin(), {value, label});
    if (most <= 2 || list.size() < 2) return list;
    double gap = 1e300;
    for (std::size_t k = 1; k < list.size(); ++k)
      gap = std::min(gap, width * std::abs(fraction(f.out.x, list[k].value) - fraction(f.out.x, list[k - 1].value)));
    if (gap >= need) return list;
  }
}

void choose_parts(Frame& f) {
  const double rows = f.frame.h / f.ts, columns = f.frame.w / f.ts;
  f.tick_labels = rows >= 6 && columns >= 10;
  f.labels = rows >= 10 && columns >= 14;
  f.title = !f.plot.title.empty() && rows >= 9 && columns >= 12;
  f.subtitle = !f.plot.subtitle.empty() && rows >= 13 && columns >= 16;
  f.legend = f.plot.legend && rows >= 16 && columns >= 20;
}

double legend_entry_width(const Frame& f, const Series& s) { return 2 * f.ts + f.canvas.text_width(s.name, f.ts); }

// Returns the height of the legend, whose entries flow into lines of the given width.
double flow_legend(Frame& f, double width) {
  f.legend_layout = {};
  if (!f.legend) return 0;
  for (std::size_t k = 0; k < f.plot.series.size(); ++k)
    if (!f.plot.series[k].name.empty()) f.legend_layout.entries.push_back(k);
  double x = 0;
  for (std::size_t k : f.legend_layout.entries) {
    const double w = legend_entry_width(f, f.plot.series[k]);
    if (f.legend_layout.rows.empty() || x + w > width) f.legend_layout.rows.emplace_back(), x = 0;
    f.legend_layout.rows.back().push_back(k);
    x += w + 1.4 * f.ts;
  }
  // A legend that fills the frame is no help: hover and table name every mark.
  const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>(f.frame.h / f.ts / 10));
  if (f.legend_layout.rows.size() > most) f.legend_layout.rows.resize(most);
  return static_cast<double>(f.legend_layout.rows.size()) * 1.6 * f.ts;
}

// Lays the labels of vertical lines out above the area. Returns the number of rows they take.
int stack_top_labels(Frame& f, const Rect& area) {
  f.top_labels.clear();
  if (!f.labels) return 0;
  for (std::size_t k = 0; k < f.plot.series.size(); ++k) {
    const Series& s = f.plot.series[k];
    if (s.kind != Series::Kind::vline || s.label.empty() || s.x.empty()) continue;
    const double t = fraction(f.out.x, s.x[0]);
    if (!(t >= 0 && t <= 1)) continue;
    const double width = f.canvas.text_width(s.label, f.ts);
    // Kept within the area, so that a line at its edge does not push its label out of the frame.
    const double half = width / 2;
    const double x = std::clamp(area.x + t * area.w, area.x + half, std::max(area.x + half, area.right() - half));
    f.top_labels.push_back({k, x, width, 0});
  }
  std::sort(f.top_labels.begin(), f.top_labels.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  std::vector<double> ends;
  for (TopLabel& label : f.top_labels) {
    const double left = label.x - label.width / 2 - 0.6 * f.ts;
    while (label.row < static_cast<int>(ends.size()) && ends[label.row] > left) ++label.row;
    if (label.row == static_cast<int>(ends.size())) ends.push_back(0);
    ends[label.row] = label.x + label.width / 2;
  }
  return static_cast<int>(ends.size());
}

void measure_colorbar(Frame& f) {
  if (!f.plot.colorbar || f.frame.w < 16 * f.ts) return;
  double width = 0;
  for (const auto& tick : f.plot.colorbar->ticks) width = std::max(width, rich_width(f.canvas, tick.second, f.ts));
  f.colorbar_width = (1.2 + 0.9 + 0.5) * f.ts + (f.tick_labels ? width : 0) +
                     (f.labels && !f.plot.colorbar->label.empty() ? 1.7 * f.ts : 0);
}

// One unit of x as long as one of y; a very long or flat matrix keeps a strip that can still be seen.
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

}  // namespace

void measure(Frame& f) {
  choose_parts(f);
  f.out.x = sane(f.plot.x), f.out.y = sane(f.plot.y);
  if (f.plot.y2) f.out.y2 = sane(*f.plot.y2);
  measure_colorbar(f);

  const double pad = std::min({0.9 * f.ts, f.frame.w * 0.04, f.frame.h * 0.04});
  const double right_edge = f.frame.right() - pad;
  double top = f.frame.y + pad;
  if (f.title) top += 1.55 * f.ts;
  if (f.subtitle) top += 1.5 * f.ts;
  f.header_y = f.frame.y + pad;

  double bottom = f.frame.bottom() - pad;
  if (f.tick_labels) bottom -= 1.6 * f.ts;
  if (f.labels && !f.plot.x.label.empty()) bottom -= 1.5 * f.ts;

  // The width of the y ticks' labels depends on their number, that on the height; the height on the legend's lines, and
  // those on the width. Two rounds settle it.
  Rect area;
  double left_margin = 0;
  double legend_height = 0;
  int label_rows = 0;
  for (int round = 0; round < 2; ++round) {
    const double area_top = top + legend_height + label_rows * 1.35 * f.ts +
                            (f.title || legend_height > 0 || f.tick_labels ? 0.5 * f.ts : 0);
    const double height = std::max(1.0, bottom - area_top);
    const int most = most_ticks(height, 3.2 * f.ts);
    f.y_ticks = ticks(f.out.y, most);
    f.y2_ticks = f.out.y2 ? ticks(*f.out.y2, most) : std::vector<Tick>{};
    f.y_tick_width = f.tick_labels ? widest(f.canvas, f.y_ticks, f.ts) : 0;
    f.y2_tick_width = f.tick_labels ? widest(f.canvas, f.y2_ticks, f.ts) : 0;
    const bool y_label = f.labels && !f.plot.y.label.empty();
    left_margin = (y_label ? 1.7 * f.ts : 0) + (f.tick_labels ? f.y_tick_width + 0.6 * f.ts : 0);
    const double left = f.frame.x + pad + left_margin;
    double right = right_edge - f.colorbar_width;
    if (f.out.y2)
      right -=
          (f.tick_labels ? f.y2_tick_width + 0.6 * f.ts : 0) + (f.labels && !f.plot.y2->label.empty() ? 1.7 * f.ts : 0);
    else if (f.tick_labels && f.colorbar_width == 0)
      right -= 0.8 * f.ts;  // half of the last x label
    area = {left, area_top, std::max(1.0, right - left), height};
    legend_height = flow_legend(f, area.w);
    label_rows = stack_top_labels(f, area);
  }
  const double area_top =
      top + legend_height + label_rows * 1.35 * f.ts + (f.title || legend_height > 0 || f.tick_labels ? 0.5 * f.ts : 0);
  area.h = std::max(1.0, bottom - area_top);
  area.y = std::min(area_top, bottom - area.h);
  if (f.plot.square_cells) make_square(f, area);
  f.out.area = area;
  f.header_x = std::max(f.frame.x + pad, area.x - left_margin);
  f.x_ticks = x_ticks_for(f, area.w);
  if (f.plot.square_cells) f.y_ticks = ticks(f.out.y, most_ticks(area.h, 3.2 * f.ts));
  f.y2_color = f.theme.muted;
}

}  // namespace warpspy::plot
