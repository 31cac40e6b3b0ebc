// Slices of rows: rows sorted in windows, and the slots of each slice. All SELL formats begin with this.
#pragma once

#include <algorithm>
#include <string>

#include "core/formats/sell.hpp"
#include "kernels/convert/columns.hpp"

namespace warpspy::convert {

// Rows of a window that is sorted by one block, in its shared memory.
inline constexpr index_t largest_window = 4096;

inline namespace SIMT_TARGET {

// A block sorts the rows of its window by falling length; rows of equal length keep their order. A row's place is the
// number of rows that come before it.
template <class Ptr, class Row>
struct SortWindow {
  simt::Array<const Ptr> row_ptr;
  simt::Array<Row> permutation;
  int window;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_DYNAMIC_SHARED(std::int64_t, lengths, 0, window);
    const std::int64_t first = t.block * window, rows = permutation.size;
    const int count = static_cast<int>(first + window < rows ? window : rows - first);
    for (int i = t.thread; i < count; i += t.block_size)
      simt::st(lengths, i, simt::ld(row_ptr, first + i + 1) - simt::ld(row_ptr, first + i));
    simt::sync_block();
    for (int i = t.thread; i < count; i += t.block_size) {
      const std::int64_t own = simt::ld(lengths, i);
      int place = 0;
      for (int j = 0; j < count; ++j) {
        const std::int64_t other = simt::ld(lengths, j);
        place += other > own || (other == own && j < i);
      }
      simt::st(permutation, first + place, static_cast<Row>(first + i));
    }
  }
};

// A warp for each slice: the slots that it needs. Element `slices` is 0, and becomes the sum of all.
template <class Ptr, class Row>
struct SlotsOfSlices {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Row> permutation;  // empty: rows are not sorted
  simt::Array<std::int64_t> slots;
  std::int64_t rows, slice_rows;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t slice = (t.block * t.block_size + t.thread) / simt::warp_size;
    const int lane = t.thread % simt::warp_size;
    if (slice >= slots.size) return;
    std::int64_t width = 0;
    for (std::int64_t place = slice * slice_rows + lane; place < (slice + 1) * slice_rows && place < rows;
         place += simt::warp_size) {
      const std::int64_t row = permutation.size ? static_cast<std::int64_t>(simt::ld(permutation, place)) : place;
      const std::int64_t length = simt::ld(row_ptr, row + 1) - simt::ld(row_ptr, row);
      width = length > width ? length : width;
    }
    SIMT_UNROLL
    for (int d = simt::warp_size / 2; d > 0; d /= 2) {
      const std::int64_t other = simt::shfl_xor(width, d);
      width = other > width ? other : width;
    }
    if (lane == 0) simt::st(slots, slice, width * slice_rows);
  }
};

// Where the places of slices stand (see FillColumns).
template <class SlicePtr, class Row>
struct Slices {
  simt::Array<const SlicePtr> slice_ptr;
  simt::Array<const Row> permutation;
  std::int64_t rows;
  int slice_shift;  // a slice has 2^slice_shift rows

  SIMT_DEVICE std::int64_t row(std::int64_t place) const {
    if (place >= rows) return -1;
    return permutation.size ? static_cast<std::int64_t>(simt::ld(permutation, place)) : place;
  }
  SIMT_DEVICE std::int64_t step() const { return std::int64_t{1} << slice_shift; }
  SIMT_DEVICE std::int64_t begin(std::int64_t place) const {
    return simt::ld(slice_ptr, place >> slice_shift) + (place & (step() - 1));
  }
  SIMT_DEVICE std::int64_t width_at(std::int64_t place) const {
    const std::int64_t slice = place >> slice_shift;
    return (simt::ld(slice_ptr, slice + 1) - simt::ld(slice_ptr, slice)) >> slice_shift;
  }
};

// The entries of a slice's 32 rows, a lane for each row. All lanes of the warp take part.
template <class Ptr, class SlicePtr, class Row>
struct SliceRows {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const SlicePtr> slice_ptr;
  simt::Array<const Row> permutation;
  std::int64_t rows;

  struct Own {
    std::int64_t begin = 0, end = 0;    // entries of the lane's row
    std::int64_t slots = 0, steps = 0;  // where the slice begins, and its steps
  };
  SIMT_DEVICE Own own(std::int64_t slice, int lane) const {
    Own o;
    o.slots = simt::ld(slice_ptr, slice);
    o.steps = (simt::ld(slice_ptr, slice + 1) - o.slots) / simt::warp_size;
    const std::int64_t place = slice * simt::warp_size + lane;
    if (place >= rows) return o;
    const std::int64_t row = permutation.size ? static_cast<std::int64_t>(simt::ld(permutation, place)) : place;
    o.begin = simt::ld(row_ptr, row), o.end = simt::ld(row_ptr, row + 1);
    return o;
  }
};

}  // namespace SIMT_TARGET

// What all SELL formats have: the row of each place, and where each slice begins.
template <class SlicePtr, class Row>
struct SliceArrays {
  simt::Array<const SlicePtr> slice_ptr;  // slices + 1
  simt::Array<const Row> permutation;     // empty: rows are not sorted
  index_t slices, slots;
};

// Calls f(SliceArrays). `slots`: computes their number on the host, where nothing has run yet.
template <class Stage, class T, class Ptr, class Col, class Slots, class F>
void lay_out_slices(Stage& stage, const CsrFormat& a, const TypedArrays<T, Ptr, Col>& csr, const SellParams& p,
                    const Slots& foreseen, const F& f) {
  if (p.sort_window > largest_window)
    throw Error(
        "a sort window of " + std::to_string(p.sort_window) + " rows does not fit into the shared memory of a block",
        {}, "make the format on the host, or take a window of at most " + std::to_string(largest_window));
  const index_t rows = a.rows(), slices = (rows + p.slice_rows - 1) / p.slice_rows;
  const auto of_rows = [&]<class Row>(Row) {
    const auto permutation = stage.template out<Row>("permutation", p.sort_window > 1 ? rows : 0);
    if (permutation.size > 0)
      stage.launch({.grid = (rows + p.sort_window - 1) / p.sort_window,
                    .block = std::clamp(p.sort_window, simt::warp_size, threads),
                    .shared_bytes = p.sort_window * static_cast<int>(sizeof(std::int64_t))},
                   SortWindow<Ptr, Row>{csr.row_ptr, permutation, p.sort_window});
    const auto slots = stage.template scratch<std::int64_t>("slots of slices", slices + 1);
    stage.launch(item_grid((slices + 1) * simt::warp_size, threads),
                 SlotsOfSlices<Ptr, Row>{csr.row_ptr, as_const(permutation), slots, rows, p.slice_rows});
    const index_t all = lay_out_sums(stage, slots, foreseen);
    const auto of_slots = [&]<class SlicePtr>(SlicePtr) {
      const auto slice_ptr = stage.template out<SlicePtr>("slice_ptr", slices + 1);
      const LaunchSpec grid = strided_grid(slices + 1);
      stage.launch(grid, Copy<std::int64_t, SlicePtr>{as_const(slots), slice_ptr, grid.grid});
      f(SliceArrays<SlicePtr, Row>{as_const(slice_ptr), as_const(permutation), slices, all});
    };
    Indices::fits32(all) ? of_slots(std::int32_t{}) : of_slots(std::int64_t{});
  };
  Indices::fits32(rows) ? of_rows(std::int32_t{}) : of_rows(std::int64_t{});
}

}  // namespace warpspy::convert
