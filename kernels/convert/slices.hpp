// SELL formats sort rows by length within windows, and cut them into slices of neighbouring rows. All conversions to
// SELL begin with this, and with counting the slots of each slice.
#pragma once

#include <algorithm>
#include <string>

#include "core/formats/sell.hpp"
#include "kernels/convert/columns.hpp"

namespace warpspy::convert {

// One block sorts a window in its shared memory, so a window has at most this many rows.
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

// Each slice gets a warp, which counts its slots: `step_slots` for each step (a step is one entry of each row). Element
// `slices` is 0; the prefix sum then puts the sum of all there.
template <class Ptr, class Row>
struct SlotsOfSlices {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Row> permutation;  // empty: rows are not sorted
  simt::Array<std::int64_t> slots;
  std::int64_t rows, slice_rows, step_slots;

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
    if (lane == 0) simt::st(slots, slice, width * step_slots);
  }
};

// Tells FillColumns where the slots of slices stand. Steps are counted through all slices, so that each thread has the
// same number of them, and a long slice has many threads.
template <class Ptr, class SlicePtr, class Row>
struct Slices {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const SlicePtr> slice_ptr;
  simt::Array<const Row> permutation;
  std::int64_t rows, steps;
  std::int64_t pitch;  // 2^shift rows of a slice
  int shift;

  SIMT_DEVICE Run run(std::int64_t thread) const { return run_number(thread >> shift, steps, thread & (pitch - 1)); }
  SIMT_DEVICE Stretch stretch(const Run& r) const {
    Stretch s;
    s.slice = row_of(slice_ptr, std::int64_t{0}, slice_ptr.size - 2, r.step << shift);
    s.first = r.step - (simt::ld(slice_ptr, s.slice) >> shift);
    const std::int64_t past = simt::ld(slice_ptr, s.slice + 1) >> shift;
    s.steps = static_cast<int>((past < r.past ? past : r.past) - r.step);
    s.at = (r.step << shift) + r.place, s.pitch = pitch;
    const std::int64_t place = (s.slice << shift) + r.place;
    if (place >= rows) return s;
    s.set_row(row_ptr, permutation.size ? static_cast<std::int64_t>(simt::ld(permutation, place)) : place);
    return s;
  }
};

}  // namespace SIMT_TARGET

// The arrays that all SELL formats have: the row at each place, and where each slice begins.
template <class SlicePtr, class Row>
struct SliceArrays {
  simt::Array<const SlicePtr> slice_ptr;  // slices + 1
  simt::Array<const Row> permutation;     // empty: rows are not sorted
  index_t slices, slots;

  template <class Ptr>
  Slices<Ptr, SlicePtr, Row> of(const simt::Array<const Ptr>& row_ptr, index_t rows, int slice_rows) const {
    return {row_ptr, slice_ptr, permutation, rows, slots / slice_rows, slice_rows, exponent_of(slice_rows)};
  }
};

// Lays out the sorting and counting, then calls f(SliceArrays). Row lengths come from row_ptr; a step of a slice counts
// as `step_slots`. `foreseen` computes the number of all slots on the host, for an emulator in which no launch has run
// yet.
template <class Stage, class Ptr, class Foreseen, class F>
void lay_out_slices(Stage& stage, const simt::Array<const Ptr>& row_ptr, const SellParams& p, index_t step_slots,
                    const Foreseen& foreseen, const F& f) {
  if (p.sort_window > largest_window)
    throw Error(
        "a sort window of " + std::to_string(p.sort_window) + " rows does not fit into the shared memory of a block",
        {}, "make the format on the host, or take a window of at most " + std::to_string(largest_window));
  const index_t rows = row_ptr.size - 1, slices = (rows + p.slice_rows - 1) / p.slice_rows;
  const auto permutation = stage.template out<RowIndex>("permutation", p.sort_window > 1 ? rows : 0);
  if (permutation.size > 0)
    stage.launch({.grid = (rows + p.sort_window - 1) / p.sort_window,
                  .block = std::clamp(p.sort_window, simt::warp_size, threads),
                  .shared_bytes = p.sort_window * static_cast<int>(sizeof(std::int64_t))},
                 SortWindow<Ptr, RowIndex>{row_ptr, permutation, p.sort_window});
  const auto slots = stage.template scratch<std::int64_t>("slots of slices", slices + 1);
  stage.launch(item_grid((slices + 1) * simt::warp_size, threads),
               SlotsOfSlices<Ptr, RowIndex>{row_ptr, as_const(permutation), slots, rows, p.slice_rows, step_slots});
  const index_t all = lay_out_sums(stage, slots, foreseen);
  const auto of_slots = [&]<class SlicePtr>(SlicePtr) {
    const auto slice_ptr = stage.template out<SlicePtr>("slice_ptr", slices + 1);
    const LaunchSpec grid = strided_grid(slices + 1);
    stage.launch(grid, Copy<std::int64_t, SlicePtr>{as_const(slots), slice_ptr, grid.grid});
    f(SliceArrays<SlicePtr, RowIndex>{as_const(slice_ptr), as_const(permutation), slices, all});
  };
  Indices::fits32(all) ? of_slots(std::int32_t{}) : of_slots(std::int64_t{});
}

}  // namespace warpspy::convert
