// Puts rows in random order, to see what a good order is worth.
#include <numeric>
#include <utility>

#include "core/base/splitmix.hpp"
#include "core/reorder/adjacency.hpp"

namespace warpspy::reorder_detail {

// Fisher & Yates: from the last row on, each row changes places with a random row at or before it.
Reordering shuffled(const Csr& a, const ReorderInput& input, Progress& progress) {
  progress.stage("shuffling rows");
  const auto rows = static_cast<std::size_t>(a.rows());
  std::vector<index_t> order(rows);
  std::iota(order.begin(), order.end(), index_t{0});
  std::uint64_t state = splitmix::mixed(static_cast<std::uint64_t>(input.params.at("seed")));
  for (std::size_t left = rows; left > 1; --left) {
    if (left % 65536 == 0) progress.check();
    state += splitmix::kGolden;
    std::swap(order[left - 1], order[splitmix::mixed(state) % left]);
  }
  const bool follow = a.rows() == a.cols() && input.params.at("columns") == 0;
  if (follow) return {Permutation::symmetric(std::move(order))};
  return {Permutation::rows_only(std::move(order)), "columns keep their order"};
}

}  // namespace warpspy::reorder_detail
