// The cell of the pattern that the arrow keys move. Pure arithmetic.
#pragma once

#include "core/raster/raster.hpp"
#include "ui/state/camera.hpp"

namespace warpspy::ui {

// Cells as they are drawn: 2^kr rows and 2^kc columns each.
struct CellGrid {
  Extent extent;
  int kr = 0, kc = 0;
};

// An entry, which stands for its cell at every level.
struct CellCursor {
  index_t row = 0, col = 0;
  bool operator==(const CellCursor&) const = default;
};

// Returns the rows and columns of the cursor's cell.
Window cell_of(const CellCursor& c, const CellGrid& grid);
// Moves the cursor by this many cells, inside the matrix.
CellCursor moved(const CellCursor& c, const CellGrid& grid, index_t down, index_t along);
// Returns the cell in the middle of the visible part.
CellCursor in_the_middle(const Window& visible);
bool sees(const Window& visible, const CellCursor& c);
// Returns a camera that shows the cell: the present one if it does, otherwise one that is moved as little as needed.
Camera showing(const SpyMap& map, const CellCursor& c, const CellGrid& grid);
// Returns the cell's rectangle on the screen.
plot::Rect cell_rect(const SpyMap& map, const Window& cell);

}  // namespace warpspy::ui
