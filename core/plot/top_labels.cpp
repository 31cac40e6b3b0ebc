// The labels of vertical lines, above the data.
#include <algorithm>

#include "core/plot/frame.hpp"
#include "core/plot/scale.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

constexpr double kTopLine = 1.2;  // text sizes

void settle(Frame& f, const Rect& area, TopLabel& label) {
  label.lines = lines_of(f, label.text, f.ts, Font::ui, area.w);
  label.width = 0;
  for (const std::string& line : label.lines) label.width = std::max(label.width, f.canvas.text_width(line, f.ts));
  double x = 0;
  for (std::size_t k : label.series) x += pixel_x(f.out.x, area, f.plot.series[k].x[0]);
  // Kept inside the area, so that the label of a line at its edge does not leave the frame.
  const double half = label.width / 2;
  label.x = std::clamp(x / static_cast<double>(label.series.size()), area.x + half,
                       std::max(area.x + half, area.right() - half));
}

void merge_neighbours(Frame& f, const Rect& area) {
  for (std::size_t k = 1; k < f.top_labels.size();) {
    TopLabel &left = f.top_labels[k - 1], &right = f.top_labels[k];
    if (left.x + left.width / 2 + 0.8 * f.ts <= right.x - right.width / 2) {
      ++k;
      continue;
    }
    // A label of the figure's subject hides a label of the context. On a page no label is hidden.
    const auto faint = [&](const TopLabel& label) { return f.plot.series[label.series[0]].faint; };
    if (!f.parts.page && faint(left) != faint(right)) {
      f.top_labels.erase(f.top_labels.begin() + static_cast<std::ptrdiff_t>(faint(left) ? k - 1 : k));
      k = std::max<std::size_t>(1, k - 1);
      continue;
    }
    left.text += ", " + right.text;
    left.series.insert(left.series.end(), right.series.begin(), right.series.end());
    settle(f, area, left);
    f.top_labels.erase(f.top_labels.begin() + static_cast<std::ptrdiff_t>(k));
    k = std::max<std::size_t>(1, k - 1);  // wider now: it may touch its left neighbour
  }
}

}  // namespace

double line_up_top_labels(Frame& f, const Rect& area) {
  f.top_labels.clear();
  if (!f.labels) return 0;
  for (std::size_t k = 0; k < f.plot.series.size(); ++k) {
    const Series& s = f.plot.series[k];
    if (s.kind != Series::Kind::vline || s.label.empty() || s.x.empty()) continue;
    const double t = fraction(f.out.x, s.x[0]);
    if (t >= 0 && t <= 1) f.top_labels.push_back({{k}, s.label, t, 0, {}});
  }
  std::stable_sort(f.top_labels.begin(), f.top_labels.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  for (TopLabel& label : f.top_labels) settle(f, area, label);
  merge_neighbours(f, area);
  std::size_t lines = 0;
  for (const TopLabel& label : f.top_labels) lines = std::max(lines, label.lines.size());
  return lines == 0 ? 0 : (1.35 + kTopLine * static_cast<double>(lines - 1)) * f.ts;
}

void draw_top_labels(Frame& f) {
  const Rect& area = f.out.area;
  for (const TopLabel& label : f.top_labels) {
    for (std::size_t k : label.series) {
      const Series& s = f.plot.series[k];
      const double x = crisp(pixel_x(f.out.x, area, s.x[0]));
      if (s.width > 0) f.canvas.line({x, area.y}, {x, area.y - 0.35 * f.ts}, s.color, s.width * f.unit);
    }
    const Color color = readable(f.plot.series[label.series[0]].color, f.theme);
    double y = area.y - (0.65 + kTopLine * static_cast<double>(label.lines.size() - 1)) * f.ts;
    for (const std::string& line : label.lines) {
      f.canvas.text({label.x, y}, line, f.ts, color, Align::center);
      y += kTopLine * f.ts;
    }
  }
}

}  // namespace warpspy::plot
