// The undirected graph of a square matrix, and the functions behind the table of orders. Only this folder uses them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/reorder/reorder.hpp"

namespace warpspy::reorder_detail {

// The pattern of A + A^T without the diagonal; neighbours increase.
struct Adjacency {
  std::vector<index_t> begin;  // vertices + 1
  std::vector<std::int32_t> neighbours;

  index_t vertices() const { return static_cast<index_t>(begin.size()) - 1; }
  index_t degree(index_t v) const { return begin[v + 1] - begin[v]; }
  std::span<const std::int32_t> of(index_t v) const {
    return std::span(neighbours).subspan(static_cast<std::size_t>(begin[v]), static_cast<std::size_t>(degree(v)));
  }
};
// Throws Error for more than 2^31 - 1 rows, and Cancelled.
Adjacency adjacency_of(const Csr& a, Progress& progress);

Reordering reverse_cuthill_mckee(const Csr& a, const ReorderInput& input, Progress& progress);
Reordering minimum_degree(const Csr& a, const ReorderInput& input, Progress& progress);
Reordering partitioned(const Csr& a, const ReorderInput& input, Progress& progress);
Reordering sorted_by_length(const Csr& a, const ReorderInput& input, Progress& progress);
Reordering shuffled(const Csr& a, const ReorderInput& input, Progress& progress);
Reordering from_file(const Csr& a, const ReorderInput& input, Progress& progress);

}  // namespace warpspy::reorder_detail
