// A warp sums up an interval of entries that are sorted by row: the core of every COO kernel (Bell & Garland 2008,
// section 4.4 and figure 24).
// The paper's segmented reduction compares rows at every step, in volatile shared memory, and relies on a warp running
// in lockstep. Here lanes exchange sums by shuffles, and one ballot says where rows begin.
#pragma once

#include "kernels/spmv/spmv.hpp"

namespace warpspy {

// Neither rows nor columns have 64 bits.
template <class Row, class Col>
constexpr bool compiled_coo = compiled_indices<Row, Col> && compiled_indices<Col, Row>;

inline ParamSpec coo_warps_spec() {
  return {.id = "coo_warps",
          .label = "COO warps at most",
          .help =
              "Each warp takes an interval of the entries, of 32 at least. As many warps as the device holds at a "
              "time is a good start; more of them leave more rows that begin in one and end in another.",
          .type = ParamSpec::Type::power_of_two,
          .min = 32,
          .max = 65536};
}

inline namespace SIMT_TARGET {

// `entries` dealt out in equal intervals, multiples of 32, one per warp.
struct CooIntervals {
  std::int64_t entries = 0, interval = simt::warp_size, warps = 0;

  SIMT_DEVICE std::int64_t begin(std::int64_t warp) const { return warp * interval; }
  SIMT_DEVICE std::int64_t end(std::int64_t warp) const {
    const std::int64_t wanted = (warp + 1) * interval;
    return wanted < entries ? wanted : entries;
  }
};
inline CooIntervals coo_intervals(index_t entries, index_t most_warps) {
  constexpr index_t step = simt::warp_size;
  const index_t each = (entries + most_warps - 1) / most_warps;
  const index_t interval = std::max(step, (each + step - 1) / step * step);
  return {entries, interval, (entries + interval - 1) / interval};
}

// Holds the sum of some entries of one row; row -1: there is no entry.
template <class T, class Row>
struct RowSum {
  Row row = -1;
  T sum = 0;
};

// The COO arrays as a kernel's argument.
template <class T, class Row, class Col>
struct CooEntries {
  simt::Array<const Row> rows;
  simt::Array<const Col> columns;
  simt::Array<const T> values;

  template <class Cached>
  SIMT_DEVICE RowSum<T, Row> product(const Cached& cached, const simt::Array<const T>& x, std::int64_t k,
                                     simt::Where where = simt::Where::current()) const {
    const Row row = simt::ld(cached.pointers, rows, k, where);
    const Col column = simt::ld(cached.columns, columns, k, where);
    const T value = simt::ld(cached.values, values, k, where);
    return {row, value * simt::ld(cached.x, x, column, where)};
  }
};

// Sums up entries [begin, end), sorted by row, one warp with all its lanes. entry(k) is entry k as a RowSum, called for
// each once; finish(row, sum) is called by one lane for every row that ends before another begins. Returns the last
// row's sum to all lanes; its row is -1 when the interval ended in the middle of a step, and then that row was
// finished.
template <class T, class Row, class Entry, class Finish>
SIMT_DEVICE RowSum<T, Row> sum_by_rows(int lane, std::int64_t begin, std::int64_t end, const Entry& entry,
                                       const Finish& finish) {
  constexpr int batch = 4;  // steps whose entries are loaded before the first sum: bytes in flight
  constexpr int last = simt::warp_size - 1;
  RowSum<T, Row> carry;
  for (std::int64_t first = begin; first < end; first += batch * simt::warp_size) {
    RowSum<T, Row> own[batch];
    for (int b = 0; b < batch; ++b) {
      const std::int64_t k = first + b * simt::warp_size + lane;
      if (k < end) own[b] = entry(k);
    }
    for (int b = 0; b < batch; ++b) {
      if (first + b * simt::warp_size >= end) continue;  // the whole warp
      const Row row = own[b].row;
      T sum = own[b].sum;
      if (lane == 0 && row == carry.row) sum += carry.sum;
      if (lane == 0 && row != carry.row && carry.row >= 0) finish(carry.row, carry.sum);
      const Row before = simt::shfl_up(row, 1);
      const std::uint32_t heads = simt::ballot(lane == 0 || row != before);
      sum = simt::sum_segments(sum, lane, heads);
      if (lane < last && heads >> (lane + 1) & 1) finish(row, sum);
      const auto [last_row, last_sum] = simt::shfl_pair(row, sum, last);
      carry = {last_row, last_sum};
    }
  }
  return carry;
}

}  // namespace SIMT_TARGET
}  // namespace warpspy
