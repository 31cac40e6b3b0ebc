#include "core/formats/layout.hpp"

#include <cstdio>

namespace warpspy {
namespace {

std::string text_of(const ArrayView& array, std::size_t at) {
  char text[48];
  if (array.type == ArrayView::Type::pair16) {
    const auto word = static_cast<std::uint32_t>(array[at]);
    std::snprintf(text, sizeof text, "(%u, %u)", word >> 16, word & 0xffff);
  } else {
    std::snprintf(text, sizeof text, "%.6g", array[at]);
  }
  return text;
}

LayoutArray printed(const ArrayGrid& grid, const ArrayView& array, const std::vector<std::vector<Slot>>& slots) {
  LayoutArray out{grid.name, grid.rows, grid.cols, {}};
  for (index_t r = 0; r < grid.rows; ++r)
    for (index_t c = 0; c < grid.cols; ++c) {
      LayoutCell cell;
      cell.slot =
          grid.begin + static_cast<std::size_t>(r) * grid.row_step + static_cast<std::size_t>(c) * grid.col_step;
      if (array.part >= 0) {
        const Slot& slot = slots[array.part][cell.slot];
        cell.row = slot.row;
        cell.column = slot.column;
        cell.padding = slot.padding();
      }
      cell.text = cell.padding ? "*" : text_of(array, cell.slot);
      out.cells.push_back(std::move(cell));
    }
  return out;
}

}  // namespace

std::vector<LayoutArray> layout_of(const Format& format, std::size_t most) {
  const std::vector<ArrayView> arrays = format.arrays();
  std::size_t elements = 0;
  std::vector<std::vector<Slot>> slots;
  for (const ArrayView& array : arrays) {
    elements += array.size();
    if (array.part < 0) continue;
    if (slots.size() <= static_cast<std::size_t>(array.part)) slots.resize(static_cast<std::size_t>(array.part) + 1);
  }
  if (elements > most)
    throw Error("the arrays have " + std::to_string(elements) + " elements, too many for a layout picture", {},
                "use a matrix whose arrays have at most " + std::to_string(most));
  for (const ArrayView& array : arrays)
    if (array.part >= 0) slots[array.part].resize(array.size());
  format.for_each_slot([&](const Slot& s) { slots[s.part][s.position] = s; });
  std::vector<LayoutArray> layout;
  for (const ArrayGrid& grid : format.grids()) layout.push_back(printed(grid, arrays[grid.array], slots));
  return layout;
}

}  // namespace warpspy
