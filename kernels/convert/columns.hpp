// ELL, HYB and SELL store rows column by column, padded to a width. Their conversions share this code.
#pragma once

#include "kernels/convert/steps.hpp"
#include "kernels/convert/values.hpp"

namespace warpspy::convert {

// A thread copies at most this many entries of a row. If it copied a whole row, all others would wait for the longest
// row. The loads of these steps are in flight together; 8 columns of 4 bytes are one sector.
inline constexpr int run_steps = 8;

// The grid for a part with `steps` columns of `places` rows each.
inline LaunchSpec grid_of_runs(index_t steps, index_t places) {
  LaunchSpec grid = item_grid((steps + run_steps - 1) / run_steps * places, threads);
  grid.loads_in_flight = run_steps;
  return grid;
}

inline namespace SIMT_TARGET {

// The run of neighbouring steps that a thread copies, and its place (a row) in each of them. A step is one column of
// the stored part.
struct Run {
  std::int64_t step, past, place;
  std::int64_t group = 0;  // where rows have groups of a width of their own
};
SIMT_DEVICE Run run_number(std::int64_t number, std::int64_t steps, std::int64_t place, std::int64_t group = 0) {
  const std::int64_t first = number * run_steps;
  return {first, first + run_steps < steps ? first + run_steps : steps, place, group};
}

// The part of a run that lies in one slice, for the row at the thread's place.
struct Stretch {
  std::int64_t slice = 0;
  std::int64_t first = 0;      // entries of the row before these
  std::int64_t at = 0;         // slot of the first step
  std::int64_t pitch = 0;      // slots from one step to the next
  std::int64_t entry = 0;      // the row's entry of the first step
  int steps = 0, entries = 0;  // only the first `entries` of the steps have an entry

  // Sets `entry` and `entries` from the row's length.
  template <class Ptr>
  SIMT_DEVICE void set_row(const simt::Array<const Ptr>& row_ptr, std::int64_t row,
                           simt::Where where = simt::Where::current()) {
    entry = simt::ld(row_ptr, row, where) + first;
    const std::int64_t left = simt::ld(row_ptr, row + 1, where) - entry;
    entries = left < 0 ? 0 : left < steps ? static_cast<int>(left) : steps;
  }
};

// Tells where the slots of a column-major part stand, and which row each place has. This one is for a single part whose
// columns are `pitch` slots apart.
template <class Ptr, class Row = std::int32_t>
struct OnePart {
  simt::Array<const Ptr> row_ptr;
  std::int64_t rows, pitch, width;
  std::int64_t skip = 0;                    // entries of each row that stand in other parts
  std::int64_t begin = 0;                   // of the part
  simt::Array<const Row> permutation = {};  // the row at each place; empty: rows are not sorted

  SIMT_DEVICE Run run(std::int64_t thread) const {
    const std::int64_t number = pitch > 0 ? thread / pitch : 0;
    return run_number(number, width, thread - number * pitch);
  }
  SIMT_DEVICE Stretch stretch(const Run& r) const {
    Stretch s;
    s.first = skip + r.step, s.at = begin + r.step * pitch + r.place, s.pitch = pitch;
    s.steps = static_cast<int>(r.past - r.step);
    if (r.place >= rows) return s;
    s.set_row(row_ptr, permutation.size ? static_cast<std::int64_t>(simt::ld(permutation, r.place)) : r.place);
    return s;
  }
};

// Each thread has one place and `run_steps` steps. It writes entries of its row, then padding (column -1, value 0).
template <class T, class Col, class Part>
struct FillColumns {
  simt::Array<const Col> columns;
  simt::Array<const T> values;
  simt::Array<Col> to_columns;
  simt::Array<T> to_values;
  Part part;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    Run r = part.run(t.block * threads + t.thread);
    while (r.step < r.past) {
      const Stretch s = part.stretch(r);
      // All loads come before all stores: the compiler knows no store that it could move a load across.
      Col column[run_steps];
      T value[run_steps];
      SIMT_UNROLL
      for (int n = 0; n < run_steps; ++n) {
        column[n] = n < s.entries ? simt::ld(columns, s.entry + n) : Col{-1};
        value[n] = n < s.entries ? simt::ld(values, s.entry + n) : T{0};
      }
      SIMT_UNROLL
      for (int n = 0; n < run_steps; ++n) {
        if (n >= s.steps) break;
        simt::st(to_columns, s.at + n * s.pitch, column[n]);
        simt::st(to_values, s.at + n * s.pitch, value[n]);
      }
      r.step += s.steps;
    }
  }
};

}  // namespace SIMT_TARGET
}  // namespace warpspy::convert
