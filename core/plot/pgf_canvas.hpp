// A canvas that writes drawing commands of PGF, for LaTeX documents: \input the file in a document with
// \usepackage{pgf}. LaTeX sets the words in the document's fonts, with the sizes and places of this canvas. It squeezes
// words that are wider in those fonts.
#pragma once

#include <map>
#include <string>

#include "core/plot/cairo_canvas.hpp"

namespace warpspy::plot {

class PgfCanvas final : public Canvas {
 public:
  PgfCanvas(double width, double height, const std::string& title, const std::string& facts);

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
  // Draws the picture as rectangles. Throws Error if these are more than kMostRects, since TeX would take minutes.
  void image(Rect r, int w, int h, std::span<const std::uint32_t> rgba) override;
  void push_clip(Rect r) override;
  void pop_clip() override;
  static constexpr std::size_t kMostRects = 20000;

  // Ends the drawing.
  std::string finish();

 private:
  std::string at(Point p) const;
  std::string path(std::span<const Point> points) const;
  std::string color(Color c);  // its name
  void fill(const std::string& shape, Color c);
  void stroke(const std::string& shape, Color c, double width, std::span<const double> dashes);

  CairoCanvas metrics_;
  double height_;
  std::string head_, colors_;  // in front of the drawing: a colour must be known in every scope
  std::string out_;
  std::map<std::uint32_t, std::string> names_;  // of colours
  std::size_t rects_ = 0;
  int open_ = 0;
};

// Words as LaTeX sets them: what it takes for commands is escaped, signs that its fonts lack come from mathematics.
std::string latex_of(std::string_view s);

}  // namespace warpspy::plot
