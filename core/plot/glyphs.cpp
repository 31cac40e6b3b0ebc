#include "core/plot/glyphs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

// Outlines for a unit circle, sized so that all marks look equally heavy.
std::vector<Point> outline(Mark mark, Point at, double r) {
  std::vector<Point> p;
  const auto add = [&](double x, double y) { p.push_back({at.x + x * r, at.y + y * r}); };
  switch (mark) {
    case Mark::square:
      add(-0.88, -0.88), add(0.88, -0.88), add(0.88, 0.88), add(-0.88, 0.88);
      break;
    case Mark::diamond:
      add(0, -1.25), add(1.25, 0), add(0, 1.25), add(-1.25, 0);
      break;
    case Mark::triangle:
      add(0, -1.25), add(1.15, 0.8), add(-1.15, 0.8);
      break;
    case Mark::down:
      add(0, 1.25), add(-1.15, -0.8), add(1.15, -0.8);
      break;
    case Mark::right:
      add(1.25, 0), add(-0.8, 1.15), add(-0.8, -1.15);
      break;
    case Mark::star:
      for (int k = 0; k < 10; ++k) {
        const double far = k % 2 == 0 ? 1.35 : 0.55;
        add(far * std::sin(k * M_PI / 5), -far * std::cos(k * M_PI / 5));
      }
      break;
    case Mark::hourglass:
      add(-1, -1.05), add(1, -1.05), add(0.15, 0), add(1, 1.05), add(-1, 1.05), add(-0.15, 0);
      break;
    default:
      for (int k = 0; k < 32; ++k) add(std::cos(k * M_PI / 16), std::sin(k * M_PI / 16));
  }
  return p;
}

// The part of a convex polygon that is below y on the screen.
std::vector<Point> lower_part(const std::vector<Point>& p, double y) {
  std::vector<Point> result;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Point a = p[k], b = p[(k + 1) % p.size()];
    if (a.y >= y) result.push_back(a);
    if ((a.y < y) != (b.y < y)) {
      const double t = (y - a.y) / (b.y - a.y);
      result.push_back({a.x + t * (b.x - a.x), y});
    }
  }
  return result;
}

// Lying or standing.
void draw_cross(Canvas& canvas, Point at, bool upright, Fill fill, double r, Color color) {
  // A cross has no inside. So both strokes are heavy (solid), one is (half), or none is (hollow).
  const double heavy = r * 0.55, thin = r * 0.25, x = upright ? 0 : r, far = upright ? 1.25 * r : r;
  canvas.line({at.x - (upright ? far : r), at.y - x}, {at.x + (upright ? far : r), at.y + x}, color,
              fill == Fill::hollow ? thin : heavy);
  canvas.line({at.x - x, at.y + far}, {at.x + x, at.y - far}, color, fill == Fill::solid ? heavy : thin);
}

// Divides a shape into convex parts, which a canvas can fill: halves of an hourglass, points of a star.
std::vector<std::vector<Point>> strokes_of(Mark mark, const std::vector<Point>& shape, Point at) {
  if (mark == Mark::hourglass)
    return {{shape[0], shape[1], shape[2], shape[5]}, {shape[5], shape[2], shape[3], shape[4]}};
  if (mark != Mark::star) return {shape};
  std::vector<std::vector<Point>> parts;
  for (std::size_t k = 0; k < shape.size(); k += 2)
    parts.push_back({at, shape[(k + shape.size() - 1) % shape.size()], shape[k], shape[k + 1]});
  return parts;
}

}  // namespace

void draw_mark(Canvas& canvas, Point at, Mark mark, Fill fill, double r, Color color, Color ground) {
  if (mark == Mark::none) return;
  if (mark == Mark::cross || mark == Mark::plus) return draw_cross(canvas, at, mark == Mark::plus, fill, r, color);
  const double stroke = std::max(1.0, r * 0.32);
  if (mark == Mark::circle) {
    canvas.fill_circle(at, r, fill == Fill::solid ? color : ground);
    if (fill == Fill::half) canvas.fill_polygon(lower_part(outline(mark, at, r), at.y), color);
    if (fill != Fill::solid) canvas.stroke_circle(at, r - stroke / 2, color, stroke);
    return;
  }
  std::vector<Point> shape = outline(mark, at, fill == Fill::solid ? r : r - stroke / 2);
  const auto parts = strokes_of(mark, shape, at);
  for (const auto& part : parts) canvas.fill_polygon(part, fill == Fill::solid ? color : ground);
  if (fill == Fill::solid) return;
  if (fill == Fill::half)
    for (const auto& part : parts) canvas.fill_polygon(lower_part(part, at.y), color);
  // Repeats the first edge, so that the first corner is joined like the others.
  shape.push_back(shape[0]);
  shape.push_back(shape[1]);
  canvas.polyline(shape, color, stroke);
}

namespace {

constexpr double kExponentSize = 0.72, kExponentRaise = 0.38;

struct Piece {
  std::string text;
  bool raised;
};

std::vector<Piece> pieces(const std::string& s) {
  std::vector<Piece> result;
  std::size_t at = 0;
  while (at < s.size()) {
    const std::size_t hat = s.find('^', at);
    if (hat == std::string::npos) break;
    result.push_back({s.substr(at, hat - at), false});
    // Digits, and the bytes of the minus sign (U+2212).
    at = s.find_first_not_of("0123456789-\xE2\x88\x92", hat + 1);
    result.push_back({s.substr(hat + 1, at == std::string::npos ? at : at - hat - 1), true});
  }
  if (at < s.size()) result.push_back({s.substr(at), false});
  return result;
}

}  // namespace

double rich_width(const Canvas& canvas, const std::string& s, double size, double least) {
  double width = 0;
  for (const Piece& p : pieces(s))
    width += canvas.text_width(p.text, p.raised ? std::max(size * kExponentSize, least) : size);
  return width;
}

void draw_rich(Canvas& canvas, Point baseline, const std::string& s, double size, Color c, Align align, double least) {
  if (s.find('^') == std::string::npos) return canvas.text(baseline, s, size, c, align);
  const double width = rich_width(canvas, s, size, least);
  double x = baseline.x - (align == Align::left ? 0 : align == Align::center ? width / 2 : width);
  for (const Piece& p : pieces(s)) {
    const double piece_size = p.raised ? std::max(size * kExponentSize, least) : size;
    canvas.text({x, baseline.y - (p.raised ? size * kExponentRaise : 0)}, p.text, piece_size, c);
    x += canvas.text_width(p.text, piece_size);
  }
}

std::string fitted(const Canvas& canvas, const std::string& s, double size, Font font, double width) {
  if (canvas.text_width(s, size, font) <= width) return s;
  // Finds the longest start that fits by bisection. It has whole UTF-8 characters and no space at its end.
  const auto start = [&](std::size_t bytes) {
    while (bytes > 0 && (static_cast<unsigned char>(s[bytes]) & 0xC0) == 0x80) --bytes;
    while (bytes > 0 && s[bytes - 1] == ' ') --bytes;
    return s.substr(0, bytes);
  };
  std::size_t fits = 0, past = s.size();
  while (past - fits > 1) {
    const std::size_t middle = (fits + past) / 2;
    (canvas.text_width(start(middle) + "...", size, font) <= width ? fits : past) = middle;
  }
  const std::string cut = start(fits);
  return cut.empty() ? cut : cut + "...";
}

}  // namespace warpspy::plot
