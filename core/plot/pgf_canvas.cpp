#include "core/plot/pgf_canvas.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/types.hpp"

namespace warpspy::plot {
namespace {

constexpr double kBpPerPx = 0.75;  // big points, of which 72 are an inch

std::string decimal(double v) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.3f", v);
  std::string s = buffer;
  while (s.back() == '0') s.pop_back();
  if (s.back() == '.') s.pop_back();
  return s == "-0" ? "0" : s;
}
std::string length(double px) { return decimal(px * kBpPerPx) + "bp"; }

struct Sign {
  std::string_view letter, latex;
};
constexpr Sign kSigns[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"|", "$|$"},
    {"\xC3\x97", "$\\times$"},
    {"\xC2\xB5", "$\\mu$"},
    {"\xC2\xB7", "$\\cdot$"},
    {"\xE2\x88\x92", "$-$"},
    {"\xE2\x80\xA6", "\\ldots{}"},
    {"\xE2\x86\x92", "$\\rightarrow$"},
};

// \warpspytext{WIDTH}{WORDS}: the document's font may be wider than the one for which the figure was laid out. Then the
// text is squeezed, so that it neither is cut nor touches its neighbour.
constexpr const char* kSqueeze =
    "\\def\\warpspytext#1#2{\\setbox0=\\hbox{#2}\\ifdim\\wd0>#1\\relax"
    "\\resizebox{#1}{\\height}{\\copy0}\\else\\copy0\\fi}%\n";

// A comment must stay on one line, else it would become part of the document.
std::string one_line(std::string s) {
  std::replace_if(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return s;
}

}  // namespace

std::string latex_of(std::string_view s) {
  std::string result;
  for (std::size_t k = 0; k < s.size();) {
    const auto* sign = std::find_if(std::begin(kSigns), std::end(kSigns),
                                    [&](const Sign& each) { return s.substr(k, each.letter.size()) == each.letter; });
    if (sign != std::end(kSigns)) {
      result += sign->latex;
      k += sign->letter.size();
    } else {
      if (static_cast<unsigned char>(s[k]) >= 0x20) result += s[k];
      ++k;
    }
  }
  return result;
}

PgfCanvas::PgfCanvas(double width, double height, const std::string& title, const std::string& facts)
    : metrics_(CairoCanvas::raster(1, 1, 1)), height_(height) {
  head_ = "% " + one_line(title) + "\n% Drawn by Warpspy" + (facts.empty() ? "" : ": " + one_line(facts)) +
          "\n% \\usepackage{pgf} in the preamble; then \\input this file where the figure is to stand.\n"
          "\\begingroup%\n" +
          kSqueeze;
  out_ = "\\begin{pgfpicture}%\n\\pgfpathrectangle{\\pgfpointorigin}{\\pgfqpoint{" + length(width) + "}{" +
         length(height) + "}}\\pgfusepath{use as bounding box}%\n";
}

std::string PgfCanvas::at(Point p) const { return "{\\pgfqpoint{" + length(p.x) + "}{" + length(height_ - p.y) + "}}"; }

std::string PgfCanvas::path(std::span<const Point> points) const {
  std::string s = "\\pgfpathmoveto" + at(points[0]);
  for (Point p : points.subspan(1)) s += "\\pgfpathlineto" + at(p);
  return s;
}

std::string PgfCanvas::color(Color c) {
  const std::uint32_t key = static_cast<std::uint32_t>(c.r) << 16 | static_cast<std::uint32_t>(c.g) << 8 | c.b;
  const auto [found, fresh] = names_.try_emplace(key, "warpspy" + std::to_string(names_.size()));
  if (fresh)
    colors_ += "\\definecolor{" + found->second + "}{RGB}{" + std::to_string(c.r) + "," + std::to_string(c.g) + "," +
               std::to_string(c.b) + "}%\n";
  return found->second;
}

void PgfCanvas::fill(const std::string& shape, Color c) {
  const std::string name = color(c);
  if (c.a != 255) out_ += "\\pgfsetfillopacity{" + decimal(c.a / 255.0) + "}";
  out_ += "\\pgfsetfillcolor{" + name + "}" + shape + "\\pgfusepath{fill}";
  out_ += c.a != 255 ? "\\pgfsetfillopacity{1}%\n" : "%\n";
}

void PgfCanvas::stroke(const std::string& shape, Color c, double width, std::span<const double> dashes) {
  const std::string name = color(c);
  std::string dash;
  for (double d : dashes) dash += "{" + length(d) + "}";
  if (c.a != 255) out_ += "\\pgfsetstrokeopacity{" + decimal(c.a / 255.0) + "}";
  out_ += "\\pgfsetlinewidth{" + length(width) + "}\\pgfsetroundjoin\\pgfsetdash{" + dash +
          "}{0bp}\\pgfsetstrokecolor{" + name + "}" + shape + "\\pgfusepath{stroke}";
  out_ += c.a != 255 ? "\\pgfsetstrokeopacity{1}%\n" : "%\n";
}

void PgfCanvas::fill_rect(Rect r, Color c) {
  if (r.w <= 0 || r.h <= 0) return;
  fill("\\pgfpathrectangle" + at({r.x, r.bottom()}) + "{\\pgfqpoint{" + length(r.w) + "}{" + length(r.h) + "}}", c);
}

void PgfCanvas::stroke_rect(Rect r, Color c, double width) {
  stroke("\\pgfpathrectangle" + at({r.x, r.bottom()}) + "{\\pgfqpoint{" + length(r.w) + "}{" + length(r.h) + "}}", c,
         width, {});
}

void PgfCanvas::polyline(std::span<const Point> points, Color c, double width, std::span<const double> dashes) {
  if (points.size() >= 2) stroke(path(points), c, width, dashes);
}

void PgfCanvas::fill_polygon(std::span<const Point> points, Color c) {
  if (points.size() >= 3) fill(path(points) + "\\pgfpathclose", c);
}

void PgfCanvas::fill_circle(Point p, double radius, Color c) {
  fill("\\pgfpathcircle" + at(p) + "{" + length(radius) + "}", c);
}

void PgfCanvas::stroke_circle(Point p, double radius, Color c, double width) {
  stroke("\\pgfpathcircle" + at(p) + "{" + length(radius) + "}", c, width, {});
}

void PgfCanvas::text(Point p, std::string_view s, double size, Color c, Align align, Font font, bool vertical) {
  turned_text(p, s, size, c, vertical ? M_PI / 2 : 0, align, font);
}

void PgfCanvas::turned_text(Point p, std::string_view s, double size, Color c, double radians, Align align, Font font) {
  if (s.empty()) return;
  constexpr const char* aligns[] = {"left", "center", "right"};
  constexpr const char* fonts[] = {"", "\\ttfamily", "\\bfseries"};
  const std::string name = color(c);
  const double pt = size * kBpPerPx;
  out_ += "\\pgftext[x=" + length(p.x) + ",y=" + length(height_ - p.y) + ",base," + aligns[static_cast<int>(align)] +
          (radians != 0 ? ",rotate=" + decimal(radians * 180 / M_PI) : "") + "]{\\fontsize{" + decimal(pt) + "bp}{" +
          decimal(1.2 * pt) + "bp}\\selectfont" + fonts[static_cast<int>(font)] + "\\color{" + name +
          "}\\warpspytext{" + length(text_width(s, size, font)) + "}{" + latex_of(s) + "}}%\n";
}

double PgfCanvas::text_width(std::string_view s, double size, Font font) const {
  return metrics_.text_width(s, size, font);
}

void PgfCanvas::image(Rect r, int w, int h, std::span<const std::uint32_t> rgba) {
  if (w < 1 || h < 1 || r.w <= 0 || r.h <= 0) return;
  const double dx = r.w / w, dy = r.h / h;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w;) {
      const auto pixel = [&](int column) {
        return rgba[static_cast<std::size_t>(y) * static_cast<std::size_t>(w) + static_cast<std::size_t>(column)];
      };
      const std::uint32_t v = pixel(x);
      int past = x + 1;
      while (past < w && pixel(past) == v) ++past;
      if (++rects_ > kMostRects)
        throw Error("the picture has too many cells to be drawn by LaTeX", {}, "use .pdf, which LaTeX includes");
      const Color c{static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(v >> 8), static_cast<std::uint8_t>(v >> 16),
                    static_cast<std::uint8_t>(v >> 24)};
      if (c.a > 0) fill_rect({r.x + x * dx, r.y + y * dy, (past - x) * dx, dy}, c);
      x = past;
    }
}

void PgfCanvas::push_clip(Rect r) {
  out_ += "\\begin{pgfscope}\\pgfpathrectangle" + at({r.x, r.bottom()}) + "{\\pgfqpoint{" + length(r.w) + "}{" +
          length(r.h) + "}}\\pgfusepath{clip}%\n";
  ++open_;
}

void PgfCanvas::pop_clip() {
  if (open_ == 0) return;
  out_ += "\\end{pgfscope}%\n";
  --open_;
}

std::string PgfCanvas::finish() {
  while (open_ > 0) pop_clip();
  return head_ + colors_ + out_ + "\\end{pgfpicture}%\n\\endgroup%\n";
}

}  // namespace warpspy::plot
