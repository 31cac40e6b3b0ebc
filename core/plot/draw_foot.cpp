// Lines of text below a figure.
#include <algorithm>
#include <utility>

#include "core/plot/frame.hpp"

namespace warpspy::plot {
namespace {

constexpr double kSize = 0.88, kLine = 1.32;  // sizes relative to the figure's text size

}  // namespace

double measure_foot(Frame& f) {
  f.foot.clear();
  if (!f.parts.foot || f.plot.foot.empty()) return 0;
  if (!f.parts.page && (f.frame.h < 20 * f.ts || f.frame.w < 20 * f.ts)) return 0;
  const double size = f.small(kSize);
  // Continued lines are indented.
  for (const std::string& s : f.plot.foot)
    for (std::string& line : wrapped(f.canvas, s, size, Font::ui, f.frame.w - 2.4 * f.ts, "   "))
      f.foot.push_back(std::move(line));
  // At most a third of the frame is text.
  const auto most = static_cast<std::size_t>(std::max(1.0, f.frame.h / 3 / (kLine * size)));
  if (f.foot.size() > most && !f.parts.page) {
    f.foot.resize(most);
    f.foot.back() += " ...";
  }
  return (static_cast<double>(f.foot.size()) * kLine + 0.7) * size;
}

void draw_foot(Frame& f) {
  if (f.foot.empty()) return;
  const double size = f.small(kSize);
  double y = f.frame.bottom() - 0.9 * f.ts - (static_cast<double>(f.foot.size()) - 1) * kLine * size;
  for (const std::string& line : f.foot) {
    f.canvas.text({f.frame.x + (f.parts.page ? 0.9 : 1.2) * f.ts, y}, line, size, f.theme.muted);
    y += kLine * size;
  }
}

}  // namespace warpspy::plot
