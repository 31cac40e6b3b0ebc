// Sorts the entries by shares, and within a share by column. column_order and other preparations begin with this.
#pragma once

#include <cstdint>

#include "kernels/convert/steps.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Writes a sort key for each entry, which rises with the share, and within a share with the column. A block processes
// `tile` entries, and a thread divides only once for all of its entries.
template <class Col, class Key>
struct KeysOfShares {
  simt::Array<const Col> columns;
  simt::Array<Key> keys;
  std::int64_t cols, share_entries;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t first = t.block * tile + t.thread;
    std::int64_t share = first / share_entries, end = (share + 1) * share_entries;
    for (int i = 0; i < tile_items; ++i) {
      const std::int64_t k = first + i * threads;
      if (k >= keys.size) return;
      for (; k >= end; end += share_entries) ++share;
      simt::st(keys, k, static_cast<Key>(share * cols + simt::ld(columns, k)));
    }
  }
};

}  // namespace SIMT_TARGET
}  // namespace warpspy::convert
