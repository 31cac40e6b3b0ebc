// Where the tiles of a merge path begin (Merrill & Garland 2016). csr_merge reads this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

// How many rows the first `diagonal` steps of the merge have ended (algorithm 2 of the paper): the least number whose
// next row ends after the entries of the remaining steps.
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

// rows_ended where each tile of `steps` begins and at the end of the last: one number more than there are tiles, of
// which there is at least one.
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

// For Layout::prepare: what is merged, and how many steps a tile has. A device makes the same
// (kernels/device/prepared.hpp).
template <class Ptr>
struct MergeTilesOf {
  std::span<const Ptr> row_ptr;
  index_t steps;
  MergeTiles<Ptr> operator()() const { return {merge_tiles(row_ptr, steps)}; }
};

}  // namespace warpspy
