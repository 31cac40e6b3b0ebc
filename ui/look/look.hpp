// The data that all drawing code needs: palette, typefaces and scale.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "ui/look/fonts.hpp"
#include "ui/look/theme.hpp"

namespace warpspy::ui {

// Seconds that the mouse rests on an item before its explanation appears.
inline constexpr double kTipDelay = 0.45;

class Focus;

// A word or item on the screen, with its place: tests read these.
struct Shown {
  enum class Kind : std::uint8_t { text, item, tip } kind = Kind::text;  // item: what can be pointed at
  std::string words;
  float x = 0, y = 0, w = 0, h = 0;
};

struct Look {
  const Palette* palette = nullptr;
  const FontSet* fonts = nullptr;
  float scale = 1;
  // The item under the resting mouse, identified by its corner, and since when the mouse rests.
  struct Rest {
    float x = -1, y = -1;
    double since = 0;
  };
  mutable Rest rest;
  // Top and bottom of the table that is being drawn; its tooltips cover none of its rows, if they have room elsewhere.
  struct TableArea {
    float top = 0, bottom = 0;
  };
  mutable std::optional<TableArea> table;
  // The drop-down whose list is open: the text typed into it, and the line that the keys have reached.
  struct OpenList {
    std::string words;
    int at = -1;
    bool moved = false;  // the line changed in this frame, so the list must scroll to it
  };
  mutable OpenList list;
  mutable std::string copied;  // text that a table copied in this frame
  double tip_delay = kTipDelay;
  Focus* focus = nullptr;               // which control has the focus (ui/widgets/focus.hpp); nullptr: keys are not
                                        // used
  std::vector<Shown>* shown = nullptr;  // records what is drawn, for tests; nullptr: it is not recorded
  // A length given at 100 %, in whole pixels.
  float u(float length) const { return std::floor(length * scale + 0.5f); }
  plot::Theme figure(double text_size = 12) const { return plot_theme(*palette, text_size * scale); }
};

}  // namespace warpspy::ui
