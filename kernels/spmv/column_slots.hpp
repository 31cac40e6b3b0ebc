// The entries of a CSR matrix are divided equally among thread blocks. The columns of a block's share are numbered from
// 0; these numbers are slots, places in shared memory. The kernel csr_slots_transposed reads slots in place of columns.
// A slot takes 16 bits, and a share lists its columns once.
#pragma once

#include <algorithm>
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

struct ColumnSlots {
  static constexpr int tile = 8 * simt::warp_size;  // entries that a warp takes at a time
  // A column is dense if it has at least this many entries for each tile of a share. Every lane then gets a slot of its
  // own for that column, so that lanes do not add to the same address and wait for each other.
  static constexpr int dense_per_tile = 4;
  static constexpr int most_slots = 1 << 16;
  static index_t dense_least(index_t tiles_per_share) {
    return std::max<index_t>(simt::warp_size, tiles_per_share * dense_per_tile);
  }
  static constexpr index_t most_parts = 16;  // parts that run in parallel, each with a counter for every column

  struct Share {
    std::int32_t first_tile, first_column, dense;
  };
  static constexpr int share_ints = sizeof(Share) / sizeof(std::int32_t);

  UnsetVector<std::uint16_t> slots;   // slot of each entry, padded to whole tiles
  std::vector<std::int32_t> columns;  // columns of each share: first the dense ones, then the others, both in ascending
                                      // order
  std::vector<std::int32_t> shares;   // share_ints numbers for each share, and for an empty one at the end
  int largest = 0;                    // slots of a share

  std::int64_t count() const { return static_cast<std::int64_t>(shares.size()) / share_ints - 1; }
};

namespace detail {

inline void require_countable(std::size_t columns) {
  if (columns > INT32_MAX)
    throw Error("kernel csr_slots_transposed would list " + std::to_string(columns) + " columns, more than 2147483647",
                {}, "use csr_transposed, or fewer blocks");
}

// Makes the slots of some neighbouring tiles and writes them to their places in ColumnSlots. A share has
// `tiles_per_share` tiles. It has fewer, but at least one, if its columns would need more than `most` slots.
template <class Col, class LaneOf>
class ColumnSlotsMaker {
 public:
  ColumnSlotsMaker(std::span<const Col> columns, index_t cols, index_t tiles_per_share, index_t most, LaneOf lane_of,
                   UnsetVector<std::uint16_t>& slots)
      : columns_(columns),
        most_(most),
        dense_least_(ColumnSlots::dense_least(tiles_per_share)),
        tiles_per_share_(tiles_per_share),
        lane_of_(lane_of),
        of_column_(static_cast<std::size_t>(cols)),
        touched_(cols),
        slots_(slots) {}

  ColumnSlots made(index_t begin, index_t end) && {
    index_t first = begin;
    for (index_t t = begin; t < end; ++t) {
      const bool full = t - first == tiles_per_share_;
      if (!full) add(t);
      if (!full && (needed_ <= most_ || t == first)) continue;
      if (!full) take_back(t);
      close(first, t);
      first = t;
      add(t);
    }
    close(first, end);
    return std::move(made_);
  }

 private:
  std::span<const Col> entries_of(index_t from, index_t to) const {  // tiles
    const auto begin = static_cast<std::size_t>(from * ColumnSlots::tile);
    return columns_.subspan(begin, std::min(columns_.size(), static_cast<std::size_t>(to * ColumnSlots::tile)) - begin);
  }
  std::int32_t& of(std::size_t column) { return of_column_[column]; }

  void add(index_t tile) {
    for (const Col c : entries_of(tile, tile + 1)) {
      const std::int32_t n = ++of(static_cast<std::size_t>(c));
      if (n == dense_least_) needed_ += simt::warp_size - 1;
      if (n > 1) continue;
      ++needed_;
      touched_.add(static_cast<std::size_t>(c));
    }
  }
  void take_back(index_t tile) {
    for (const Col c : entries_of(tile, tile + 1)) --of(static_cast<std::size_t>(c));
  }
  void begin_share(index_t first_tile, std::size_t dense) {
    require_countable(made_.columns.size());
    made_.shares.insert(made_.shares.end(),
                        {static_cast<std::int32_t>(first_tile), static_cast<std::int32_t>(made_.columns.size()),
                         static_cast<std::int32_t>(dense)});
  }
  void close(index_t first, index_t end) {
    dense_.clear(), others_.clear();
    touched_.take([&](std::size_t c) {
      if (of(c) == 0) return;  // the column has lost its slot
      (of(c) >= dense_least_ ? dense_ : others_).push_back(static_cast<std::int32_t>(c));
    });
    begin_share(first, dense_.size());
    made_.columns.insert(made_.columns.end(), dense_.begin(), dense_.end());
    made_.columns.insert(made_.columns.end(), others_.begin(), others_.end());
    // From here on each column has its slot; a dense column has its first slot.
    std::int32_t slot = 0;
    for (const std::int32_t c : dense_) of(static_cast<std::size_t>(c)) = slot, slot += simt::warp_size;
    const std::int32_t of_dense = slot;
    for (const std::int32_t c : others_) of(static_cast<std::size_t>(c)) = slot++;
    auto k = static_cast<std::size_t>(first * ColumnSlots::tile);
    for (const Col c : entries_of(first, end)) {
      const std::int32_t own = of(static_cast<std::size_t>(c));
      slots_[k] = static_cast<std::uint16_t>(own < of_dense ? own + lane_of_(k) : own);
      ++k;
    }
    for (const auto* list : {&dense_, &others_})
      for (const std::int32_t c : *list) of(static_cast<std::size_t>(c)) = 0;
    made_.largest = std::max(made_.largest, slot);
    needed_ = 0;
  }

  std::span<const Col> columns_;
  index_t most_, dense_least_, tiles_per_share_, needed_ = 0;
  LaneOf lane_of_;
  std::vector<std::int32_t> of_column_;  // for each column: its entries in the share so far; all 0 between shares
  ColumnSet touched_;                    // columns of the share so far
  std::vector<std::int32_t> dense_, others_;
  UnsetVector<std::uint16_t>& slots_;
  ColumnSlots made_;
};

}  // namespace detail

// Makes the slots of all shares. lane_of(k) returns the lane that reads entry k. One tile never needs more slots than
// it has entries. It uses all processors; the result does not depend on their number. Throws Error if the columns of
// all shares are too many for 32-bit indices.
template <class Col, class LaneOf>
ColumnSlots column_slots(std::span<const Col> columns, index_t cols, index_t tiles_per_share, index_t most,
                         LaneOf lane_of) {
  const index_t tiles = (static_cast<index_t>(columns.size()) + ColumnSlots::tile - 1) / ColumnSlots::tile;
  const index_t shares = std::max<index_t>(1, (tiles + tiles_per_share - 1) / tiles_per_share);
  const auto parts = static_cast<std::size_t>(std::min(ColumnSlots::most_parts, shares));
  const auto begin = [&](std::size_t part) {
    const auto first = static_cast<index_t>(part_begin(static_cast<std::size_t>(shares), part, parts));
    return std::min(first * tiles_per_share, tiles);
  };
  ColumnSlots all;
  all.slots.resize(static_cast<std::size_t>(tiles * ColumnSlots::tile));
  std::fill(all.slots.begin() + static_cast<std::ptrdiff_t>(columns.size()), all.slots.end(), std::uint16_t{0});
  std::vector<ColumnSlots> made(parts);
  in_parallel(parts, [&](std::size_t part) {
    made[part] = detail::ColumnSlotsMaker(columns, cols, tiles_per_share, most, lane_of, all.slots)
                     .made(begin(part), begin(part + 1));
  });
  for (ColumnSlots& part : made) {
    const auto before = static_cast<std::int32_t>(all.columns.size());
    all.columns.insert(all.columns.end(), part.columns.begin(), part.columns.end());
    detail::require_countable(all.columns.size());
    for (std::size_t s = 0; s < part.shares.size(); s += ColumnSlots::share_ints) part.shares[s + 1] += before;
    all.shares.insert(all.shares.end(), part.shares.begin(), part.shares.end());
    all.largest = std::max(all.largest, part.largest);
  }
  all.shares.insert(all.shares.end(),
                    {static_cast<std::int32_t>(tiles), static_cast<std::int32_t>(all.columns.size()), 0});
  return all;
}

// The input of Layout::prepare for these slots: the columns, the tiles of a share, the most slots of a share, and how
// many neighbouring entries a lane reads. `columns` lie on the host or on a device. A device makes the same arrays
// (kernels/device/prepared.hpp).
template <class Columns>
struct ColumnSlotsOf {
  Columns columns;
  index_t cols, tiles_per_share, room;
  int pack;
  ColumnSlots operator()() const {
    const auto own = static_cast<std::size_t>(pack);
    return column_slots(columns, cols, tiles_per_share, room,
                        [own](std::size_t k) { return static_cast<int>(k / own % simt::warp_size); });
  }
};

}  // namespace warpspy
