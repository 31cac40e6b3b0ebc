// The entries of a CSR matrix are divided equally among thread blocks, and each block's share is sorted by column. The
// kernel csr_even_transposed reads this order in place of row pointers and columns.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/types.hpp"
#include "core/base/unset_vector.hpp"
#include "core/jobs/parallel.hpp"
#include "kernels/simt/trace.hpp"
#include "kernels/spmv/column_set.hpp"

namespace warpspy {

// A share has `tiles_per_share` tiles, the last one perhaps fewer. Padding of the last tile belongs to its last column.
struct ColumnOrder {
  static constexpr int items = 8, tile = items * simt::warp_size;  // entries that a lane and a warp process at a time
  static constexpr index_t most_tiles = (1 << 16) / tile;          // the most tiles of a share, since 16 bits say where
                                                                   // an entry lies

  UnsetVector<std::uint16_t> order;      // the entries of a share in the order of columns
  std::vector<std::uint16_t> flags;      // for each lane: which of its entries end a column, and how many columns end
                                         // in the lanes before (as in EvenSplit, for columns)
  std::vector<std::int64_t> first_ends;  // for each tile: index of the first of `columns` that ends there
  std::vector<std::int32_t> columns;     // columns of each share, in ascending order
};

namespace detail {

// Sorts some neighbouring shares, one after another.
template <class Col>
class OrderOfShares {
 public:
  OrderOfShares(std::span<const Col> columns, index_t cols, ColumnOrder& made)
      : columns_(columns), made_(made), next_(static_cast<std::size_t>(cols)), present_(cols) {}

  void add(std::size_t begin, std::size_t end) {
    constexpr auto tile = static_cast<std::size_t>(ColumnOrder::tile);
    const std::size_t padded = (end + tile - 1) / tile * tile, first_column = found.size();
    lay_out_columns(begin, end, padded);
    for (std::size_t k = begin; k < end; ++k)
      made_.order[begin + next_[static_cast<std::size_t>(columns_[k])]++] = static_cast<std::uint16_t>(k - begin);
    for (std::size_t k = end; k < padded; ++k) made_.order[k] = static_cast<std::uint16_t>(k - begin);
    for (std::size_t i = first_column; i < found.size(); ++i) next_[static_cast<std::size_t>(found[i])] = 0;
    std::int64_t ended = static_cast<std::int64_t>(first_column);
    for (std::size_t t = begin / tile; t < padded / tile; ++t) {
      made_.first_ends[t] = ended;
      ended += count_ends(t);
    }
  }

  std::vector<std::int32_t> found;  // columns of the shares so far

 private:
  // Finds the columns of a share, and where the entries of each begin and end.
  void lay_out_columns(std::size_t begin, std::size_t end, std::size_t padded) {
    constexpr auto items = static_cast<std::size_t>(ColumnOrder::items);
    for (std::size_t k = begin; k < end; ++k) {
      const auto c = static_cast<std::size_t>(columns_[k]);
      if (next_[c]++ == 0) present_.add(c);
    }
    std::uint32_t place = 0;
    present_.take([&](std::size_t c) {
      found.push_back(static_cast<std::int32_t>(c));
      place += next_[c];
      const std::size_t last = begin + place == end ? padded - 1 : begin + place - 1;
      made_.flags[last / items] |= static_cast<std::uint16_t>(1u << last % items);
      next_[c] = place - next_[c];
    });
  }
  // Writes for every lane of a tile how many columns end before it in the tile; returns how many end in all.
  int count_ends(std::size_t tile) {
    int in_tile = 0;
    for (std::size_t lane = tile * simt::warp_size; lane < (tile + 1) * simt::warp_size; ++lane) {
      const int own = std::popcount(made_.flags[lane]);
      made_.flags[lane] |= static_cast<std::uint16_t>(in_tile << ColumnOrder::items);
      in_tile += own;
    }
    return in_tile;
  }

  std::span<const Col> columns_;
  ColumnOrder& made_;
  std::vector<std::uint32_t> next_;  // for each column its number of entries, later the place of its next entry
  ColumnSet present_;
};

}  // namespace detail

// Sorts all shares. It uses all processors; the result does not depend on their number.
template <class Col>
ColumnOrder column_order(std::span<const Col> columns, index_t cols, index_t tiles_per_share) {
  constexpr auto tile = static_cast<std::size_t>(ColumnOrder::tile);
  constexpr std::size_t most_parts = 16;  // each has counters for all columns
  const std::size_t tiles = (columns.size() + tile - 1) / tile,
                    share = static_cast<std::size_t>(tiles_per_share) * tile;
  const std::size_t shares = (columns.size() + share - 1) / share, parts = std::min(most_parts, shares);
  ColumnOrder made;
  made.order.resize(tiles * tile);
  made.flags.resize(tiles * simt::warp_size);
  made.first_ends.resize(tiles);
  std::vector<std::vector<std::int32_t>> found(parts);
  in_parallel(parts, [&](std::size_t part) {
    detail::OrderOfShares<Col> order(columns, cols, made);
    for (std::size_t s = part_begin(shares, part, parts); s < part_begin(shares, part + 1, parts); ++s)
      order.add(s * share, std::min((s + 1) * share, columns.size()));
    found[part] = std::move(order.found);
  });
  for (std::size_t part = 0; part < parts; ++part) {
    const auto before = static_cast<std::int64_t>(made.columns.size());
    const std::size_t first = part_begin(shares, part, parts) * share / tile;
    const std::size_t end = std::min(part_begin(shares, part + 1, parts) * share / tile, tiles);
    for (std::size_t t = first; t < end; ++t) made.first_ends[t] += before;
    made.columns.insert(made.columns.end(), found[part].begin(), found[part].end());
  }
  return made;
}

// The input of Layout::prepare for this order. A device makes the same arrays (kernels/device/prepared.hpp).
template <class Col>
struct ColumnOrderOf {
  std::span<const Col> columns;
  index_t cols, tiles_per_share;
  ColumnOrder operator()() const { return column_order(columns, cols, tiles_per_share); }
};

// The places for the parts of each column's sum, which are added up later, always in the same order. The parts of a
// column lie side by side, those of earlier shares first.
struct ColumnParts {
  std::vector<std::int32_t> places;  // for each of ColumnOrder::columns: the place of its sum
  // For each warp of each share: the place of the sum of the column that its last tile leaves unfinished.
  std::vector<std::int32_t> open_places;
  std::vector<std::int32_t> begin;  // where each column begins, and the end of the last

  index_t count() const { return begin.back(); }
};

// Throws Error if the sums of columns need too many places. Each of `columns` columns of the shares needs one place,
// and each of `warps` warps at most one more.
inline void require_places(index_t columns, index_t warps) {
  if (columns + warps > INT32_MAX)
    throw Error(
        "kernel csr_even_transposed would leave " + std::to_string(columns) + " sums and more, more than 2147483647",
        {}, "add them by atomics, or use fewer blocks");
}

// The tiles of a share are divided among the block's `warps` as in csr_even_transposed. Throws Error if there are too
// many parts.
inline ColumnParts column_parts(const ColumnOrder& sorted, index_t cols, index_t tiles_per_share, index_t warps) {
  const auto tiles = static_cast<index_t>(sorted.first_ends.size());
  const index_t shares = (tiles + tiles_per_share - 1) / tiles_per_share;
  require_places(static_cast<index_t>(sorted.columns.size()), shares * warps);
  // For each warp: the index in `columns` of the column that it leaves unfinished, or -1.
  std::vector<std::int64_t> open(static_cast<std::size_t>(shares * warps), -1);
  for (index_t s = 0; s < shares; ++s) {
    const index_t first = s * tiles_per_share, count = std::min(tiles_per_share, tiles - first);
    for (index_t w = 0; w < warps; ++w) {
      const index_t from = first + w * count / warps, to = first + (w + 1) * count / warps;
      if (from == to) continue;
      const std::uint16_t last = sorted.flags[static_cast<std::size_t>(to * simt::warp_size - 1)];
      constexpr unsigned ends = (1u << ColumnOrder::items) - 1;
      if (last >> (ColumnOrder::items - 1) & 1) continue;
      open[static_cast<std::size_t>(s * warps + w)] = sorted.first_ends[static_cast<std::size_t>(to - 1)] +
                                                      (last >> ColumnOrder::items) + std::popcount(last & ends);
    }
  }
  ColumnParts parts;
  parts.begin.resize(static_cast<std::size_t>(cols) + 1);
  const auto column = [&](std::int64_t n) {
    return static_cast<std::size_t>(sorted.columns[static_cast<std::size_t>(n)]);
  };
  for (const std::int32_t c : sorted.columns) ++parts.begin[static_cast<std::size_t>(c) + 1];
  for (const std::int64_t n : open)
    if (n >= 0) ++parts.begin[column(n) + 1];
  for (std::size_t c = 1; c < parts.begin.size(); ++c) parts.begin[c] += parts.begin[c - 1];
  std::vector<std::int32_t> next(parts.begin.begin(), parts.begin.end() - 1);
  parts.places.resize(sorted.columns.size());
  parts.open_places.assign(open.size(), 0);
  std::size_t warp = 0;
  for (std::size_t n = 0; n < sorted.columns.size(); ++n) {
    for (; warp < open.size() && open[warp] <= static_cast<std::int64_t>(n); ++warp)
      if (open[warp] >= 0) parts.open_places[warp] = next[column(open[warp])]++;
    parts.places[n] = next[static_cast<std::size_t>(sorted.columns[n])]++;
  }
  return parts;
}

// The input of Layout::prepare for these places. It uses what ColumnOrderOf has made, on the host or on a device. A
// device makes the same arrays there.
template <class Sorted>
struct ColumnPartsOf {
  const Sorted& sorted;
  index_t cols, tiles_per_share, warps;
  ColumnParts operator()() const { return column_parts(sorted, cols, tiles_per_share, warps); }
};

}  // namespace warpspy
