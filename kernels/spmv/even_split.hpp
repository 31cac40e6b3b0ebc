// CSR dealt out evenly by entries, whatever rows they belong to: what csr_even reads in place of row pointers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy {

// A tile is what a warp takes at a time: `items` entries for each lane. Neighbouring tiles make up the share of a
// block.
struct EvenSplit {
  // Of each lane of each tile: bit i is set where its entry i is the last of a row; above these `items` bits, how many
  // rows the lanes before it end.
  std::vector<std::uint16_t> flags;
  std::vector<std::int32_t> first_ends;  // rows that end before each tile, empty ones not counted
  // Empty where no row is: then the n-th row that ends is row n, and none is left over.
  std::vector<std::int32_t> rows;      // that are not empty, in order
  std::vector<std::uint32_t> present;  // a bit for each row: not empty
  // Rows of several shares. Each share has at most one that began before it and ends in it, and one that goes on.
  struct Border {
    std::int32_t in_slot, in_parts;  // in_parts 0: there is none
    std::int32_t out_slot, out_index, out_parts, out_row;
  };
  std::vector<std::int32_t> borders;  // border_ints of each share
  std::int32_t slots = 0;

  static constexpr int border_ints = sizeof(Border) / sizeof(std::int32_t);
};

// Where the sums of a row's `parts` meet, simt::most_parts at a time: level for level as many slots as there are sums.
constexpr std::int32_t slots_for(std::int32_t parts) {
  std::int32_t slots = 0;
  for (; parts > 1; parts = (parts + simt::most_parts - 1) / simt::most_parts) slots += parts;
  return slots;
}

template <class Ptr>
EvenSplit even_split(std::span<const Ptr> row_ptr, int items, std::int64_t tiles_per_share) {
  const auto rows = static_cast<index_t>(row_ptr.size()) - 1, entries = static_cast<index_t>(row_ptr.back());
  const index_t tile = index_t{items} * simt::warp_size, share = tile * tiles_per_share;
  const auto tiles = static_cast<std::size_t>((entries + tile - 1) / tile);
  EvenSplit split;
  split.flags.resize(tiles * simt::warp_size);
  split.rows.reserve(static_cast<std::size_t>(rows));
  split.present.resize(static_cast<std::size_t>((rows + 31) / 32));
  std::vector<EvenSplit::Border> borders(static_cast<std::size_t>((entries + share - 1) / share));
  for (index_t row = 0; row < rows; ++row) {
    const index_t begin = row_ptr[static_cast<std::size_t>(row)], end = row_ptr[static_cast<std::size_t>(row + 1)];
    if (begin == end) continue;
    split.rows.push_back(static_cast<std::int32_t>(row));
    split.present[static_cast<std::size_t>(row / 32)] |= 1u << row % 32;
    const index_t last = end - 1;
    split.flags[static_cast<std::size_t>(last / items)] |= static_cast<std::uint16_t>(1u << last % items);
    const index_t from = begin / share, to = last / share;
    if (from == to) continue;
    const auto parts = static_cast<std::int32_t>(to - from + 1);
    for (index_t s = from; s < to; ++s) {
      EvenSplit::Border& b = borders[static_cast<std::size_t>(s)];
      b.out_slot = split.slots, b.out_index = static_cast<std::int32_t>(s - from), b.out_parts = parts;
      b.out_row = static_cast<std::int32_t>(row);
    }
    borders[static_cast<std::size_t>(to)].in_slot = split.slots;
    borders[static_cast<std::size_t>(to)].in_parts = parts;
    split.slots += slots_for(parts);
  }
  if (static_cast<index_t>(split.rows.size()) == rows) split.rows.clear(), split.present.clear();

  split.first_ends.reserve(tiles);
  std::int32_t ended = 0;
  for (std::size_t t = 0; t < tiles; ++t) {
    split.first_ends.push_back(ended);
    int in_tile = 0;
    for (std::size_t lane = t * simt::warp_size; lane < (t + 1) * simt::warp_size; ++lane) {
      const int own = std::popcount(split.flags[lane]);
      split.flags[lane] |= static_cast<std::uint16_t>(in_tile << items);
      in_tile += own;
    }
    ended += in_tile;
  }
  for (const EvenSplit::Border& b : borders)
    split.borders.insert(split.borders.end(), {b.in_slot, b.in_parts, b.out_slot, b.out_index, b.out_parts, b.out_row});
  return split;
}

}  // namespace warpspy
