// Matrices for tests of what must not mind how uneven a matrix is.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "core/matrix/csr.hpp"
#include "tests/shapes.hpp"

namespace warpspy::testing {

// A power law of rows and of columns: long rows, dense columns, empty stretches, one entry, all in one row or one
// column.
inline Matrix uneven(unsigned seed, std::mt19937& rng) {
  const index_t rows = seed % 40 == 1 ? 1 : 1 + static_cast<index_t>(rng() % 1500);
  const index_t cols = seed % 40 == 2 ? 1 : 1 + static_cast<index_t>(rng() % 4000);
  const unsigned stretch = 1 + rng() % 300;
  std::vector<std::vector<index_t>> list(static_cast<std::size_t>(rows));
  const auto power_law = [&] { return static_cast<index_t>(0.5 / ((rng() % 9999 + 1) / 10000.0)); };
  for (std::size_t row = 0; row < list.size(); ++row) {
    if (rows > 1 && row / stretch % 3 == 1) continue;
    const index_t entries = rows == 1 ? (seed % 80 == 1 ? 1 : 4000) : power_law();
    // Most of them in few columns.
    for (index_t k = 0; k < std::min(entries, cols); ++k) list[row].push_back(std::min(cols - 1, power_law()));
    if (entries > 0) list[row].push_back(static_cast<index_t>(rng() % static_cast<unsigned>(cols)));
  }
  Matrix m;
  m.csr = std::make_shared<const Csr>(from_rows(cols, list, some_value));
  return m;
}

// The same made symmetric: as large as its longer side, each entry with its mirror image.
inline Matrix uneven_symmetric(unsigned seed, std::mt19937& rng) {
  const Matrix half = uneven(seed, rng);
  const index_t size = std::max(half.csr->rows(), half.csr->cols());
  std::vector<std::vector<index_t>> list(static_cast<std::size_t>(size));
  for (index_t row = 0; row < half.csr->rows(); ++row)
    for (index_t k = half.csr->row_ptr()[row]; k < half.csr->row_ptr()[row + 1]; ++k) {
      const auto column = static_cast<index_t>(half.csr->columns()[k]);
      list[static_cast<std::size_t>(row)].push_back(column);
      list[static_cast<std::size_t>(column)].push_back(row);
    }
  Matrix m;
  m.csr = std::make_shared<const Csr>(
      from_rows(size, list, [](index_t r, index_t c) { return some_value(std::min(r, c), std::max(r, c)); }));
  return m;
}

}  // namespace warpspy::testing
