// The two looks of the window, paper and dark: their colours, and the style of Dear ImGui that is made from them.
#pragma once

#include "core/plot/plot.hpp"

namespace warpspy::ui {

using plot::Color;

enum class ThemeId : std::uint8_t { paper, dark };
constexpr const char* name_of(ThemeId t) { return t == ThemeId::paper ? "paper" : "dark"; }

// Every colour of the interface. The matrix, the plots and the levels bring their own (core/plot).
struct Palette {
  Color ground;                                // the window
  Color panel;                                 // plots and tables
  Color raised;                                // pop-ups, tooltips, cards
  Color ink;                                   // text
  Color muted;                                 // captions, units, disabled items
  Color hairline;                              // separators
  Color outline;                               // borders of controls, at least 3:1 against the ground
  Color control, control_hot, control_active;  // fills of controls
  Color select;                                // ground of a selected row
  Color accent, on_accent;                     // the most important button; marks of the current choice
  Color highlight;                             // rows picked in the histogram
  Color warning, error;                        // as text
  bool dark = false;
};
const Palette& palette_of(ThemeId t);
// Makes the theme of figures from this palette. text_size is in pixels.
plot::Theme plot_theme(const Palette& p, double text_size);

// Contrast ratio of WCAG 2 (1..21), from relative luminance.
double contrast(Color a, Color b);

// ImGui's style: colours, 8 px grid times `scale`, hairlines.
void apply_style(const Palette& p, float scale);

}  // namespace warpspy::ui
