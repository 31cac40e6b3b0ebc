// What everything that is drawn needs: palette, typefaces, scale.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "ui/look/fonts.hpp"
#include "ui/look/theme.hpp"

namespace warpspy::ui {

// Seconds the mouse rests on an item before its explanation shows.
inline constexpr double kTipDelay = 0.45;

class Focus;

// What is on the screen and where, by its words: tests read it.
struct Shown {
  enum class Kind : std::uint8_t { text, item, tip } kind = Kind::text;  // item: what can be pointed at
  std::string words;
  float x = 0, y = 0, w = 0, h = 0;
};

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
  // The drop-down whose list is open: what is typed into it, and the line that the keys mean.
  struct OpenList {
    std::string words;
    int at = -1;
    bool moved = false;  // in this frame: to be scrolled to
  };
  mutable OpenList list;
  mutable std::string copied;  // by a table in this frame
  double tip_delay = kTipDelay;
  Focus* focus = nullptr;               // which control the keys mean (ui/widgets/focus.hpp); none: no keys
  std::vector<Shown>* shown = nullptr;  // takes down what is drawn; none: nobody asks
  // A length given at 100 %, in whole pixels.
  float u(float length) const { return std::floor(length * scale + 0.5f); }
  plot::Theme figure(double text_size = 12) const { return plot_theme(*palette, text_size * scale); }
};

}  // namespace warpspy::ui
