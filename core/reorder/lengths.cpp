// Sorts rows by their number of entries, which formats like ELL need.
#include <algorithm>

#include "core/reorder/adjacency.hpp"

namespace warpspy::reorder_detail {

// A counting sort: stable, linear.
Reordering sorted_by_length(const Csr& a, const ReorderInput& input, Progress& progress) {
  progress.stage("sorting rows");
  const bool longest_first = input.params.at("order") == 0;
  index_t longest = 0;
  for (index_t row = 0; row < a.rows(); ++row) longest = std::max(longest, a.row_length(row));
  const auto key = [&](index_t row) { return longest_first ? longest - a.row_length(row) : a.row_length(row); };
  std::vector<index_t> at(static_cast<std::size_t>(longest) + 2, 0);
  for (index_t row = 0; row < a.rows(); ++row) ++at[key(row) + 1];
  for (std::size_t k = 1; k < at.size(); ++k) at[k] += at[k - 1];
  progress.check();
  std::vector<index_t> order(static_cast<std::size_t>(a.rows()));
  for (index_t row = 0; row < a.rows(); ++row) order[at[key(row)]++] = row;
  const bool follow = a.rows() == a.cols() && input.params.at("columns") == 0;
  if (follow) return {Permutation::symmetric(std::move(order))};
  return {Permutation::rows_only(std::move(order)), "columns keep their order"};
}

}  // namespace warpspy::reorder_detail
