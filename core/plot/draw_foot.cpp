// Lines of text below a figure.
#include <algorithm>

#include "core/plot/frame.hpp"
#include "core/plot/glyphs.hpp"

namespace warpspy::plot {
namespace {

constexpr double kSize = 0.88, kLine = 1.32;  // of the text size

// Breaks at spaces; a word that is too long stands alone and is cut.
void wrap(const Canvas& canvas, const std::string& s, double size, double width, std::vector<std::string>& lines) {
  std::string line;
  std::size_t at = 0;
  while (at < s.size()) {
    std::size_t end = s.find(' ', at);
    if (end == std::string::npos) end = s.size();
    const std::string word = s.substr(at, end - at), longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && canvas.text_width(longer, size) > width) {
      lines.push_back(line);
      line = "   " + word;  // what continues is set in
    } else {
      line = longer;
    }
    at = end + 1;
  }
  if (!line.empty()) lines.push_back(fitted(canvas, line, size, Font::ui, width));
}

}  // namespace

double measure_foot(Frame& f) {
  f.foot.clear();
  if (!f.parts.foot || f.plot.foot.empty() || f.frame.h < 20 * f.ts || f.frame.w < 20 * f.ts) return 0;
  const double size = kSize * f.ts;
  for (const std::string& s : f.plot.foot) wrap(f.canvas, s, size, f.frame.w - 2.4 * f.ts, f.foot);
  // The figure comes first: at most a third of the frame is text.
  const auto most = static_cast<std::size_t>(std::max(1.0, f.frame.h / 3 / (kLine * size)));
  if (f.foot.size() > most) {
    f.foot.resize(most);
    f.foot.back() += " ...";
  }
  return (static_cast<double>(f.foot.size()) * kLine + 0.7) * size;
}

void draw_foot(Frame& f) {
  if (f.foot.empty()) return;
  const double size = kSize * f.ts;
  double y = f.frame.bottom() - 0.9 * f.ts - (static_cast<double>(f.foot.size()) - 1) * kLine * size;
  for (const std::string& line : f.foot) {
    f.canvas.text({f.frame.x + 1.2 * f.ts, y}, line, size, f.theme.muted);
    y += kLine * size;
  }
}

}  // namespace warpspy::plot
