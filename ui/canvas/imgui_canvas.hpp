// The canvas on which figures are drawn in the window. It writes to a draw list of Dear ImGui.
#pragma once

#include <map>

#include "core/plot/canvas.hpp"
#include "ui/look/look.hpp"
#include "ui/platform/textures.hpp"

struct ImDrawList;

namespace warpspy::ui {

// Textures of the pictures inside figures, found by content. A texture that was not drawn for a while is freed.
class ImageCache {
 public:
  explicit ImageCache(TextureStore& store) : store_(store) {}
  TextureId get(int width, int height, std::span<const std::uint32_t> rgba);
  void end_frame();

 private:
  struct Entry {
    Texture texture;
    int unused = 0;
  };
  TextureStore& store_;
  std::map<std::uint64_t, Entry> entries_;
};

class ImGuiCanvas final : public plot::Canvas {
 public:
  ImGuiCanvas(ImDrawList* list, const Look& look, ImageCache& images) : list_(list), look_(look), images_(images) {}
  void fill_rect(plot::Rect r, Color c) override;
  void stroke_rect(plot::Rect r, Color c, double width) override;
  void polyline(std::span<const plot::Point> points, Color c, double width,
                std::span<const double> dashes = {}) override;
  void fill_polygon(std::span<const plot::Point> points, Color c) override;
  void fill_circle(plot::Point centre, double radius, Color c) override;
  void stroke_circle(plot::Point centre, double radius, Color c, double width) override;
  void text(plot::Point p, std::string_view s, double size, Color c, plot::Align align, plot::Font font,
            bool vertical) override;
  bool turns_text() const override { return true; }
  void turned_text(plot::Point p, std::string_view s, double size, Color c, double radians, plot::Align align,
                   plot::Font font) override;
  double text_width(std::string_view s, double size, plot::Font font) const override;
  void image(plot::Rect r, int w, int h, std::span<const std::uint32_t> rgba) override;
  void push_clip(plot::Rect r) override;
  void pop_clip() override;

 private:
  ImDrawList* list_;
  const Look& look_;
  ImageCache& images_;
};

}  // namespace warpspy::ui
