// Blocks of half of a symmetric matrix dealt out to thread blocks in tiles, and the block rows and columns of each
// share numbered from 0, by one number for both: what bsr_symmetric reads in place of block columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/jobs/parallel.hpp"

namespace warpspy {

struct BlockSlots {
  static constexpr index_t most_slots = 1 << 16;

  std::vector<std::uint16_t> slots;  // of each block two: of its row, and of its column. Whole tiles
  std::vector<std::int32_t> lines;  // of each share, ascending: slot s stands for block row and column lines[begin + s]
  std::vector<std::int32_t> begins;  // of each share in `lines`, and behind the last
  std::vector<std::int32_t> tiles;   // where each share begins, and behind the last
  int largest = 1;                   // slots of a share
};

namespace detail {

// The block row whose blocks stand at a place.
using RowAt = index_t(index_t place);

// Neighbouring shares.
template <class Ptr, class Col>
class BlockSlotsOfShares {
 public:
  BlockSlotsOfShares(std::span<const Ptr> block_ptr, std::span<const Col> block_columns, RowAt* row_at, index_t tile,
                     index_t room)
      : block_ptr_(block_ptr),
        block_columns_(block_columns),
        row_at_(row_at),
        tile_(tile),
        room_(static_cast<std::size_t>(room)),
        slot_of_(block_ptr.size() - 1) {}

  // One share of these tiles, or as many halves of halves as it takes until there is room.
  void cut(index_t first, index_t last, std::span<std::uint16_t> slots) {
    const std::size_t before = lines.size();
    if (list(first, last) || last - first == 1) {
      std::sort(lines.begin() + static_cast<std::ptrdiff_t>(before), lines.end());
      number(first, last, before, slots);
      counts.push_back(static_cast<std::int32_t>(lines.size() - before));
      tiles.push_back(static_cast<std::int32_t>(first));
      forget(before);
      return;
    }
    forget(before);
    lines.resize(before);
    const index_t middle = (first + last) / 2;
    cut(first, middle, slots);
    cut(middle, last, slots);
  }

  std::vector<std::int32_t> lines, counts, tiles;

 private:
  template <class F>
  void for_each_block(index_t first, index_t last, F&& f) {
    const auto end = std::min<std::size_t>(static_cast<std::size_t>(last * tile_), block_columns_.size());
    auto k = static_cast<std::size_t>(first * tile_);
    auto place = static_cast<std::size_t>(std::upper_bound(block_ptr_.begin(), block_ptr_.end(), static_cast<Ptr>(k)) -
                                          block_ptr_.begin() - 1);
    for (; k < end; ++k) {
      while (static_cast<std::size_t>(block_ptr_[place + 1]) <= k) ++place;
      const index_t row = row_at_(static_cast<index_t>(place));
      if (!f(k, static_cast<std::size_t>(row), static_cast<std::size_t>(block_columns_[k]))) return;
    }
  }

  // False where there is no room for all.
  bool list(index_t first, index_t last) {
    const std::size_t before = lines.size();
    bool fits = true;
    for_each_block(first, last, [&](std::size_t, std::size_t row, std::size_t column) {
      for (const std::size_t line : {row, column})
        if (slot_of_[line]++ == 0) lines.push_back(static_cast<std::int32_t>(line));
      return fits = lines.size() - before <= room_;
    });
    return fits;
  }
  void number(index_t first, index_t last, std::size_t before, std::span<std::uint16_t> slots) {
    for (std::size_t i = before; i < lines.size(); ++i)
      slot_of_[static_cast<std::size_t>(lines[i])] = static_cast<std::int32_t>(i - before);
    for_each_block(first, last, [&](std::size_t k, std::size_t row, std::size_t column) {
      slots[2 * k] = static_cast<std::uint16_t>(slot_of_[row]);
      slots[2 * k + 1] = static_cast<std::uint16_t>(slot_of_[column]);
      return true;
    });
  }
  void forget(std::size_t before) {
    for (std::size_t i = before; i < lines.size(); ++i) slot_of_[static_cast<std::size_t>(lines[i])] = 0;
  }

  std::span<const Ptr> block_ptr_;
  std::span<const Col> block_columns_;
  RowAt* row_at_;
  index_t tile_;
  std::size_t room_;
  std::vector<std::int32_t> slot_of_;  // of each block row: how often it was seen, or its slot; zeros between
};

}  // namespace detail

// block_ptr is of places, as many as there are block rows, and row_at tells which stands where. `shares` shares of
// equal many tiles, or 2, 4, 8 ... times as many where more than a few would have more lines than `room`; those few are
// cut in halves until they fit. A share of one tile always does, 2 * tile <= room <= most_slots. On all processors; the
// same, however many there are. Throws Error where they cannot be counted in 32 bits.
template <class Ptr, class Col>
BlockSlots block_slots(const char* kernel, std::span<const Ptr> block_ptr, std::span<const Col> block_columns,
                       detail::RowAt* row_at, index_t tile, index_t shares, index_t room) {
  const auto blocks = static_cast<index_t>(block_columns.size()), lines = static_cast<index_t>(block_ptr.size()) - 1;
  const index_t tiles = (blocks + tile - 1) / tile;
  constexpr index_t most = std::numeric_limits<std::int32_t>::max();
  const auto refuse = [&] {
    return Error(std::string("kernel ") + kernel + " cannot count more than 2147483647 block rows or tiles", {},
                 "use bsr_warps");
  };
  if (lines > most || tiles > most) throw refuse();
  BlockSlots all;
  all.slots.resize(static_cast<std::size_t>(2 * tiles * tile));
  // Each part has a number for every block row: together not many more than there are blocks.
  constexpr index_t most_parts = 16, numbers_of_block = 4;
  const index_t affordable =
      std::clamp<index_t>(numbers_of_block * blocks / std::max<index_t>(1, lines), 1, most_parts);
  using Part = detail::BlockSlotsOfShares<Ptr, Col>;
  std::vector<Part> made;
  for (index_t share = std::max<index_t>(1, (tiles + shares - 1) / shares);; share = (share + 1) / 2) {
    const auto whole = static_cast<std::size_t>((tiles + share - 1) / share);
    const std::size_t parts = std::min(whole, static_cast<std::size_t>(affordable));
    made.assign(parts, Part{block_ptr.first(1), block_columns, row_at, tile, room});
    std::vector<std::size_t> without_room(parts);  // shares
    in_parallel(parts, [&](std::size_t part) {
      made[part] = Part{block_ptr, block_columns, row_at, tile, room};
      for (std::size_t s = part_begin(whole, part, parts); s < part_begin(whole, part + 1, parts); ++s) {
        const index_t first = static_cast<index_t>(s) * share;
        const std::size_t before = made[part].tiles.size();
        made[part].cut(first, std::min(first + share, tiles), all.slots);
        without_room[part] += made[part].tiles.size() - before > 1;
      }
    });
    // Thread blocks with halves are ready early, and the device waits for those with whole shares.
    constexpr std::size_t few = 32;  // one in so many
    const auto cut = std::accumulate(without_room.begin(), without_room.end(), std::size_t{0});
    if (share == 1 || cut <= whole / few) break;
  }
  all.begins.push_back(0);
  for (const auto& part : made) {
    if (static_cast<index_t>(all.lines.size() + part.lines.size()) > most) throw refuse();
    all.lines.insert(all.lines.end(), part.lines.begin(), part.lines.end());
    all.tiles.insert(all.tiles.end(), part.tiles.begin(), part.tiles.end());
    for (const std::int32_t count : part.counts) {
      all.begins.push_back(all.begins.back() + count);
      all.largest = std::max(all.largest, static_cast<int>(count));
    }
  }
  if (all.tiles.empty()) all.tiles.push_back(0), all.begins.push_back(0);
  all.tiles.push_back(static_cast<std::int32_t>(tiles));
  return all;
}

}  // namespace warpspy
