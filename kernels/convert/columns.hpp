// Rows stored column by column, padded to a width: what ELL, HYB and SELL share.
#pragma once

#include "kernels/convert/steps.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Where the places of a column-major part stand, and which row each has: one part whose columns are `pitch` apart.
struct OnePart {
  std::int64_t rows, pitch, width;

  SIMT_DEVICE std::int64_t row(std::int64_t place) const { return place < rows ? place : -1; }
  SIMT_DEVICE std::int64_t begin(std::int64_t place) const { return place; }
  SIMT_DEVICE std::int64_t step() const { return pitch; }
  SIMT_DEVICE std::int64_t width_at(std::int64_t) const { return width; }
};

// A thread for each place writes its row's first entries, then padding (column -1, value 0).
template <class T, class Ptr, class Col, class Part>
struct FillColumns {
  simt::Array<const Ptr> row_ptr;
  simt::Array<const Col> columns;
  simt::Array<const T> values;
  simt::Array<Col> to_columns;
  simt::Array<T> to_values;
  Part part;
  std::int64_t places;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t place = t.block * threads + t.thread;
    if (place >= places) return;
    const std::int64_t row = part.row(place), width = part.width_at(place), step = part.step();
    std::int64_t k = 0, end = 0;
    if (row >= 0) k = simt::ld(row_ptr, row), end = simt::ld(row_ptr, row + 1);
    std::int64_t at = part.begin(place);
    for (std::int64_t n = 0; n < width; ++n, at += step) {
      const bool entry = k + n < end;
      simt::st(to_columns, at, entry ? simt::ld(columns, k + n) : Col{-1});
      simt::st(to_values, at, entry ? simt::ld(values, k + n) : T{0});
    }
  }
};

}  // namespace SIMT_TARGET
}  // namespace warpspy::convert
