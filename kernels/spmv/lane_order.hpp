// Arrays in the order in which the lanes of a warp load them. A tile has `items` neighbouring entries for each lane. In
// the order of entries a warp would load them with gaps between its lanes, or hand them round in shared memory
// (csr_even); in lane order, made once, it loads packs of at most 16 bytes side by side, and each lane has its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/types.hpp"
#include "core/base/unset_vector.hpp"
#include "core/jobs/parallel.hpp"
#include "kernels/simt/simt.hpp"

namespace warpspy {

template <class E, int items>
struct LaneOrder {
  static constexpr int pack = std::min<int>(items, 16 / sizeof(E)), packs = items / pack;
  static constexpr std::size_t tile = std::size_t{items} * simt::warp_size;

  // Of so many entries: those of whole tiles.
  static constexpr std::size_t places(std::size_t entries) { return (entries + tile - 1) / tile * tile; }

  // Of entry k.
  static constexpr std::size_t place_of(std::size_t k) {
    const std::size_t in = k % tile, lane = in / items, i = in % items;
    return k - in + (i / pack * simt::warp_size + lane) * pack + i % pack;
  }
};

// All of the entries, with `fill` up to whole tiles. On all processors.
template <int items, class E>
UnsetVector<E> in_lane_order(std::span<const E> entries, E fill = {}) {
  using Order = LaneOrder<E, items>;
  UnsetVector<E> all(Order::places(entries.size()));
  for (std::size_t k = entries.size(); k < all.size(); ++k) all[Order::place_of(k)] = fill;
  const std::size_t tiles = all.size() / Order::tile;
  constexpr std::size_t most_parts = 16, least_tiles = 64;
  const std::size_t parts = std::clamp<std::size_t>(tiles / least_tiles, 1, most_parts);
  in_parallel(parts, [&](std::size_t part) {
    const std::size_t end = std::min(part_begin(tiles, part + 1, parts) * Order::tile, entries.size());
    for (std::size_t k = part_begin(tiles, part, parts) * Order::tile; k < end; ++k)
      all[Order::place_of(k)] = entries[k];
  });
  return all;
}

// Where element i of an array in shared memory lies, so that lanes which ask for every second, fourth or eighth element
// meet in no bank: each 128 bytes are turned by one element more than those before. Such an array takes whole lines.
template <class T>
struct TurnedLines {
  static constexpr int line = 128 / static_cast<int>(sizeof(T));
  SIMT_ANYWHERE static constexpr int place_of(int i) { return (i & -line) | ((i + i / line) & (line - 1)); }
  SIMT_ANYWHERE static constexpr int size_for(int elements) { return (elements + line - 1) / line * line; }
};

}  // namespace warpspy

namespace warpspy::inline SIMT_TARGET {

// What a lane has of an array of columns or slots. 16-bit ones stay together in registers of 32 until they are asked
// for.
template <class Col, int items>
struct LaneColumns {
  Col column[items];
  SIMT_DEVICE void set(int i, Col c) { column[i] = c; }
  SIMT_DEVICE Col at(int i) const { return column[i]; }
};
template <int items>
struct LaneColumns<std::uint16_t, items> {
  std::uint32_t pair[items / 2];
  // In order: the second one of a pair after the first.
  SIMT_DEVICE void set(int i, std::uint16_t c) { pair[i / 2] = i % 2 == 0 ? c : pair[i / 2] | std::uint32_t{c} << 16; }
  SIMT_DEVICE std::uint16_t at(int i) const { return static_cast<std::uint16_t>(pair[i / 2] >> (i % 2 * 16)); }
};

// A lane's entries of a tile of an array in lane order.
template <int items, class Policy, class E, class To>
SIMT_DEVICE void ld_of_lane(const Policy& policy, const simt::Array<const E>& array, int tile, int lane, const To& to,
                            simt::Where where = simt::Where::current()) {
  using Order = LaneOrder<E, items>;
  SIMT_UNROLL
  for (int p = 0; p < Order::packs; ++p) {
    const std::int64_t first = ((std::int64_t{tile} * Order::packs + p) * simt::warp_size + lane) * Order::pack;
    const auto pack = simt::ld_pack<Order::pack>(policy, array, first, where);
    SIMT_UNROLL
    for (int i = 0; i < Order::pack; ++i) to(p * Order::pack + i, pack.v[i]);
  }
}

}  // namespace warpspy::inline SIMT_TARGET
