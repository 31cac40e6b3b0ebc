// A compact format needs two facts about a matrix's values: which different values there are, and whether f64 values
// fit into f32 unchanged. Values are compared by their bits, as in core/formats/facts.hpp.
#pragma once

#include <algorithm>
#include <type_traits>

#include "core/formats/facts.hpp"
#include "kernels/convert/steps.hpp"
#include "kernels/convert/values.hpp"

namespace warpspy::convert {

// A block keeps at most this many different values. That is one more than a table of values can hold.
inline constexpr int most_kept = static_cast<int>(ValueFacts::most_distinct) + 1;
static_assert(most_kept <= threads + 1, "when a value is added, each thread moves at most one of those kept");
inline constexpr index_t merged_blocks = 32;  // one block of the next launch merges the values of this many blocks

inline namespace SIMT_TARGET {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T>
SIMT_DEVICE BitsOf<T> bits_of(T value) {
  return __builtin_bit_cast(BitsOf<T>, value);  // std::bit_cast is no function of a device
}

// Returns the index of the first of `count` increasing elements that is not less than `bits`; `count` if all are less.
template <class Bits>
SIMT_DEVICE int place_of(const simt::SharedArray<Bits>& sorted, int count, Bits bits,
                         simt::Where where = simt::Where::current()) {
  int first = 0;
  while (first < count) {
    const int middle = (first + count) / 2;
    if (simt::ld(sorted, middle, where) < bits)
      first = middle + 1;
    else
      count = middle;
  }
  return first;
}

// The different values that a block has found so far.
template <class Bits>
struct Met {
  simt::SharedArray<Bits> kept;           // the first `count` of most_kept, increasing
  simt::SharedArray<Bits> brought;        // an element for each thread
  simt::SharedArray<std::int64_t> space;  // for sum_before
  int count = 0;                          // the same for all threads

  SIMT_DEVICE bool has(Bits bits) const {
    const int place = place_of(kept, count, bits);
    return place < count && simt::ld(kept, place) == bits;
  }
  // Adds the values of the threads that bring one, which must be new. All threads take part. Returns false if none
  // brought one, or no more are kept.
  SIMT_DEVICE bool add(simt::Thread t, bool brings, Bits bits) {
    std::int64_t all = 0;
    const std::int64_t at = sum_before(t, space, brings, all);
    if (all == 0) return false;
    if (brings) simt::st(brought, at, bits);
    simt::sync_block();
    bool first = brings;  // of those that bring this value
    SIMT_UNROLL_BY_4
    for (std::int64_t j = 0; j < (brings ? at : 0); ++j)
      if (simt::ld(brought, j) == bits) first = false;
    const std::int64_t different_at = sum_before(t, space, first, all);
    if (first) simt::st(brought, different_at, bits);
    const bool moves = t.thread < count;
    const Bits own = moves ? simt::ld(kept, t.thread) : 0;
    std::int64_t place = first ? place_of(kept, count, bits) : 0, own_place = t.thread;
    simt::sync_block();
    SIMT_UNROLL_BY_4
    for (std::int64_t j = 0; j < all; ++j) {
      const Bits other = simt::ld(brought, j);
      place += other < bits;
      own_place += other < own;
    }
    // If there are too many values, the smallest are kept; it does not matter which, since they are not used then.
    if (first && place < most_kept) simt::st(kept, place, bits);
    if (moves && own_place < most_kept) simt::st(kept, own_place, own);
    count = count + all < most_kept ? static_cast<int>(count + all) : most_kept;
    simt::sync_block();
    return count < most_kept;
  }
};

// Each block writes the different values of its tiles, in increasing order, to most_kept elements. If there are fewer,
// the largest is repeated. The next launch takes these elements as its values, with fewer blocks, until one block is
// left.
template <class T>
struct DistinctOfBlocks {
  simt::Array<const T> values;  // at least one for each block
  simt::Array<T> slots;
  simt::Array<std::int64_t> counts;
  std::int64_t grid;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    using Bits = BitsOf<T>;
    SIMT_SHARED(Bits, kept, most_kept);
    SIMT_SHARED(Bits, brought, threads);
    SIMT_SHARED(std::int64_t, space, threads / simt::warp_size);
    Met<Bits> met{kept, brought, space};
    for (std::int64_t first = t.block * tile; first < values.size && met.count < most_kept; first += grid * tile) {
      Bits own[tile_items];
      SIMT_UNROLL
      for (int i = 0; i < tile_items; ++i) {
        const std::int64_t at = first + i * threads + t.thread;
        own[i] = bits_of(simt::ld(values, at < values.size ? at : values.size - 1));
      }
      // Each thread brings its first value that is missing, until no thread has one.
      bool brings = false;
      Bits bits = 0;
      do {
        brings = false;
        SIMT_UNROLL
        for (int i = 0; i < tile_items; ++i) {
          if (brings || met.has(own[i])) continue;
          brings = true;
          bits = own[i];
        }
      } while (met.add(t, brings, bits));
    }
    for (int i = t.thread; i < most_kept; i += threads)
      simt::st(slots, t.block * most_kept + i,
               __builtin_bit_cast(T, simt::ld(kept, i < met.count ? i : met.count - 1)));
    if (t.thread == 0) simt::st(counts, t.block, met.count);
  }
};

// The low bits of an f64 fraction, for which f32 has no place.
inline constexpr std::uint64_t below_f32 = (std::uint64_t{1} << 29) - 1;

// Whether an f64 value stays the same, bit for bit, when the host turns it into f32 and back. For a NaN the host keeps
// the upper bits and sets the highest bit of the fraction; a GPU's own instruction would turn all NaNs into one.
SIMT_DEVICE bool is_f32(double value) {
  if (value == value) return static_cast<double>(static_cast<float>(value)) == value;
  return (bits_of(value) & below_f32) == 0 && (bits_of(value) >> 51 & 1) == 1;
}
// Returns an f64 value for which is_f32() is true as f32.
SIMT_DEVICE float as_f32(double value) {
  if (value == value) return static_cast<float>(value);
  const std::uint64_t bits = bits_of(value);
  const auto sign = static_cast<std::uint32_t>(bits >> 32) & 0x80000000u;
  return __builtin_bit_cast(float, sign | 0x7f800000u | (static_cast<std::uint32_t>(bits >> 29) & 0x7fffffu));
}

// Each block writes 1 if one of its values does not fit into f32 unchanged, otherwise 0.
struct InexactOfBlocks {
  simt::Array<const double> values;
  simt::Array<std::int64_t> parts;
  std::int64_t grid;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int64_t, space, threads / simt::warp_size);
    std::int64_t inexact = 0;
    for (std::int64_t k = t.block * threads + t.thread; k < values.size && inexact == 0; k += grid * threads)
      inexact = is_f32(simt::ld(values, k)) ? 0 : 1;
    inexact = block_largest(t, space, inexact);
    if (t.thread == 0) simt::st(parts, t.block, inexact);
  }
};

}  // namespace SIMT_TARGET

// The different values of an array. `count` is most_kept if there are more than a table holds. Otherwise the first
// `count` elements of `sorted` are all different values, by increasing bits.
template <class T>
struct Distinct {
  simt::Array<const T> sorted;
  index_t count;
};

// Lays out the search for different values. `foreseen` returns their count from the host, for an emulator in which no
// launch has run yet.
template <class Stage, class T, class Foreseen>
Distinct<T> lay_out_distinct(Stage& stage, const simt::Array<const T>& values, const Foreseen& foreseen) {
  simt::Array<const T> from = values;
  index_t grid = std::min((values.size + tile - 1) / tile, most_blocks);
  for (;;) {
    const auto slots = stage.template scratch<T>("values of blocks", grid * most_kept);
    const auto counts = stage.template scratch<std::int64_t>("how many values", grid);
    launch_of_values(stage, {.grid = grid, .block = threads}, DistinctOfBlocks<T>{from, slots, counts, grid});
    from = as_const(slots);
    if (grid == 1) return {from, stage.counted(counts, foreseen)};
    grid = (grid + merged_blocks - 1) / merged_blocks;
  }
}

// Lays out the test whether all f64 values fit into f32 unchanged, and returns its result. `foreseen` returns it from
// the host, for an emulator in which no launch has run yet.
template <class Stage, class Foreseen>
bool lay_out_exact(Stage& stage, const simt::Array<const double>& values, const Foreseen& foreseen) {
  const LaunchSpec grid = strided_grid(values.size);
  const auto parts = stage.template scratch<std::int64_t>("inexact parts", grid.grid);
  const auto inexact = stage.template scratch<std::int64_t>("inexact", 1);
  launch_of_values(stage, grid, InexactOfBlocks{values, parts, grid.grid});
  launch_of_values(stage, {.grid = 1, .block = threads}, LargestPart{parts, inexact});
  return stage.counted(inexact, [&] { return foreseen() ? index_t{0} : index_t{1}; }) == 0;
}

}  // namespace warpspy::convert
