// Computes the products of a tile (a range of neighbouring entries) and writes them to shared memory, in the order of
// the entries. This is the first step of csr_stream and csr_merge.
#pragma once

#include "kernels/spmv/spmv.hpp"
#include "kernels/spmv/value_arrays.hpp"

namespace warpspy::inline SIMT_TARGET {

// The arrays from which products are computed.
template <class T, class Col, class Values = PlainValues<T>>
struct ProductArrays {
  simt::Array<const Col> columns;
  Values values;
  simt::Array<const T> x;

  // Computes products first, first + 32, ... of the tile's `entries`; the tile begins at entry `begin`. `whole`: the
  // tile has all `items` entries. Then no load needs a condition, so all loads are in flight together; loads behind
  // conditions wait for each other.
  template <bool whole, int items, class Cached, class Products>
  SIMT_DEVICE void put(const Cached& cached, const Products& products, std::int64_t begin, int first, int entries,
                       simt::PreviousLaunch& previous, simt::Where where) const {
    const std::int64_t origin = begin + first;
    Col column[items];
    LaneProducts<T, typename Values::Raw, items> own;
    SIMT_UNROLL
    for (int i = 0; i < items; ++i) {
      const int k = i * simt::warp_size;
      column[i] = 0;
      own.raw(i) = {};
      if (!whole && first + k >= entries) continue;
      column[i] = simt::ld(cached.columns, columns, origin + k, where);
      own.raw(i) = values.at(cached.values, origin + k, where);
    }
    previous.await();
    SIMT_UNROLL
    for (int i = 0; i < items; ++i)
      if (whole || first + i * simt::warp_size < entries)
        own.value[i] = values.value(cached.values, own.raw(i), where) * simt::ld(cached.x, x, column[i], where);
    SIMT_UNROLL
    for (int i = 0; i < items; ++i) {
      const int k = first + i * simt::warp_size;
      if (whole || k < entries) simt::st(products, k, own.value[i], where);
    }
  }

  // Computes the products of thread t, at most `items` of them. Neighbouring lanes read neighbouring entries. The
  // entries of a warp are consecutive, so the positions of a thread differ by constants.
  template <int items, class Cached, class Products>
  SIMT_DEVICE void stage(simt::Thread t, const Cached& cached, const Products& products, std::int64_t begin,
                         int entries, simt::PreviousLaunch& previous,
                         simt::Where where = simt::Where::current()) const {
    const int lane = t.thread % simt::warp_size, first_of_warp = (t.thread - lane) * items;
    if (first_of_warp + items * simt::warp_size <= entries)
      put<true, items>(cached, products, begin, first_of_warp + lane, entries, previous, where);
    else
      put<false, items>(cached, products, begin, first_of_warp + lane, entries, previous, where);
  }
};

}  // namespace warpspy::inline SIMT_TARGET
