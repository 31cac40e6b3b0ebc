// Computes where the tiles of a merge path begin (Merrill & Garland 2016). A merge path merges the ends of rows and the
// entries of a matrix; each of its tiles has the same number of steps. The kernel csr_merge reads this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

// Returns how many rows end within the first `diagonal` steps of the merge (algorithm 2 of the paper). If that is r,
// the other diagonal - r steps are entries, and row r ends after them.
template <class Ptr>
index_t rows_ended(std::span<const Ptr> row_ptr, index_t diagonal) {
  const auto rows = static_cast<index_t>(row_ptr.size()) - 1, entries = static_cast<index_t>(row_ptr.back());
  index_t least = std::max<index_t>(0, diagonal - entries), most = std::min(diagonal, rows);
  while (least < most) {
    const index_t middle = (least + most) / 2;
    if (row_ptr[static_cast<std::size_t>(middle + 1)] < diagonal - middle)
      least = middle + 1;
    else
      most = middle;
  }
  return least;
}

// Returns rows_ended() for the beginning of each tile of `steps` steps, and for the end of the last tile. There is at
// least one tile.
template <class Ptr>
std::vector<std::make_unsigned_t<Ptr>> merge_tiles(std::span<const Ptr> row_ptr, index_t steps) {
  const index_t path = static_cast<index_t>(row_ptr.size()) - 1 + static_cast<index_t>(row_ptr.back());
  std::vector<std::make_unsigned_t<Ptr>> first_rows{0};
  for (index_t begin = 0; begin == 0 || begin < path; begin += steps)
    first_rows.push_back(static_cast<std::make_unsigned_t<Ptr>>(rows_ended(row_ptr, std::min(begin + steps, path))));
  return first_rows;
}

template <class Ptr>
struct MergeTiles {
  std::vector<std::make_unsigned_t<Ptr>> first_rows;
};

// The input of Layout::prepare for these tiles. A device makes the same array (kernels/device/prepared.hpp).
template <class Ptr>
struct MergeTilesOf {
  std::span<const Ptr> row_ptr;
  index_t steps;
  MergeTiles<Ptr> operator()() const { return {merge_tiles(row_ptr, steps)}; }
};

}  // namespace warpspy
