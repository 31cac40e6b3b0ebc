// Parts of a matrix' graph by METIS, of about equal weight and with few edges between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

struct GraphParts {
  std::vector<std::int32_t> of_row;  // for each row its part, from 0 on; a part may be empty
  std::int64_t cut = 0;              // edges between parts
};
// Divides the rows of a square matrix, whose graph is the pattern of A + A^T. The seed is fixed: the same matrix always
// gets the same parts. `weights`: for each row its weight, from 0 on; empty: all weigh the same. Throws Error for a
// graph or a sum of weights beyond 32 bits, when METIS fails or has no memory, and Cancelled (METIS itself cannot be
// interrupted).
GraphParts graph_parts(const Csr& a, std::int32_t parts, std::span<const std::int32_t> weights, Progress& progress);

}  // namespace warpspy
