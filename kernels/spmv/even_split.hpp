// Divides the entries of a CSR matrix into equal shares, one for each thread block, regardless of rows. The kernel
// csr_even reads these arrays instead of row pointers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "core/jobs/parallel.hpp"
#include "kernels/simt/trace.hpp"
#include "kernels/spmv/row_ends.hpp"

namespace warpspy {

// A tile is what a warp processes at a time: `items` entries for each lane. The share of a block is a run of
// neighbouring tiles.
struct EvenSplit {
  // One number for each lane of each tile. Bit i (i < `items`) is set if the lane's entry i is the last one of its row.
  // The bits above say how many rows end in the lanes before this one.
  std::vector<std::uint16_t> flags;
  std::vector<std::int32_t> first_ends;  // for each tile, how many rows end before it; empty rows do not count
  // The numbers of the rows that have entries. Empty if all rows have entries: then the n-th row that ends is row n.
  std::vector<std::int32_t> rows;      // in ascending order
  std::vector<std::uint32_t> present;  // a bit for each row: 1 if it has entries
  // A row may span several shares. At most one row from an earlier share ends in a given share (in_), and at most one
  // continues in the next share (out_).
  struct Border {
    std::int32_t in_slot, in_parts;  // in_parts 0: no such row
    std::int32_t out_slot, out_index, out_parts, out_row;
  };
  std::vector<std::int32_t> borders;  // border_ints numbers for each share
  std::int32_t slots = 0;

  index_t filled(index_t all_rows) const { return present.empty() ? all_rows : static_cast<index_t>(rows.size()); }
  static constexpr int border_ints = sizeof(Border) / sizeof(std::int32_t);
};

// Returns how many slots a row needs that spans `parts` shares. Each slot holds one partial sum. At each level of the
// reduction simt::most_parts partial sums become one.
SIMT_ANYWHERE constexpr std::int32_t slots_for(std::int32_t parts) {
  std::int32_t slots = 0;
  for (; parts > 1; parts = (parts + simt::most_parts - 1) / simt::most_parts) slots += parts;
  return slots;
}

namespace detail {

// Finds the rows that span several shares: a row for each border between shares, unless a row begins at the border.
template <class Ptr>
void mark_borders(std::span<const Ptr> row_ptr, index_t entries, index_t share, EvenSplit& split) {
  std::vector<EvenSplit::Border> borders(static_cast<std::size_t>((entries + share - 1) / share));
  for (auto at = std::size_t{1}; at < borders.size();) {
    const index_t border = static_cast<index_t>(at) * share;
    const auto row = std::upper_bound(row_ptr.begin(), row_ptr.end(), static_cast<Ptr>(border)) - row_ptr.begin() - 1;
    const index_t begin = row_ptr[static_cast<std::size_t>(row)], last = row_ptr[static_cast<std::size_t>(row + 1)] - 1;
    if (begin == border) {
      ++at;
      continue;
    }
    const std::size_t from = at - 1, to = static_cast<std::size_t>(last / share);
    const auto parts = static_cast<std::int32_t>(to - from + 1);
    for (std::size_t s = from; s < to; ++s) {
      EvenSplit::Border& b = borders[s];
      b.out_slot = split.slots, b.out_index = static_cast<std::int32_t>(s - from), b.out_parts = parts;
      b.out_row = static_cast<std::int32_t>(row);
    }
    borders[to].in_slot = split.slots;
    borders[to].in_parts = parts;
    split.slots += slots_for(parts);
    at = to + 1;
  }
  for (const EvenSplit::Border& b : borders)
    split.borders.insert(split.borders.end(), {b.in_slot, b.in_parts, b.out_slot, b.out_index, b.out_parts, b.out_row});
}

}  // namespace detail

// Returns for each tile how many rows end before it. Adds to each lane's flags, above `items` bits, how many rows end
// in the lanes before it.
inline std::vector<std::int32_t> count_ends(std::span<std::uint16_t> flags, int items) {
  constexpr std::size_t most_parts = 16, least_tiles = 512;
  const std::size_t tiles = flags.size() / simt::warp_size;
  const std::size_t parts = std::clamp<std::size_t>(tiles / least_tiles, 1, most_parts);
  std::vector<std::int32_t> first_ends(tiles), before(parts + 1);
  const auto for_tiles = [&](std::size_t part, auto&& work) {
    for (std::size_t t = part_begin(tiles, part, parts); t < part_begin(tiles, part + 1, parts); ++t) work(t);
  };
  in_parallel(parts, [&](std::size_t part) {
    for_tiles(part, [&](std::size_t t) {
      int in_tile = 0;
      for (std::size_t lane = t * simt::warp_size; lane < (t + 1) * simt::warp_size; ++lane) {
        const int own = std::popcount(flags[lane]);
        flags[lane] |= static_cast<std::uint16_t>(in_tile << items);
        in_tile += own;
      }
      first_ends[t] = before[part + 1];
      before[part + 1] += in_tile;
    });
  });
  for (std::size_t part = 0; part < parts; ++part) before[part + 1] += before[part];
  in_parallel(parts, [&](std::size_t part) { for_tiles(part, [&](std::size_t t) { first_ends[t] += before[part]; }); });
  return first_ends;
}

// Uses all processors; the result does not depend on their number.
template <class Ptr>
EvenSplit even_split(std::span<const Ptr> row_ptr, int items, std::int64_t tiles_per_share) {
  const auto entries = static_cast<index_t>(row_ptr.back());
  const index_t tile = index_t{items} * simt::warp_size;
  EvenSplit split;
  split.flags.resize(static_cast<std::size_t>((entries + tile - 1) / tile * simt::warp_size));
  RowEnds<Ptr> ends(row_ptr);
  ends.mark(std::span(split.flags), static_cast<std::size_t>(items), 1, true);
  if (!ends.all_filled()) split.rows = ends.filled(), split.present = ends.filled_bits();
  detail::mark_borders(row_ptr, entries, tile * tiles_per_share, split);
  split.first_ends = count_ends(split.flags, items);
  return split;
}

// The input of Layout::prepare for this split. A device makes the same arrays (kernels/device/prepared.hpp).
template <class Ptr>
struct EvenSplitOf {
  std::span<const Ptr> row_ptr;
  int items;
  index_t tiles_per_share;
  EvenSplit operator()() const { return even_split(row_ptr, items, tiles_per_share); }
};

}  // namespace warpspy
