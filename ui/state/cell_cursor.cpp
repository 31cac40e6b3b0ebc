#include "ui/state/cell_cursor.hpp"

#include <algorithm>

namespace warpspy::ui {

namespace {

index_t last_of(index_t n) { return std::max<index_t>(0, n - 1); }

index_t step(index_t at, index_t by, int level, index_t n) {
  const index_t cells = last_of(n) >> level;
  return std::min(last_of(n), std::clamp<index_t>((at >> level) + by, 0, cells) << level);
}

}  // namespace

Window cell_of(const CellCursor& c, const CellGrid& grid) {
  const index_t row = c.row >> grid.kr << grid.kr, col = c.col >> grid.kc << grid.kc;
  return {row, std::min(grid.extent.rows, row + (index_t{1} << grid.kr)), col,
          std::min(grid.extent.cols, col + (index_t{1} << grid.kc))};
}

CellCursor moved(const CellCursor& c, const CellGrid& grid, index_t down, index_t along) {
  // The other coordinate does not change, so that zooming in finds the same entry again.
  return {down == 0 ? c.row : step(c.row, down, grid.kr, grid.extent.rows),
          along == 0 ? c.col : step(c.col, along, grid.kc, grid.extent.cols)};
}

CellCursor in_the_middle(const Window& visible) {
  return {(visible.row0 + last_of(visible.row1)) / 2, (visible.col0 + last_of(visible.col1)) / 2};
}

bool sees(const Window& visible, const CellCursor& c) {
  return c.row >= visible.row0 && c.row < visible.row1 && c.col >= visible.col0 && c.col < visible.col1;
}

Camera showing(const SpyMap& map, const CellCursor& c, const CellGrid& grid) {
  const plot::Rect cell = cell_rect(map, cell_of(c, grid)), &view = map.view;
  // How far the cell exceeds the view at either end. Of a cell larger than the view, the beginning is shown.
  const auto out = [](double from, double to, double lo, double hi) {
    if (from < lo) return from - lo;
    return to > hi ? std::min(to - hi, from - lo) : 0.0;
  };
  const double dx = out(cell.x, cell.right(), view.x, view.right());
  const double dy = out(cell.y, cell.bottom(), view.y, view.bottom());
  return dx == 0 && dy == 0 ? map.camera : pan(map.camera, -dx, -dy);
}

plot::Rect cell_rect(const SpyMap& map, const Window& cell) {
  const double x = map.x_of(static_cast<double>(cell.col0)), y = map.y_of(static_cast<double>(cell.row0));
  return {x, y, map.x_of(static_cast<double>(cell.col1)) - x, map.y_of(static_cast<double>(cell.row1)) - y};
}

}  // namespace warpspy::ui
