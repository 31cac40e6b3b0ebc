// A canvas that draws on another canvas in changed colours.
#pragma once

#include <cstdint>
#include <vector>

#include "core/plot/canvas.hpp"

namespace warpspy::plot {

class ColourCanvas final : public Canvas {
 public:
  ColourCanvas(Canvas& to, Color (*of)(Color)) : to_(to), of_(of) {}

  void fill_rect(Rect r, Color c) override { to_.fill_rect(r, of_(c)); }
  void stroke_rect(Rect r, Color c, double width) override { to_.stroke_rect(r, of_(c), width); }
  void polyline(std::span<const Point> p, Color c, double width, std::span<const double> dashes) override {
    to_.polyline(p, of_(c), width, dashes);
  }
  void fill_polygon(std::span<const Point> p, Color c) override { to_.fill_polygon(p, of_(c)); }
  void fill_circle(Point centre, double radius, Color c) override { to_.fill_circle(centre, radius, of_(c)); }
  void stroke_circle(Point centre, double radius, Color c, double width) override {
    to_.stroke_circle(centre, radius, of_(c), width);
  }
  void text(Point p, std::string_view s, double size, Color c, Align align, Font font, bool vertical) override {
    to_.text(p, s, size, of_(c), align, font, vertical);
  }
  bool turns_text() const override { return to_.turns_text(); }
  void turned_text(Point p, std::string_view s, double size, Color c, double radians, Align align, Font font) override {
    to_.turned_text(p, s, size, of_(c), radians, align, font);
  }
  double text_width(std::string_view s, double size, Font font) const override { return to_.text_width(s, size, font); }
  void image(Rect r, int w, int h, std::span<const std::uint32_t> rgba) override {
    std::vector<std::uint32_t> pixels;
    pixels.reserve(rgba.size());
    for (const std::uint32_t v : rgba) {
      const Color c = of_({static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(v >> 8),
                           static_cast<std::uint8_t>(v >> 16), static_cast<std::uint8_t>(v >> 24)});
      pixels.push_back(static_cast<std::uint32_t>(c.a) << 24 | static_cast<std::uint32_t>(c.b) << 16 |
                       static_cast<std::uint32_t>(c.g) << 8 | c.r);
    }
    to_.image(r, w, h, pixels);
  }
  void push_clip(Rect r) override { to_.push_clip(r); }
  void pop_clip() override { to_.pop_clip(); }

 private:
  Canvas& to_;
  Color (*of_)(Color);
};

// Draws nothing: for layouts that are only measured.
class MeasuringCanvas final : public Canvas {
 public:
  explicit MeasuringCanvas(const Canvas& metrics) : metrics_(metrics) {}
  void fill_rect(Rect, Color) override {}
  void stroke_rect(Rect, Color, double) override {}
  void polyline(std::span<const Point>, Color, double, std::span<const double>) override {}
  void fill_polygon(std::span<const Point>, Color) override {}
  void fill_circle(Point, double, Color) override {}
  void stroke_circle(Point, double, Color, double) override {}
  void text(Point, std::string_view, double, Color, Align, Font, bool) override {}
  bool turns_text() const override { return metrics_.turns_text(); }
  void turned_text(Point, std::string_view, double, Color, double, Align, Font) override {}
  double text_width(std::string_view s, double size, Font font) const override {
    return metrics_.text_width(s, size, font);
  }
  void image(Rect, int, int, std::span<const std::uint32_t>) override {}
  void push_clip(Rect) override {}
  void pop_clip() override {}

 private:
  const Canvas& metrics_;
};

}  // namespace warpspy::plot
