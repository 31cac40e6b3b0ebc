// Tells which part of the matrix the spy plot shows: converts matrix coordinates to pixels and back. Pure arithmetic.
#pragma once

#include "core/base/types.hpp"
#include "core/plot/canvas.hpp"
#include "core/raster/raster.hpp"

namespace warpspy::ui {

// The shape of cells when the whole matrix is shown.
enum class Aspect : std::uint8_t {
  automatic,  // square cells, unless one side is more than 4 times the other
  square,
  stretch,  // rows and columns have different scales, so that the matrix fills the view
};
constexpr const char* name_of(Aspect a) {
  constexpr const char* names[] = {"automatic", "square cells", "stretched"};
  return names[static_cast<int>(a)];
}

// Row r, column c is the cell [r, r+1) x [c, c+1).
struct Camera {
  bool fit = true;                // follows the view's size; the numbers below then mean nothing
  double row = 0, col = 0;        // matrix coordinates at the middle of the view
  double row_px = 1, col_px = 1;  // pixels per row and per column
  bool operator==(const Camera&) const = default;
};

struct Extent {
  index_t rows = 0, cols = 0;
};

// Converts between matrix coordinates and pixels, for a camera and the rectangle of the view.
struct SpyMap {
  Camera camera;
  plot::Rect view;
  double x_of(double col) const { return view.x + view.w / 2 + (col - camera.col) * camera.col_px; }
  double y_of(double row) const { return view.y + view.h / 2 + (row - camera.row) * camera.row_px; }
  double col_of(double x) const { return camera.col + (x - view.x - view.w / 2) / camera.col_px; }
  double row_of(double y) const { return camera.row + (y - view.y - view.h / 2) / camera.row_px; }
};

// Returns the camera as it is drawn. If it fits the view, its numbers are computed; otherwise they are limited to
// useful scales and positions.
Camera resolve(const Camera& c, Extent m, plot::Rect view, Aspect aspect);
// Scales by `factor` (> 1: closer) with the matrix point below `at` staying there.
Camera zoom_at(const Camera& c, plot::Rect view, plot::Point at, double factor);
// Moves the picture by a number of pixels.
Camera pan(const Camera& c, double dx, double dy);
// Shows the pixel rectangle `box` of the current view as large as it fits; keeps the ratio of the two scales.
Camera box(const Camera& c, plot::Rect view, plot::Rect box);
// Shows one entry per pixel, around the middle of the view.
Camera one_to_one(const Camera& c, Extent m);
// Shows row and column in the middle, close enough to read values.
Camera go_to(const Camera& c, index_t row, index_t col, double entry_px);

// Returns the level of the count pyramid (level k has cells of 2^k entries) whose cells take 1 to 2 pixels. It is level
// 0 if entries are larger.
int level_of(double px_per_entry);
// Returns the visible part of the matrix in whole rows and columns; empty (row0 == row1) if nothing is visible.
Window visible(const SpyMap& map, Extent m);

}  // namespace warpspy::ui
