// Typefaces: Inter for words, JetBrains Mono for numbers and code (core/plot/fonts.hpp).
#pragma once

#include <cstdint>
#include <vector>

struct ImFont;

namespace warpspy::ui {

enum class Face : std::uint8_t { ui, bold, mono };

class FontSet {
 public:
  // Fills ImGui's font atlas: every face at its sizes times `pixel_scale` device pixels. Sizes handed to the methods
  // below are multiplied by `ui_scale`.
  void load(float ui_scale, float pixel_scale);

  // The face at `size` (15 = body text): the font to use and the size to draw it at, in ImGui's units.
  struct Pick {
    ImFont* font = nullptr;
    float size = 0;
  };
  Pick pick(Face face, float size) const;
  // Returns the face for a size that already is in ImGui's units.
  Pick pick_px(Face face, float px) const;
  void push(Face face, float size) const;
  static void pop();

 private:
  struct Loaded {
    Face face;
    float px;  // in ImGui's units
    ImFont* font;
  };
  std::vector<Loaded> fonts_;
  float ui_scale_ = 1;
};

// Uses a font while it lives: the constructor pushes the font, the destructor pops it.
class FontScope {
 public:
  FontScope(const FontSet& fonts, Face face, float size) { fonts.push(face, size); }
  ~FontScope() { FontSet::pop(); }
  FontScope(const FontScope&) = delete;
  FontScope& operator=(const FontScope&) = delete;
};

}  // namespace warpspy::ui
