// The matrix of Bell & Garland 2008, section 3.
#pragma once

#include <memory>
#include <vector>

#include "core/matrix/csr.hpp"
#include "tests/shapes.hpp"

namespace warpspy::testing {

// 1 7 0 0 / 0 2 8 0 / 5 0 3 9 / 0 6 0 4.
inline Matrix paper_matrix() {
  const std::vector<std::vector<index_t>> rows = {{0, 1}, {1, 2}, {0, 2, 3}, {1, 3}};
  constexpr double values[4][4] = {{1, 7, 0, 0}, {0, 2, 8, 0}, {5, 0, 3, 9}, {0, 6, 0, 4}};
  Matrix m;
  m.csr = std::make_shared<const Csr>(from_rows(4, rows, [&](index_t r, index_t c) { return values[r][c]; }));
  return m;
}

}  // namespace warpspy::testing
