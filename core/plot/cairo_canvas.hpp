// A canvas that draws with the library Cairo. It makes PNG and PDF, and measures text for the SVG canvas.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/plot/canvas.hpp"

namespace warpspy::plot {

// Texts that a file stores beside its picture: words for people, and the recipe (figure_recipe.hpp).
struct FileNotes {
  std::string facts = {}, recipe = {};
};

class CairoCanvas final : public Canvas {
 public:
  // Sizes in logical pixels; `scale` device pixels each.
  static CairoCanvas raster(double width, double height, double scale);
  // One logical pixel is 3/4 point, so that 96 of them are an inch. Metadata: title only, no dates.
  static CairoCanvas pdf(double width, double height, const std::string& title, const FileNotes& notes = {});
  CairoCanvas(CairoCanvas&&) noexcept;
  CairoCanvas& operator=(CairoCanvas&&) noexcept;
  ~CairoCanvas() override;

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

  // Ends the drawing and returns the bytes of the file. Throws Error if Cairo failed.
  std::string finish();
  // Raster only: the pixels so far, opaque where drawn (0xAABBGGRR).
  int pixel_width() const;
  int pixel_height() const;
  std::vector<std::uint32_t> pixels() const;

 private:
  struct State;
  explicit CairoCanvas(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// A picture enlarged by a whole factor until its longer side has 1600 pixels: viewers of PDF and SVG tend to blur small
// pictures, and cells are to keep their edges. Repeated pixels cost next to nothing in the file.
struct Enlarged {
  int width = 0, height = 0;
  std::vector<std::uint32_t> rgba;
};
Enlarged enlarged(int width, int height, std::span<const std::uint32_t> rgba);

// Returns RGBA pixels (0xAABBGGRR) as the bytes of a PNG file. Throws Error for a size that Cairo refuses.
std::string encode_png(int width, int height, const std::uint32_t* rgba);

}  // namespace warpspy::plot
