// What every widget and view needs to draw: palette, typefaces, scale; and where its actions go.
#pragma once

#include <cmath>
#include <optional>

#include "core/raster/raster.hpp"
#include "ui/actions.hpp"
#include "ui/fonts.hpp"
#include "ui/theme.hpp"

namespace warpspy::ui {

class TileCache;
class ImageCache;

// Seconds the mouse rests on an item before its explanation shows.
inline constexpr double kTipDelay = 0.45;

struct Look {
  const Palette* palette = nullptr;
  const FontSet* fonts = nullptr;
  float scale = 1;
  // The item below the resting mouse, by its corner, and since when.
  struct Rest {
    float x = -1, y = -1;
    double since = 0;
  };
  mutable Rest rest;
  double tip_delay = kTipDelay;
  // A length given at 100 %, in whole pixels.
  float u(float length) const { return std::floor(length * scale + 0.5f); }
  plot::Theme figure(double text_size = 12) const { return plot_theme(*palette, text_size * scale); }
};

// Handed to every view in draw().
struct Ui {
  const Look& look;
  ActionSink& out;
  TileCache& tiles;
  ImageCache& images;
  std::optional<Window>& spy_window;  // the part that the spy plot showed last
};

}  // namespace warpspy::ui
