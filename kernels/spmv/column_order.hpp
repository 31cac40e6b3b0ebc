// CSR dealt out to blocks by entries, and the entries of each share put in the order of their columns: what
// csr_even_transposed reads in place of row pointers and columns.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy {

// A share has `tiles_per_share` tiles, the last one perhaps fewer. What fills up the last tile belongs to its last
// column.
struct ColumnOrder {
  static constexpr int items = 8, tile = items * simt::warp_size;  // entries of a lane and of a warp at a time
  static constexpr index_t most_tiles = (1 << 16) / tile;          // of a share: 16 bits say where an entry lies

  std::vector<std::uint16_t> order;      // entry of a share that comes next when it is sorted by columns
  std::vector<std::uint16_t> flags;      // of lanes, as EvenSplit has them, with columns for rows
  std::vector<std::int64_t> first_ends;  // of each tile: the first of `columns` that ends there
  std::vector<std::int32_t> columns;     // of each share, in ascending order
};

template <class Col>
ColumnOrder column_order(std::span<const Col> columns, index_t cols, index_t tiles_per_share) {
  constexpr auto tile = static_cast<std::size_t>(ColumnOrder::tile),
                 items = static_cast<std::size_t>(ColumnOrder::items);
  const std::size_t tiles = (columns.size() + tile - 1) / tile,
                    share = static_cast<std::size_t>(tiles_per_share) * tile;
  ColumnOrder made;
  made.order.resize(tiles * tile);
  made.flags.resize(tiles * simt::warp_size);
  std::vector<std::uint32_t> next(
      static_cast<std::size_t>(cols));  // how many of a column, then where the next one goes
  std::vector<std::uint64_t> present((next.size() + 63) / 64);
  for (std::size_t begin = 0; begin < columns.size(); begin += share) {
    const std::size_t end = std::min(begin + share, columns.size()), padded = (end + tile - 1) / tile * tile;
    std::size_t from = present.size(), to = 0;  // words that have columns
    for (std::size_t k = begin; k < end; ++k) {
      const auto c = static_cast<std::size_t>(columns[k]);
      if (next[c]++ != 0) continue;
      present[c / 64] |= std::uint64_t{1} << c % 64;
      from = std::min(from, c / 64), to = std::max(to, c / 64 + 1);
    }
    std::uint32_t place = 0;
    const std::size_t first_column = made.columns.size();
    for (std::size_t word = from; word < to; ++word) {
      for (std::uint64_t bits = present[word]; bits != 0; bits &= bits - 1) {
        const std::size_t c = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        made.columns.push_back(static_cast<std::int32_t>(c));
        place += next[c];
        const std::size_t last = begin + place == end ? padded - 1 : begin + place - 1;
        made.flags[last / items] |= static_cast<std::uint16_t>(1u << last % items);
        next[c] = place - next[c];
      }
      present[word] = 0;
    }
    for (std::size_t k = begin; k < end; ++k)
      made.order[begin + next[static_cast<std::size_t>(columns[k])]++] = static_cast<std::uint16_t>(k - begin);
    for (std::size_t k = end; k < padded; ++k) made.order[k] = static_cast<std::uint16_t>(k - begin);
    for (std::size_t i = first_column; i < made.columns.size(); ++i)
      next[static_cast<std::size_t>(made.columns[i])] = 0;
  }
  std::int64_t ended = 0;
  for (std::size_t t = 0; t < tiles; ++t) {
    made.first_ends.push_back(ended);
    int in_tile = 0;
    for (std::size_t lane = t * simt::warp_size; lane < (t + 1) * simt::warp_size; ++lane) {
      const int own = std::popcount(made.flags[lane]);
      made.flags[lane] |= static_cast<std::uint16_t>(in_tile << items);
      in_tile += own;
    }
    ended += in_tile;
  }
  return made;
}

}  // namespace warpspy
