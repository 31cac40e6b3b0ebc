// Arrays in the order in which the lanes of a warp load them. A tile has `items` neighbouring entries for each lane. In
// the order of entries, lanes would load with gaps between them, or exchange entries through shared memory (csr_even).
// In lane order, which is made once, neighbouring lanes load neighbouring packs of at most 16 bytes, and each lane gets
// its own entries.
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

  // The number of entries, rounded up to whole tiles.
  SIMT_ANYWHERE static constexpr std::size_t places(std::size_t entries) { return (entries + tile - 1) / tile * tile; }

  // The place of entry k in lane order.
  SIMT_ANYWHERE static constexpr std::size_t place_of(std::size_t k) {
    const std::size_t in = k % tile, lane = in / items, i = in % items;
    return k - in + (i / pack * simt::warp_size + lane) * pack + i % pack;
  }
};

// Puts all entries into lane order, with `fill` up to whole tiles. Uses all processors.
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

// The input of Layout::of_format for an array in lane order. A device makes the same array
// (kernels/device/prepared.hpp).
template <class E, int items>
struct LaneOrderOf {
  std::span<const E> entries;
  UnsetVector<E> operator()() const { return in_lane_order<items>(entries); }
};

// The place of element i of an array in shared memory. Each 128 bytes are rotated by one element more than the previous
// ones. So lanes that access every second, fourth or eighth element use different banks. Such an array takes whole
// lines of 128 bytes, which have `line` elements.
SIMT_ANYWHERE constexpr int turned_place(int i, int line) { return (i & -line) | ((i + i / line) & (line - 1)); }
template <class T>
struct TurnedLines {
  static constexpr int line = 128 / static_cast<int>(sizeof(T));
  SIMT_ANYWHERE static constexpr int place_of(int i) { return turned_place(i, line); }
  SIMT_ANYWHERE static constexpr int size_for(int elements) { return (elements + line - 1) / line * line; }
};

}  // namespace warpspy

namespace warpspy::inline SIMT_TARGET {

// A lane's part of an array of columns or slots. Two 16-bit numbers share a register of 32 bits until they are used.
template <class Col, int items>
struct LaneColumns {
  Col column[items];
  SIMT_DEVICE void set(int i, Col c) { column[i] = c; }
  SIMT_DEVICE Col at(int i) const { return column[i]; }
};
template <int items>
struct LaneColumns<std::uint16_t, items> {
  std::uint32_t pair[items / 2];
  // Call it in ascending order of i: the second number of a pair must follow the first.
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
