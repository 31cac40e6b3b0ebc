// Half of a symmetric matrix is stored in tiles (core/formats/bsr_symmetric.hpp), and each thread block gets a share of
// the tiles. Within a share, the block rows and block columns are numbered from 0. These numbers are slots: places in
// shared memory. A block row and the block column with the same index have the same slot. The kernel bsr_symmetric
// reads slots in place of block columns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/jobs/parallel.hpp"
#include "kernels/simt/simt.hpp"

namespace warpspy {

// The matrix's blocks, in slices of 32 block rows. A tile has one block of each of these 32 block rows. `slice_ptr`:
// the tile at which each slice begins. `rows`: the block row at each place of a slice. `columns`: the block column at
// each place of a tile, negative for places without a block, which stand last.
template <class Ptr, class Row, class Col>
struct BlockSlices {
  std::span<const Ptr> slice_ptr;
  std::span<const Row> rows;
  std::span<const Col> columns;
  static constexpr index_t tile = 32;
  index_t tiles() const { return static_cast<index_t>(columns.size()) / tile; }
};

struct BlockSlots {
  // A line is a block row or block column. Its slot has the same remainder modulo `banks` as its index, so the index
  // decides the bank of shared memory. The format's order of blocks relies on that. So some slots stay unused.
  static constexpr index_t banks = 32;
  static constexpr index_t most_slots = (1 << 16) - banks;
  static constexpr std::uint16_t none = 0xffff;
  // For a tile: where the slots of its block rows begin in `rows`, and how many blocks the tile has.
  struct Head {
    std::int32_t rows, blocks;
  };
  static constexpr int head_ints = sizeof(Head) / sizeof(std::int32_t);

  std::vector<std::uint16_t> columns;  // slot of each block's column; `none` where a tile has no block
  std::vector<std::uint16_t> rows;     // for each slice, or part of a slice in a share: slots of its rows, or `none`
  std::vector<std::int32_t> heads;     // head_ints of each tile
  std::vector<std::int32_t> lines;     // block rows and columns of each share, ascending
  std::vector<std::uint16_t> slots;    // the slot of each of these lines
  std::vector<std::int32_t> begins;    // where each share begins in `lines`, and the end of the last
  std::vector<std::int32_t> tiles;     // where each share begins, and the end of the last
  int largest = 1;                     // slots of a share
};

// Whether the slots of a share are chosen by banks of shared memory. `deepest` is the largest number of the share's
// lines in one bank. If most slots would then be unused, or there is no room, lines get slots in their order instead.
SIMT_ANYWHERE constexpr bool slots_follow_banks(index_t deepest, index_t lines, index_t room) {
  constexpr index_t banks = 32;
  const index_t most = lines > banks ? 2 * lines : 2 * banks;
  return deepest * banks <= (most < room ? most : room);
}

// If at most one share of 32 has too many lines for shared memory, these shares are cut in halves. If more have too
// many, all shares are made smaller. Otherwise the thread blocks with halves would end early, and the device would wait
// for those with whole shares.
inline constexpr index_t few_of_shares = 32;

// Throws Error if the lines, or the 32 entries of each tile, are too many for 32-bit indices.
inline void require_block_slots(const char* kernel, index_t lines, index_t tiles) {
  constexpr index_t most = std::numeric_limits<std::int32_t>::max();
  if (lines > most || tiles > most / BlockSlots::banks)
    throw Error(
        std::string("kernel ") + kernel + " cannot count more than 2147483647 block rows, or 32 times as many blocks",
        {}, "use bsr_warps");
}

namespace detail {

// Makes the slots of some neighbouring shares. Each object numbers its parts of slices from 0.
template <class Slices>
class BlockSlotsOfShares {
 public:
  BlockSlotsOfShares(const Slices& slices, index_t lines, index_t room)
      : slices_(slices), room_(room), slot_of_(static_cast<std::size_t>(lines)) {}

  // Makes one share of these tiles, or divides them in halves until the lines of each part fit into shared memory.
  void cut(index_t first, index_t last, BlockSlots& to) {
    if (list(first, last) || last - first == 1) {
      number(first, last, to);
      tiles.push_back(static_cast<std::int32_t>(first));
      forget();
      return;
    }
    forget();
    const index_t middle = (first + last) / 2;
    cut(first, middle, to);
    cut(middle, last, to);
  }

  // Whether the lines of these tiles fit into shared memory.
  bool fits(index_t first, index_t last) {
    const bool has_room = list(first, last);
    forget();
    return has_room;
  }

  std::vector<std::int32_t> lines, counts, tiles;
  std::vector<std::uint16_t> rows, slots;
  index_t largest = 1;

 private:
  static constexpr index_t tile = Slices::tile, banks = BlockSlots::banks;

  index_t slice_of(index_t t) const {
    const auto& ptr = slices_.slice_ptr;
    return std::upper_bound(ptr.begin(), ptr.end(), t) - ptr.begin() - 1;
  }
  index_t end_of(index_t slice) const { return slices_.slice_ptr[static_cast<std::size_t>(slice + 1)]; }

  // Calls f(tile, lane, row, column) for each block, and part(slice) before the blocks of each slice.
  void for_each_block(index_t first, index_t last, auto&& part, auto&& f) {
    for (index_t t = first, slice = -1; t < last; ++t) {
      if (slice < 0 || t >= end_of(slice)) part(slice = slice_of(t));
      for (index_t lane = 0; lane < tile; ++lane) {
        const auto column = slices_.columns[static_cast<std::size_t>(t * tile + lane)];
        if (column < 0) break;
        f(t, lane, static_cast<std::size_t>(slices_.rows[static_cast<std::size_t>(slice * tile + lane)]),
          static_cast<std::size_t>(column));
      }
    }
  }

  // Returns false if there is no room for all lines.
  bool list(index_t first, index_t last) {
    for_each_block(
        first, last, [](index_t) {},
        [&](index_t, index_t, std::size_t row, std::size_t column) {
          for (const std::size_t line : {row, column}) {
            if (slot_of_[line]++ != 0) continue;
            listed_.push_back(static_cast<std::int32_t>(line));
            deepest_ = std::max(deepest_, ++in_bank_[line % banks]);
          }
        });
    return size() <= room_;
  }
  bool by_banks() const { return slots_follow_banks(deepest_, static_cast<index_t>(listed_.size()), room_); }
  index_t size() const { return by_banks() ? deepest_ * banks : static_cast<index_t>(listed_.size()); }
  void number(index_t first, index_t last, BlockSlots& to) {
    std::sort(listed_.begin(), listed_.end());
    in_bank_.fill(0);
    index_t next = 0;
    for (const std::int32_t line : listed_) {
      const index_t bank = line % banks;
      const index_t slot = by_banks() ? in_bank_[static_cast<std::size_t>(bank)]++ * banks + bank : next++;
      slot_of_[static_cast<std::size_t>(line)] = static_cast<std::int32_t>(slot);
      slots.push_back(static_cast<std::uint16_t>(slot));
    }
    lines.insert(lines.end(), listed_.begin(), listed_.end());
    counts.push_back(static_cast<std::int32_t>(listed_.size()));
    largest = std::max(largest, size());
    std::size_t of_part = 0;
    const auto begin_part = [&](index_t) {
      of_part = rows.size();
      rows.resize(of_part + tile, BlockSlots::none);
    };
    for_each_block(first, last, begin_part, [&](index_t t, index_t lane, std::size_t row, std::size_t column) {
      const auto at = static_cast<std::size_t>(t * tile + lane);
      rows[of_part + static_cast<std::size_t>(lane)] = static_cast<std::uint16_t>(slot_of_[row]);
      to.columns[at] = static_cast<std::uint16_t>(slot_of_[column]);
      std::int32_t* const head = to.heads.data() + t * BlockSlots::head_ints;
      head[0] = static_cast<std::int32_t>(of_part);
      head[1] = static_cast<std::int32_t>(lane + 1);
    });
  }
  void forget() {
    for (const std::int32_t line : listed_) slot_of_[static_cast<std::size_t>(line)] = 0;
    listed_.clear();
    in_bank_.fill(0);
    deepest_ = 0;
  }

  Slices slices_;
  index_t room_;
  std::vector<std::int32_t> slot_of_;  // for each line: how often it was seen, later its slot; all 0 between shares
  std::vector<std::int32_t> listed_;   // lines of the share
  std::array<index_t, banks> in_bank_{};
  index_t deepest_ = 0;  // number of lines in the fullest bank
};

}  // namespace detail

// Makes the shares and their slots for a matrix of `lines` block rows. It makes `shares` shares with equal numbers of
// tiles. If more than a few shares need more slots than `room`, it makes 2, 4, 8 ... times as many. The few that still
// do not fit are cut in halves. One tile always fits, since 2 * banks <= room <= most_slots. It uses all processors;
// the result does not depend on their number. Throws Error if the slots are too many for 32-bit indices.
template <class Slices>
BlockSlots block_slots(const char* kernel, const Slices& slices, index_t lines, index_t shares, index_t room) {
  constexpr index_t tile = Slices::tile;
  const index_t tiles = slices.tiles();
  require_block_slots(kernel, lines, tiles);
  BlockSlots all;
  all.columns.resize(static_cast<std::size_t>(tiles * tile), BlockSlots::none);
  all.heads.resize(static_cast<std::size_t>(tiles * BlockSlots::head_ints));
  // The parts run in parallel, and each has a counter for every block row. There are so few parts that all counters
  // together are not many more than the blocks.
  constexpr index_t most_parts = 16, numbers_of_block = 4;
  const index_t affordable =
      std::clamp<index_t>(numbers_of_block * tiles * tile / std::max<index_t>(1, lines), 1, most_parts);
  using Part = detail::BlockSlotsOfShares<Slices>;
  std::vector<Part> made;
  for (index_t share = std::max<index_t>(1, (tiles + shares - 1) / shares);; share = (share + 1) / 2) {
    const auto whole = static_cast<std::size_t>((tiles + share - 1) / share);
    const std::size_t parts = std::min(whole, static_cast<std::size_t>(affordable));
    made.assign(parts, Part{slices, 0, room});
    std::vector<std::size_t> without_room(parts);  // shares
    in_parallel(parts, [&](std::size_t part) {
      made[part] = Part{slices, lines, room};
      for (std::size_t s = part_begin(whole, part, parts); s < part_begin(whole, part + 1, parts); ++s) {
        const index_t first = static_cast<index_t>(s) * share;
        const std::size_t before = made[part].tiles.size();
        made[part].cut(first, std::min(first + share, tiles), all);
        without_room[part] += made[part].tiles.size() - before > 1;
      }
    });
    const auto cut = std::accumulate(without_room.begin(), without_room.end(), std::size_t{0});
    if (share == 1 || cut <= whole / static_cast<std::size_t>(few_of_shares)) break;
  }
  all.begins.push_back(0);
  for (std::size_t p = 0; p < made.size(); ++p) {
    const auto& part = made[p];
    require_block_slots(kernel, static_cast<index_t>(all.lines.size() + part.lines.size()), tiles);
    const index_t end = p + 1 < made.size() ? made[p + 1].tiles.front() : tiles;
    for (index_t t = part.tiles.front(); t < end; ++t)
      all.heads[static_cast<std::size_t>(t * BlockSlots::head_ints)] += static_cast<std::int32_t>(all.rows.size());
    all.rows.insert(all.rows.end(), part.rows.begin(), part.rows.end());
    all.lines.insert(all.lines.end(), part.lines.begin(), part.lines.end());
    all.slots.insert(all.slots.end(), part.slots.begin(), part.slots.end());
    all.tiles.insert(all.tiles.end(), part.tiles.begin(), part.tiles.end());
    for (const std::int32_t count : part.counts) all.begins.push_back(all.begins.back() + count);
    all.largest = std::max(all.largest, static_cast<int>(part.largest));
  }
  if (all.tiles.empty()) all.tiles.push_back(0), all.begins.push_back(0);
  all.tiles.push_back(static_cast<std::int32_t>(tiles));
  return all;
}

// The input of Layout::prepare for slots of blocks. A device makes the same arrays (kernels/device/prepared.hpp).
template <class Slices>
struct BlockSlotsOf {
  const char* kernel;
  Slices slices;
  index_t lines, shares, room;
  BlockSlots operator()() const { return block_slots(kernel, slices, lines, shares, room); }
};

}  // namespace warpspy
