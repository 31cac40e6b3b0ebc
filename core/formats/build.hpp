// Code that the builders of formats share. Only this folder uses it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include "core/formats/format.hpp"

namespace warpspy {

using Kind = ArraySize::Kind;

// Throws Error when the estimate does not fit into `available` bytes of host memory (available_memory() when left out),
// with the size, the limit and the formats that would fit.
void require_memory(const std::string& format, const Estimate& estimate, const FormatFacts& facts, Precision precision);
void require_memory(const std::string& format, const Estimate& estimate, const FormatFacts& facts, Precision precision,
                    std::uint64_t available);

// Throws Error where the matrix is not symmetric, with the first entry that has no equal mirror.
void require_symmetric_values(const std::string& format, const FormatFacts& facts);

// Multiplies, and returns the largest value instead of overflowing. So a format that is far too large also has a far
// too large estimate.
std::size_t saturating_bytes(index_t count, std::size_t each);
index_t saturating_count(index_t a, index_t b);
constexpr index_t rounded_up(index_t n, index_t multiple) { return (n + multiple - 1) / multiple * multiple; }
constexpr index_t divided_up(index_t n, index_t by) { return (n + by - 1) / by; }

// Sizes of arrays to be built: `count` values, or indices up to `largest`.
ArraySize values_size(const std::string& name, index_t count, Precision precision);
ArraySize index_size(const std::string& name, Kind kind, index_t count, index_t largest);
// Estimate::skippable of a format whose slots all have a column: the values of all padding, and the columns of `unseen`
// slots of padding.
std::size_t skippable_of(index_t padding, index_t unseen, index_t cols, Precision precision);
// These make views of existing arrays.
ArrayView view_of(const std::string& name, const Values& values, std::vector<index_t> shape, int part);
ArrayView view_of(const std::string& name, Kind kind, const IndexArray& array, std::vector<index_t> shape,
                  int part = -1);

// Calls body(first, last) for blocks of 0..count, in parallel; moves the progress and throws Cancelled between blocks.
void for_blocks(index_t count, index_t block, Progress& progress, const std::function<void(index_t, index_t)>& body);
// As for_blocks(), but in two passes, for blocks whose outputs have unknown sizes and stand one after another. First
// count(first, last) gives each block's size; then body(first, last, begin) writes from `begin` on. Returns the sum of
// sizes.
index_t for_blocks_placed(index_t count, index_t block, Progress& progress,
                          const std::function<index_t(index_t, index_t)>& size,
                          const std::function<void(index_t, index_t, index_t)>& body);
constexpr index_t kRowBlock = 2048;
constexpr index_t kEntryBlock = index_t{1} << 16;

// Sorts rows by length, the longest first; rows of equal length keep their order. `out` has room for all rows.
void sort_rows_by_length(const FormatFacts& facts, IndexArray& out);

// A view of the matrix in which the types of columns and values are known to the compiler.
template <class T, class C>
struct TypedCsr {
  using Value = T;
  using Column = C;
  const Csr& a;
  const index_t* ptr;
  const C* columns;
  const double* re;
  const double* im;  // nullptr unless the modulus of a complex matrix is asked for

  T value(index_t k) const { return static_cast<T>(im ? std::hypot(re[k], im[k]) : re[k]); }
  index_t length(index_t row) const { return ptr[row + 1] - ptr[row]; }
  // Call this for entries before value() reads them. Throws Error if a finite value would become infinite.
  void check(index_t begin, index_t end) const {
    if constexpr (std::is_same_v<T, float>) {
      bool bad = false;
      for (index_t k = begin; k < end; ++k) {
        const double v = std::abs(im ? std::hypot(re[k], im[k]) : re[k]);
        bad |= v > std::numeric_limits<float>::max() && v <= std::numeric_limits<double>::max();
      }
      if (bad) refuse(begin, end);
    }
  }
  void check_rows(index_t first, index_t last) const { check(ptr[first], ptr[last]); }

 private:
  [[noreturn]] void refuse(index_t begin, index_t end) const;
};

// Calls f(TypedCsr). Column numbers have the width that the number of columns needs, as in the formats.
template <class F>
void with_typed(const Csr& a, Precision precision, RealView view, F&& f) {
  const auto call = [&]<class C>(std::span<const C> columns) {
    const double* im = a.is_complex() && view == RealView::modulus ? a.imag().data() : nullptr;
    if (precision == Precision::f32) {
      f(TypedCsr<float, C>{a, a.row_ptr().data(), columns.data(), a.values().data(), im});
    } else {
      f(TypedCsr<double, C>{a, a.row_ptr().data(), columns.data(), a.values().data(), im});
    }
  };
  if (a.columns().is32() == Indices::fits32(a.cols())) return a.columns().visit(call);
  // Rare: indices that are stored wider, or narrower, than the number of columns needs.
  IndexArray columns(a.cols(), a.nnz());
  columns.visit_mut([&]<class C>(std::span<C> to) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = static_cast<C>(a.columns()[k]);
  });
  columns.visit(call);
}

// A padding entry of every format that stores columns: the papers pad with zero "or some other sentinel value".
constexpr std::int32_t kPaddingColumn = -1;

// Writes slots begin..end-1 of the columns 0..width-1 of a column-major part: slot i holds a row, the first `width` of
// its entries after the first `skip`, entry n at position column(n) + i. row(i) is -1 for a slot without a row. It goes
// through a tile of rows that stays in the cache, column by column, so each column is written in one piece. A column is
// filled with padding first; then only rows that reach column n are visited. So a few long rows cost little.
template <class S, class RowOf, class ColumnAt>
void fill_columns(const S& s, index_t begin, index_t end, index_t skip, index_t width, const RowOf& row,
                  const ColumnAt& column, typename S::Column* columns, typename S::Value* values) {
  constexpr index_t least = 32, most = 512;
  if (width == 0) return;
  const index_t tile = std::clamp<index_t>(8192 / width / 16 * 16, least, most);
  index_t base[most], length[most];
  std::int16_t reaching[most];  // slots whose row has an entry n
  for (index_t first = begin; first < end; first += tile) {
    const index_t count = std::min(tile, end - first);
    const bool joined = width > 1 && column(1) - column(0) == count;  // columns lie one after another in memory: padded
                                                                      // together
    index_t left = count, shortest = width, padded = 0;
    for (index_t i = 0; i < count; ++i) {
      const index_t r = row(first + i);
      base[i] = r < 0 ? 0 : s.ptr[r] + skip;
      length[i] = r < 0 ? 0 : std::clamp<index_t>(s.ptr[r + 1] - base[i], 0, width);
      shortest = std::min(shortest, length[i]);
      reaching[i] = static_cast<std::int16_t>(i);
    }
    for (index_t n = 0; n < width; ++n) {
      auto* c = columns + column(n) + first;
      auto* v = values + column(n) + first;
      if (n == shortest) {
        index_t kept = 0;
        shortest = width;
        for (index_t m = 0; m < left; ++m) {
          const std::int16_t i = reaching[m];
          if (length[i] <= n) continue;
          shortest = std::min(shortest, length[i]);
          reaching[kept++] = i;
        }
        left = kept;
      }
      if (left == count) {
        for (index_t i = 0; i < count; ++i) c[i] = s.columns[base[i] + n];
        for (index_t i = 0; i < count; ++i) v[i] = s.value(base[i] + n);
        continue;
      }
      if (n >= padded) {
        const index_t run = joined ? std::min<index_t>(16, width - n) : 1;
        std::fill_n(c, run * count, kPaddingColumn);
        std::fill_n(v, run * count, 0);
        padded = n + run;
      }
      for (index_t m = 0; m < left; ++m) {
        const index_t i = reaching[m], k = base[i] + n;
        c[i] = s.columns[k];
        v[i] = s.value(k);
      }
    }
  }
}

}  // namespace warpspy
