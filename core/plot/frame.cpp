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

int most_ticks(double length, double each) { return std::clamp(static_cast<int>(length / each), 2, 8); }
// Names are wanted one by one, as close as lines of text; round numbers in between are guessed.
int most_y_ticks(const Axis& axis, double height, double size) {
  if (axis.categories.empty()) return most_ticks(height, 4.2 * size);
  return std::max(2, static_cast<int>(height / (1.6 * size)));
}

// A margin in steps of half a text size: it neither trembles while an axis changes nor differs between two versions of
// a face whose digits differ by a hair.
double coarse(double width, double size) { return std::ceil(width / (size / 2) + 0.1) * (size / 2); }

double widest(const Canvas& canvas, const std::vector<Tick>& list, double size) {
  double width = 0;
  for (const Tick& t : list) width = std::max(width, rich_width(canvas, t.label, size));
  return coarse(width, size);
}

// Tick labels side by side must not touch: fewer ticks until they do not.
std::vector<Tick> x_ticks_for(const Frame& f, double width) {
  if (f.x_upright) return ticks(f.out.x, std::max(1, static_cast<int>(width / (1.1 * f.ts))));
  // Names are wanted one by one while there is room.
  const int names = static_cast<int>(f.out.x.categories.size());
  for (int most = std::max(names, most_ticks(width, 5 * f.ts));; --most) {
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

// Names that stand upright need no more room than a line of text each.
void stand_up(Frame& f, double width) {
  f.x_upright = false;
  if (!f.plot.x.upright || !f.tick_labels || f.out.x.categories.empty()) return;
  double widest_name = 0;
  for (const std::string& name : f.out.x.categories)
    widest_name = std::max(widest_name, f.canvas.text_width(name, f.ts));
  const double each = width / static_cast<double>(f.out.x.categories.size());
  if (widest_name + 0.6 * f.ts <= each) return;
  f.x_upright = true;
  f.x_tick_height = coarse(std::min(widest_name, f.frame.h * 0.4), f.ts);
}

void choose_parts(Frame& f) {
  const double rows = f.frame.h / f.ts, columns = f.frame.w / f.ts;
  f.tick_labels = rows >= 6 && columns >= 10;
  f.labels = rows >= 10 && columns >= 14;
  f.line_labels = rows >= 16 && columns >= 26;
  f.title = f.parts.titles && !f.plot.title.empty() && rows >= 9 && columns >= 12;
  f.subtitle = f.parts.titles && !f.plot.subtitle.empty() && rows >= 13 && columns >= 16;
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

// Puts the labels of vertical lines above the area, merging those that would touch. True when there are any.
bool line_up_top_labels(Frame& f, const Rect& area) {
  f.top_labels.clear();
  if (!f.labels) return false;
  const auto settle = [&](TopLabel& label) {
    label.width = f.canvas.text_width(label.text, f.ts);
    double x = 0;
    for (std::size_t k : label.series) x += pixel_x(f.out.x, area, f.plot.series[k].x[0]);
    // Kept within the area, so that a line at its edge does not push its label out of the frame.
    const double half = label.width / 2;
    label.x = std::clamp(x / static_cast<double>(label.series.size()), area.x + half,
                         std::max(area.x + half, area.right() - half));
  };
  for (std::size_t k = 0; k < f.plot.series.size(); ++k) {
    const Series& s = f.plot.series[k];
    if (s.kind != Series::Kind::vline || s.label.empty() || s.x.empty()) continue;
    const double t = fraction(f.out.x, s.x[0]);
    if (t >= 0 && t <= 1) f.top_labels.push_back({{k}, s.label, t, 0});
  }
  std::stable_sort(f.top_labels.begin(), f.top_labels.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  for (TopLabel& label : f.top_labels) settle(label);
  for (std::size_t k = 1; k < f.top_labels.size();) {
    TopLabel &left = f.top_labels[k - 1], &right = f.top_labels[k];
    if (left.x + left.width / 2 + 0.8 * f.ts <= right.x - right.width / 2) {
      ++k;
      continue;
    }
    // A subject is not buried in its context: the other label gives way.
    const auto faint = [&](const TopLabel& label) { return f.plot.series[label.series[0]].faint; };
    if (faint(left) != faint(right)) {
      f.top_labels.erase(f.top_labels.begin() + static_cast<std::ptrdiff_t>(faint(left) ? k - 1 : k));
      k = std::max<std::size_t>(1, k - 1);
      continue;
    }
    left.text += ", " + right.text;
    left.series.insert(left.series.end(), right.series.begin(), right.series.end());
    settle(left);
    f.top_labels.erase(f.top_labels.begin() + static_cast<std::ptrdiff_t>(k));
    k = std::max<std::size_t>(1, k - 1);  // wider now: it may touch its left neighbour
  }
  return !f.top_labels.empty();
}

void measure_colorbar(Frame& f) {
  if (!f.plot.colorbar || f.frame.w < 16 * f.ts) return;
  double width = 0;
  for (const auto& tick : f.plot.colorbar->ticks) width = std::max(width, rich_width(f.canvas, tick.second, f.ts));
  width = coarse(width, f.ts);
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

  const double lowest = f.frame.bottom() - pad - measure_foot(f) - (f.tick_labels ? 1.6 * f.ts : 0) -
                        (f.labels && !f.plot.x.label.empty() ? 1.5 * f.ts : 0);
  double bottom = lowest;

  // The width of the y ticks' labels depends on their number, that on the height; the height on the legend's lines, and
  // those on the width. Two rounds settle it.
  Rect area;
  double left_margin = 0;
  double legend_height = 0;
  bool top_labels = false;
  for (int round = 0; round < 2; ++round) {
    const double area_top = top + legend_height + (top_labels ? 1.35 * f.ts : 0) +
                            (f.title || legend_height > 0 || f.tick_labels ? 0.5 * f.ts : 0);
    const double height = std::max(1.0, bottom - area_top);
    const int most = most_ticks(height, 4.2 * f.ts);
    f.y_ticks = ticks(f.out.y, most_y_ticks(f.out.y, height, f.ts));
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
    stand_up(f, area.w);
    bottom = lowest - (f.x_upright ? std::max(0.0, f.x_tick_height - 0.6 * f.ts) : 0);
    legend_height = flow_legend(f, area.w);
    top_labels = line_up_top_labels(f, area);
  }
  const double area_top = top + legend_height + (top_labels ? 1.35 * f.ts : 0) +
                          (f.title || legend_height > 0 || f.tick_labels ? 0.5 * f.ts : 0);
  area.h = std::max(1.0, bottom - area_top);
  area.y = std::min(area_top, bottom - area.h);
  if (f.plot.square_cells) make_square(f, area);
  // Whole pixels, so that bars and picture meet the axis lines.
  const double x1 = std::round(area.right()), y1 = std::round(area.bottom());
  area.x = std::round(area.x), area.y = std::round(area.y);
  area.w = std::max(1.0, x1 - area.x), area.h = std::max(1.0, y1 - area.y);
  f.out.area = area;
  f.header_x = std::max(f.frame.x + pad, area.x - left_margin);
  if (top_labels) line_up_top_labels(f, area);
  f.x_ticks = x_ticks_for(f, area.w);
  if (f.plot.square_cells) f.y_ticks = ticks(f.out.y, most_y_ticks(f.out.y, area.h, f.ts));
  f.y2_color = f.theme.muted;
}

}  // namespace warpspy::plot
