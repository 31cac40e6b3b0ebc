// Columns in 16 bits where they fit, tile by tile: what csr_even reads in place of columns where it is asked to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

struct NarrowColumns {
  static constexpr std::int32_t wide = -1;
  std::vector<std::uint16_t> offsets;  // of each entry, up to whole tiles; nothing where no tile fits
  std::vector<std::int32_t> bases;     // of each tile: the column that offsets count from, or `wide`
  index_t narrow = 0;                  // tiles that fit
};

// A tile fits where all of its columns lie within 2^16 of each other, and below 2^31.
template <class Col>
NarrowColumns narrow_columns(std::span<const Col> columns, std::size_t tile) {
  NarrowColumns n;
  n.offsets.resize((columns.size() + tile - 1) / tile * tile);
  for (std::size_t begin = 0; begin < columns.size(); begin += tile) {
    const auto in_tile = columns.subspan(begin, std::min(tile, columns.size() - begin));
    const auto [least, most] = std::minmax_element(in_tile.begin(), in_tile.end());
    const auto from = static_cast<index_t>(*least), to = static_cast<index_t>(*most);
    const bool fits = to - from <= UINT16_MAX && to <= INT32_MAX;
    n.bases.push_back(fits ? static_cast<std::int32_t>(*least) : NarrowColumns::wide);
    if (!fits) continue;
    ++n.narrow;
    for (std::size_t i = 0; i < in_tile.size(); ++i)
      n.offsets[begin + i] = static_cast<std::uint16_t>(in_tile[i] - *least);
  }
  if (n.narrow == 0) n.offsets.clear();
  return n;
}

}  // namespace warpspy
