// The interface on which figures are drawn. Canvases for files (SVG, PDF, PNG, PGF) are in this folder; the window's
// canvas is in ui/canvas. Coordinates are logical pixels, y down.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warpspy::plot {

struct Point {
  double x = 0, y = 0;
};
struct Rect {
  double x = 0, y = 0, w = 0, h = 0;
  double right() const { return x + w; }
  double bottom() const { return y + h; }
  bool contains(Point p) const { return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h; }
};
struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  bool operator==(const Color&) const = default;
};
constexpr Color rgb(std::uint32_t hex, std::uint8_t alpha = 255) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex),
          alpha};
}

enum class Align : std::uint8_t { left, center, right };  // horizontal; text is placed by its baseline
enum class Font : std::uint8_t { ui, mono, bold };

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void fill_rect(Rect r, Color c) = 0;
  virtual void stroke_rect(Rect r, Color c, double width) = 0;
  virtual void polyline(std::span<const Point> points, Color c, double width, std::span<const double> dashes = {}) = 0;
  virtual void fill_polygon(std::span<const Point> points, Color c) = 0;  // convex or y-monotone area shapes
  virtual void fill_circle(Point centre, double radius, Color c) = 0;
  virtual void stroke_circle(Point centre, double radius, Color c, double width) = 0;
  // baseline at p; rotated by 90 degrees counter-clockwise when `vertical`.
  virtual void text(Point p, std::string_view s, double size, Color c, Align align = Align::left, Font font = Font::ui,
                    bool vertical = false) = 0;
  // Text turned counter-clockwise about p, its baseline point. A canvas that cannot turn text does not override these
  // two; labels are then horizontal.
  virtual bool turns_text() const { return false; }
  virtual void turned_text(Point p, std::string_view s, double size, Color c, double /*radians*/,
                           Align align = Align::left, Font font = Font::ui) {
    text(p, s, size, c, align, font);
  }
  virtual double text_width(std::string_view s, double size, Font font = Font::ui) const = 0;
  // RGBA pixels (0xAABBGGRR), row-major, w*h of them, drawn crisp (nearest neighbour) into r.
  virtual void image(Rect r, int w, int h, std::span<const std::uint32_t> rgba) = 0;
  virtual void push_clip(Rect r) = 0;
  virtual void pop_clip() = 0;
  void line(Point a, Point b, Color c, double width) {
    const Point p[] = {a, b};
    polyline(p, c, width);
  }
};

}  // namespace warpspy::plot
