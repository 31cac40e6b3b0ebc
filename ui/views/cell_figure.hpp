// Draws a figure of cells, such as a heat map or the plane of a search. Series 0 of the figure holds the cells, row by
// row, each one unit wide and high.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/plot/plot.hpp"
#include "ui/views/ui.hpp"

struct ImVec2;

namespace warpspy::ui {

class CellFigure {
 public:
  struct Picked {
    std::size_t cell = 0;
    std::uint64_t id = 0;  // id of the mark or the cell; 0: it has none
  };
  // Fills `size` at the cursor. Cells and marks have tooltips; a click picks one. If it has the keys, arrows go from
  // cell to cell, and Enter picks. `id`: the figure's id for export. `placed`: gets the layout.
  std::optional<Picked> draw(Ui& ui, const plot::Plot& figure, ImVec2 size, const char* id, plot::Parts parts,
                             plot::Layout* placed = nullptr);

 private:
  std::size_t cursor_ = 0;
};

}  // namespace warpspy::ui
