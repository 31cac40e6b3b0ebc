// Steps that several conversions share: the longest row, running sums, the row of an entry.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/formats/csr.hpp"
#include "kernels/simt/as_const.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy::convert {

inline constexpr int threads = 256;  // of a block
inline constexpr index_t most_blocks = 1024;

// A grid whose threads take items that are `threads * blocks` apart.
inline LaunchSpec strided_grid(index_t items) {
  return {.grid = std::clamp<index_t>((items + threads - 1) / threads, 1, most_blocks), .block = threads};
}

// Of rows: stages refuse matrices with more rows or columns than it counts.
using RowIndex = std::int32_t;

inline namespace SIMT_TARGET {

// The result of a stable sort: the keys in rising order, and where each key stood before.
template <class Order, class Key>
struct Sorted {
  simt::Array<Order> order;
  simt::Array<Key> keys;
};

// The CSR's arrays, with their types.
template <class T, class Ptr, class Col>
struct TypedArrays {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Col> columns;
  simt::Array<const T> values;
};

// Returns the largest value of a block's threads, to thread 0 only. `space` has an element for each warp.
SIMT_DEVICE std::int64_t block_largest(simt::Thread t, const simt::SharedArray<std::int64_t>& space, std::int64_t value,
                                       simt::Where where = simt::Where::current()) {
  SIMT_UNROLL
  for (int d = simt::warp_size / 2; d > 0; d /= 2) {
    const std::int64_t other = simt::shfl_xor(value, d, simt::warp_size, where);
    value = other > value ? other : value;
  }
  if (t.thread % simt::warp_size == 0) simt::st(space, t.thread / simt::warp_size, value, where);
  simt::sync_block(where);
  if (t.thread != 0) return value;
  for (int warp = 1; warp < threads / simt::warp_size; ++warp) {
    const std::int64_t other = simt::ld(space, warp, where);
    value = other > value ? other : value;
  }
  return value;
}

// Returns the sum over a warp to all its lanes.
template <class I>
SIMT_DEVICE I least_of_warp(I value, simt::Where where = simt::Where::current()) {
  SIMT_UNROLL
  for (int d = simt::warp_size / 2; d > 0; d /= 2) {
    const I other = simt::shfl_xor(value, d, simt::warp_size, where);
    value = other < value ? other : value;
  }
  return value;
}

// Each block writes the length of its longest row.
template <class Ptr>
struct LongestOfBlocks {
  simt::Array<const Ptr> row_ptr;
  simt::Array<std::int64_t> parts;
  std::int64_t rows, grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, space, threads / simt::warp_size);
    std::int64_t longest = 0;
    for (std::int64_t row = t.block * threads + t.thread; row < rows; row += grid * threads) {
      const std::int64_t length = simt::ld(row_ptr, row + 1) - simt::ld(row_ptr, row);
      longest = length > longest ? length : longest;
    }
    longest = block_largest(t, space, longest);
    if (t.thread == 0) simt::st(parts, t.block, longest);
  }
};
// One block sets element 0 to the largest of the parts.
struct LargestPart {
  simt::Array<std::int64_t> parts;
  simt::Array<std::int64_t> largest;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, space, threads / simt::warp_size);
    std::int64_t value = 0;
    for (std::int64_t i = t.thread; i < parts.size; i += threads) {
      const std::int64_t other = simt::ld(parts, i);
      value = other > value ? other : value;
    }
    value = block_largest(t, space, value);
    if (t.thread == 0) simt::st(largest, 0, value);
  }
};

// Prefix sums take three launches, since blocks of one launch cannot wait for each other. They compute the sum of each
// tile, then the prefix sums of the tiles, then those of the elements.
inline constexpr int tile_items = 8;  // elements that a thread adds up
inline constexpr int tile = threads * tile_items;

// Returns the sum of the values of the earlier threads of the block, and the block's sum in *all. `space` has an
// element for each warp, and one more.
SIMT_DEVICE std::int64_t sum_before(simt::Thread t, const simt::SharedArray<std::int64_t>& space, std::int64_t value,
                                    std::int64_t& all, simt::Where where = simt::Where::current()) {
  constexpr int warps = threads / simt::warp_size;
  const int lane = t.thread % simt::warp_size, warp = t.thread / simt::warp_size;
  std::int64_t up_to_here = value;
  SIMT_UNROLL
  for (int d = 1; d < simt::warp_size; d *= 2) {
    const std::int64_t before = simt::shfl_up(up_to_here, d, simt::warp_size, where);
    if (lane >= d) up_to_here += before;
  }
  if (lane == simt::warp_size - 1) simt::st(space, warp, up_to_here, where);
  simt::sync_block(where);
  std::int64_t before = 0;
  all = 0;
  for (int w = 0; w < warps; ++w) {
    const std::int64_t sum = simt::ld(space, w, where);
    if (w < warp) before += sum;
    all += sum;
  }
  simt::sync_block(where);
  return before + up_to_here - value;
}

// Returns the sum of the counts of the warp's earlier lanes.
SIMT_DEVICE int counts_before(int lane, int count, simt::Where where = simt::Where::current()) {
  int up_to_here = count;
  SIMT_UNROLL
  for (int d = 1; d < simt::warp_size; d *= 2) {
    const int before = simt::shfl_up(up_to_here, d, simt::warp_size, where);
    if (lane >= d) up_to_here += before;
  }
  return up_to_here - count;
}

struct SumsOfTiles {
  simt::Array<std::int64_t> counts;
  simt::Array<std::int64_t> sums;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, space, threads / simt::warp_size);
    std::int64_t own = 0, all = 0;
    for (int i = 0; i < tile_items; ++i) {
      const std::int64_t at = t.block * tile + i * threads + t.thread;
      if (at < counts.size) own += simt::ld(counts, at);
    }
    sum_before(t, space, own, all);
    if (t.thread == 0) simt::st(sums, t.block, all);
  }
};
// One block turns sums into their prefix sums: each element becomes the sum of all elements before it.
struct SumsBeforeTiles {
  simt::Array<std::int64_t> sums;
  simt::Array<std::int64_t> total;  // one element
  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, space, threads / simt::warp_size);
    std::int64_t done = 0;
    for (std::int64_t first = 0; first < sums.size; first += threads) {
      const std::int64_t at = first + t.thread;
      const std::int64_t own = at < sums.size ? simt::ld(sums, at) : 0;
      std::int64_t all = 0;
      const std::int64_t before = sum_before(t, space, own, all);
      if (at < sums.size) simt::st(sums, at, done + before);
      done += all;
    }
    if (t.thread == 0) simt::st(total, 0, done);
  }
};
struct SumsBeforeElements {
  simt::Array<std::int64_t> counts;
  simt::Array<std::int64_t> sums;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, space, threads / simt::warp_size);
    std::int64_t done = simt::ld(sums, t.block);
    for (int i = 0; i < tile_items; ++i) {
      const std::int64_t at = t.block * tile + i * threads + t.thread;
      const std::int64_t own = at < counts.size ? simt::ld(counts, at) : 0;
      std::int64_t all = 0;
      const std::int64_t before = sum_before(t, space, own, all);
      if (at < counts.size) simt::st(counts, at, done + before);
      done += all;
    }
  }
};

// Fills an array with 0.
template <class E>
struct Clear {
  simt::Array<E> a;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t i = t.block * threads + t.thread; i < a.size; i += grid * threads) simt::st(a, i, E{0});
  }
};

// Copies an array; if E and F differ, the numbers are converted.
template <class F, class E>
struct Copy {
  simt::Array<const F> from;
  simt::Array<E> to;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t i = t.block * threads + t.thread; i < to.size; i += grid * threads)
      simt::st(to, i, static_cast<E>(simt::ld(from, i)));
  }
};

// Tells which counts are not 0.
struct Present {
  simt::Array<const std::int32_t> counts;
  simt::Array<std::int64_t> present;  // 1 or 0
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t i = t.block * threads + t.thread; i < present.size; i += grid * threads)
      simt::st(present, i, simt::ld(counts, i) > 0 ? 1 : 0);
  }
};

// Writes the length of each row.
template <class Ptr, class E>
struct Lengths {
  simt::Array<const Ptr> row_ptr;
  simt::Array<E> lengths;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    for (std::int64_t row = t.block * threads + t.thread; row < lengths.size; row += grid * threads)
      simt::st(lengths, row, static_cast<E>(simt::ld(row_ptr, row + 1) - simt::ld(row_ptr, row)));
  }
};

// Returns the row of entry k, by a binary search among the rows first to last.
template <class Ptr>
SIMT_DEVICE std::int64_t row_of(const simt::Array<const Ptr>& ptr, std::int64_t first, std::int64_t last,
                                std::int64_t k, simt::Where where = simt::Where::current()) {
  while (first < last) {
    const std::int64_t middle = (first + last + 1) / 2;
    if (simt::ld(ptr, middle, where) <= k)
      first = middle;
    else
      last = middle - 1;
  }
  return first;
}

// Finds the first and the last row of a block's entries first to past - 1, so that each thread searches only between
// these. `ends` has two elements.
struct Between {
  std::int64_t low, high;
};
template <class Ptr>
SIMT_DEVICE Between rows_between(simt::Thread t, const simt::SharedArray<std::int64_t>& ends,
                                 const simt::Array<const Ptr>& ptr, std::int64_t last_row, std::int64_t first,
                                 std::int64_t past, simt::Where where = simt::Where::current()) {
  if (t.thread < 2)
    simt::st(ends, t.thread, row_of(ptr, std::int64_t{0}, last_row, t.thread == 0 ? first : past - 1, where), where);
  simt::sync_block(where);
  return {simt::ld(ends, 0, where), simt::ld(ends, 1, where)};
}

}  // namespace SIMT_TARGET

// Calls f with the CSR's arrays in their types; typed(span) makes an array. Throws Error for types that are not
// compiled.
template <class T, class Typed, class F>
void with_typed_arrays(const CsrFormat& a, const Typed& typed, const F& f) {
  a.row_ptr().visit([&]<class Ptr>(std::span<const Ptr> row_ptr) {
    a.columns().visit([&]<class Col>(std::span<const Col> columns) {
      if constexpr (compiled_indices<Ptr, Col>) {
        const std::span<const T> values = a.values().template as<T>();
        if (Indices::fits32(a.rows()))
          return f(
              TypedArrays<T, Ptr, Col>{typed("row_ptr", row_ptr), typed("columns", columns), typed("values", values)});
      }
      throw Error("no format is made on a GPU for 64-bit row and column indices", {}, "make it on the host");
    });
  });
}

// A foreseen array of counts that begins with zeros.
inline constexpr auto zeros = [](auto to) { std::fill(to.begin(), to.end(), 0); };

// Lays out the search for the longest row of a matrix, and returns its length. `foreseen` computes it on the host, for
// an emulator in which no launch has run yet.
template <class Stage, class Ptr, class Foreseen>
index_t lay_out_longest(Stage& stage, const simt::Array<const Ptr>& row_ptr, index_t rows, const Foreseen& foreseen) {
  const LaunchSpec grid = strided_grid(rows);
  const auto parts = stage.template scratch<std::int64_t>("longest rows", grid.grid);
  const auto longest = stage.template scratch<std::int64_t>("longest row", 1);
  stage.launch(grid, LongestOfBlocks<Ptr>{row_ptr, parts, rows, grid.grid});
  stage.launch({.grid = 1, .block = threads}, LargestPart{parts, longest});
  return stage.counted(longest, foreseen);
}

// Lays out the launches that turn counts into their prefix sums. Returns the element that then has the sum of all.
template <class Stage>
simt::Array<std::int64_t> lay_out_sums_before(Stage& stage, const simt::Array<std::int64_t>& counts) {
  constexpr index_t few = 1024;  // one block adds them up sooner than three launches begin
  if (counts.size <= few) {
    const auto total = stage.template scratch<std::int64_t>("sum of all", 1);
    stage.launch({.grid = 1, .block = threads}, SumsBeforeTiles{counts, total});
    return total;
  }
  const index_t tiles = std::max<index_t>(1, (counts.size + tile - 1) / tile);
  const auto sums = stage.template scratch<std::int64_t>("sums of tiles", tiles);
  const auto total = stage.template scratch<std::int64_t>("sum of all", 1);
  stage.launch({.grid = tiles, .block = threads}, SumsOfTiles{counts, sums});
  stage.launch({.grid = 1, .block = threads}, SumsBeforeTiles{sums, total});
  stage.launch({.grid = tiles, .block = threads}, SumsBeforeElements{counts, sums});
  return total;
}
// Turns counts into their prefix sums, waits for the sum of all and returns it. `foreseen` computes it on the host, for
// an emulator in which no launch has run yet.
template <class Stage, class Foreseen>
index_t lay_out_sums(Stage& stage, const simt::Array<std::int64_t>& counts, const Foreseen& foreseen) {
  return stage.counted(lay_out_sums_before(stage, counts), foreseen);
}

// Writes where each key of the sorted order stood before. Keys are less than key_count; equal ones keep their order.
template <class Stage, class Key, class Place>
void lay_out_sorted_places(Stage& stage, const simt::Array<const Key>& keys, index_t key_count,
                           const simt::Array<Place>& places) {
  const LaunchSpec grid = strided_grid(places.size);
  const auto order = stage.template sorted<Place>(keys, key_count).order;
  stage.launch(grid, Copy<Place, Place>{as_const(order), places, grid.grid});
}

}  // namespace warpspy::convert
