// A canvas that writes SVG in which texts stay texts, so that they can be searched and edited. Cairo's own SVG surface
// would turn letters into outlines.
#pragma once

#include <string>

#include "core/plot/cairo_canvas.hpp"

namespace warpspy::plot {

class SvgCanvas final : public Canvas {
 public:
  // `millimetres`: the size on paper is written in millimetres; coordinates stay px, 96 to an inch.
  SvgCanvas(double width, double height, const std::string& title, bool millimetres = false,
            const FileNotes& notes = {});

  void fill_rect(Rect r, Color c) override;
  void stroke_rect(Rect r, Color c, double width) override;
  void polyline(std::span<const Point> points, Color c, double width, std::span<const double> dashes = {}) override;
  void fill_polygon(std::span<const Point> points, Color c) override;
  void fill_circle(Point centre, double radius, Color c) override;
  void stroke_circle(Point centre, double radius, Color c, double width) override;
  void text(Point p, std::string_view s, double size, Color c, Align align, Font font, bool vertical) override;
  bool turns_text() const override { return true; }
  void turned_text(Point p, std::string_view s, double size, Color c, double radians, Align align, Font font) override;
  double text_width(std::string_view s, double size, Font font) const override;
  void image(Rect r, int w, int h, std::span<const std::uint32_t> rgba) override;
  void push_clip(Rect r) override;
  void pop_clip() override;

  // Ends the document.
  std::string finish();

 private:
  CairoCanvas metrics_;
  std::string out_;
  int clips_ = 0, open_ = 0;
};

}  // namespace warpspy::plot
