// The page of an exported figure: its size, text sizes and colours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/plot/plot.hpp"

namespace warpspy::plot {

// print: darker words and thinner grids. grey: greys alone, where hues differ in lightness.
enum class Colours : std::uint8_t { screen, print, grey };
constexpr const char* name_of(Colours c) {
  constexpr const char* names[] = {"screen", "print", "grey"};
  return names[static_cast<int>(c)];
}

struct PagePreset {
  const char* id;
  const char* word;  // in the dialog
  const char* help;
  double width_mm, height_mm;
  double font_pt;
  Colours colours;
  bool grows;  // the page may become higher if a figure's texts need it
};
// column, columns, slide, screen. A screen's page has any size, and looks as in the window.
std::span<const PagePreset> page_presets();
const PagePreset* page_preset(const std::string& id);  // nullptr when there is none

inline constexpr double kLeastPt = 6, kMostPt = 40;
inline constexpr double kPxPerMm = 96 / 25.4, kPxPerPt = 96.0 / 72;

struct Page {
  std::string preset = "screen";
  double width = 900, height = 600;  // px, 96 to an inch
  double font_pt = 9.75;
  bool title = true, legend = true;
  Colours colours = Colours::screen;
  bool dark = false;
  double png_scale = 2;  // device pixels per px

  bool on_paper() const { return preset != "screen"; }
  bool operator==(const Page&) const = default;
};
// The page of a preset.
Page page_of(const PagePreset& preset);

// Returns the theme with the colours and text sizes of the page, for builders and draw().
Theme theme_of(const Page& page);
// A colour as it appears with the page's colours.
Color on_page(Color c, Colours colours);

// Tells how a figure is made to fit its page: the page becomes higher, or the text smaller, if its words need that.
struct Fitted {
  double width = 0, height = 0;  // px
  double font_pt = 0;
  std::size_t left_out = 0;  // how many texts still have no room
};
Fitted fitted_to(const Plot& plot, const Page& page);
// Draws the figure on its page, from the canvas' corner (0, 0). The layout is the same on any canvas.
Layout draw_page(const Plot& plot, const Page& page, const Fitted& fitted, Canvas& canvas);

}  // namespace warpspy::plot
