// Turns a generator into a CSR matrix, and has the random numbers that a generator may use. Only this folder uses it.
//
// A generator is a struct with rows, cols, index_t length(row) and fill(row, Column* columns, double* values), which
// writes length(row) strictly increasing columns. Each row depends on the seed and its own number only, so that any
// number of threads makes the same matrix; and only integer arithmetic and correctly rounded operations (+ - * / sqrt)
// are used, so that any machine does.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/splitmix.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy::generate_detail {

using splitmix::kGolden;
using splitmix::mixed;
struct Random {
  std::uint64_t state;
  Random(std::uint64_t seed, index_t row) : state(mixed(seed * kGolden + mixed(static_cast<std::uint64_t>(row)))) {}
  std::uint64_t next() { return mixed(state += kGolden); }
  // A random number in (0, 1].
  double uniform() { return static_cast<double>((next() >> 11) + 1) * 0x1p-53; }
};
// Maps a random 64-bit number r to [0, n), by the high half of r * n.
inline std::uint64_t scaled(std::uint64_t r, std::uint64_t n) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(r) * n) >> 64);
}
// A value in (-1, 1), never 0, that depends only on the seed and the entry's place.
inline double value_at(std::uint64_t seed, index_t row, index_t col) {
  const std::uint64_t bits = Random(seed ^ mixed(static_cast<std::uint64_t>(col) + kGolden), row).next() >> 11;
  return static_cast<double>(bits | 1) * 0x1p-52 - 1.0;
}
inline double symmetric_value_at(std::uint64_t seed, index_t row, index_t col) {
  return value_at(seed, std::min(row, col), std::max(row, col));
}

// Bytes of CSR arrays of this size. Doubles: a product of three sizes may be beyond any integer.
double csr_bytes(double rows, double cols, double nnz);
// The words of error messages for what needs memory (require_memory, MemoryReservation).
inline constexpr const char* kMatrix = "the matrix";
inline constexpr const char* kSmaller = "choose smaller parameters";

// Calls body(first, last) for blocks of rows, in parallel, moving the progress from `from` to `to` (0..1); throws
// Cancelled. `entries`: the entries of the whole matrix; together with one step per row they are the work.
void for_row_blocks(index_t rows, index_t entries, Progress& progress, double from, double to,
                    const std::function<void(index_t, index_t)>& body);

// The first pass computes row lengths and their prefix sum. The second writes columns and values directly into the
// matrix, so the peak of memory is the matrix itself. Memory for `expected` entries is reserved before the row pointers
// are allocated, and for the exact number before the rest is.
template <class Generator>
Csr build_rows(const Generator& g, double expected, Progress& progress) {
  const auto rows = static_cast<double>(g.rows), cols = static_cast<double>(g.cols);
  MemoryReservation reservation(csr_bytes(rows, cols, expected), kMatrix, kSmaller);
  std::vector<index_t> row_ptr = zeroed<index_t>(static_cast<std::size_t>(g.rows) + 1);
  for_row_blocks(g.rows, 0, progress, 0, 0.2, [&](index_t first, index_t last) {
    for (index_t row = first; row < last; ++row) row_ptr[row + 1] = g.length(row);
  });
  for (index_t row = 0; row < g.rows; ++row) row_ptr[row + 1] += row_ptr[row];
  const index_t nnz = row_ptr.back();
  reservation.raise(csr_bytes(rows, cols, static_cast<double>(nnz)), kMatrix, kSmaller);

  Indices columns = Indices::sized(g.cols, static_cast<std::size_t>(nnz));
  std::vector<double> values = zeroed<double>(static_cast<std::size_t>(nnz));
  columns.visit_mut([&](auto out) {
    for_row_blocks(g.rows, nnz, progress, 0.2, 1, [&](index_t first, index_t last) {
      for (index_t row = first; row < last; ++row)
        if (row_ptr[row] < row_ptr[row + 1]) g.fill(row, out.data() + row_ptr[row], values.data() + row_ptr[row]);
    });
  });
  return Csr(g.rows, g.cols, std::move(row_ptr), std::move(columns), std::move(values));
}

}  // namespace warpspy::generate_detail
