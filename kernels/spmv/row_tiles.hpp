// Cuts the rows of a CSR matrix into tiles of whole rows. csr_stream reads where they begin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

template <class Ptr>
struct RowTiles {
  std::vector<Ptr> tiles;  // row_tile_numbers numbers for each tile
};
inline constexpr int row_tile_numbers = 4;

// Cuts the rows into tiles. A tile holds at most `entries` entries and `rows` rows; a row with more entries is a tile
// of its own. A tile is stored as four numbers: its first row, one past its last row, its first entry, one past its
// last entry.
template <class Ptr>
RowTiles<Ptr> row_tiles(std::span<const Ptr> row_ptr, index_t entries, index_t rows) {
  std::vector<Ptr> tiles;
  const auto count = static_cast<index_t>(row_ptr.size()) - 1;
  const auto at = [&](index_t row) { return row_ptr[static_cast<std::size_t>(row)]; };
  for (index_t row = 0; row < count;) {
    const index_t begin = at(row);
    index_t end = row + 1;
    while (end < count && end - row < rows && at(end + 1) - begin <= entries) ++end;
    tiles.insert(tiles.end(), {static_cast<Ptr>(row), static_cast<Ptr>(end), at(row), at(end)});
    row = end;
  }
  if (tiles.empty()) tiles.assign(row_tile_numbers, 0);  // a grid has at least one block
  return {std::move(tiles)};
}

// The input of Layout::prepare for these tiles. A device makes the same array (kernels/device/prepared.hpp).
template <class Ptr>
struct RowTilesOf {
  std::span<const Ptr> row_ptr;
  index_t entries, rows;
  RowTiles<Ptr> operator()() const { return row_tiles(row_ptr, entries, rows); }
};

}  // namespace warpspy
