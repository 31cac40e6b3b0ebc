// What everything that is drawn needs: palette, typefaces, scale.
#pragma once

#include <cmath>

#include "ui/look/fonts.hpp"
#include "ui/look/theme.hpp"

namespace warpspy::ui {

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

}  // namespace warpspy::ui
