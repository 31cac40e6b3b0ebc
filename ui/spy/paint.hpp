// Draws the parts of the spy plot. Work is bounded by the pixels of the view, never by the matrix.
#pragma once

#include "ui/look/look.hpp"
#include "ui/spy/tiles.hpp"
#include "ui/state/camera.hpp"

struct ImDrawList;

namespace warpspy::ui {

// kCellPx: entries at least this large are drawn as cells with a colour for the value. kValuePx: also with the value as
// text.
inline constexpr double kCellPx = 14, kValuePx = 34;

struct SpyScene {
  const OpenMatrix& m;
  SpyMap map;
  Extent extent;
  int kr = 0, kc = 0;  // level shown
  bool cells = false;  // entries are large enough to be drawn one by one
};
SpyScene scene_of(const Look& l, const OpenMatrix& m, const Camera& resolved, plot::Rect view);

// Returns the matrix's rectangle on the screen, cut to the view.
plot::Rect shown_rect(const SpyScene& s);
// Returns how the tiles of a matrix look. They show a run's data if the user chose that and the data are known,
// otherwise counts of entries.
TileLook tile_look(const Look& l, const AppState& s, const OpenMatrix& m);
// Draws counts as tiles; a coarser tile where the right one is not ready yet. Returns how many are missing.
int paint_tiles(const Look& l, TileCache& tiles, const SpyScene& s, const TileLook& look, ImDrawList* list);
// Draws entries as cells: blue below zero, red above, white at zero; or shaded by a run's data. Returns the largest
// magnitude in view.
double paint_cells(const Look& l, const SpyScene& s, RealView view, const ShadeLook& run, ImDrawList* list);
Color value_color(double v, double most, bool dark);
// Draws the marked rows: a mark in the margin left of the view, and a tint across the view.
void paint_highlight(const Look& l, const SpyScene& s, const RowMask& rows, float margin, ImDrawList* list);
// Draws row numbers on the left and column numbers on top; those under the mouse stand out.
void paint_rulers(const Look& l, const SpyScene& s, plot::Rect frame, std::optional<plot::Point> mouse,
                  ImDrawList* list);

}  // namespace warpspy::ui
