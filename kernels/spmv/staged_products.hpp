// A tile's products, side by side and whatever row they belong to, into shared memory: how csr_stream and csr_merge
// begin.
#pragma once

#include "kernels/spmv/spmv.hpp"
#include "kernels/spmv/value_arrays.hpp"

namespace warpspy::inline SIMT_TARGET {

// The arrays that products come from.
template <class T, class Col, class Values = PlainValues<T>>
struct ProductArrays {
  simt::Array<const Col> columns;
  Values values;
  simt::Array<const T> x;

  // Products first, first + 32, ... of the tile's `entries`, which begin at entry `begin`; `whole`: there are all
  // `items` of them. Then nothing is asked before a load, and all loads are on their way at once: behind a condition
  // each, they wait for one another.
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

  // The products of thread t, `items` at most. Neighbouring lanes take neighbouring entries, and a warp takes all of
  // its own, so that the places of a thread's are one address and constants.
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
