// Orderings by libraries: AMD of SuiteSparse (BSD) and METIS (Apache 2). Neither can be interrupted, so cancelling
// takes effect before or after them.
#include <amd.h>
#include <metis.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "core/base/metis_alone.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/reorder/adjacency.hpp"
#include "core/reorder/graph_parts.hpp"

namespace warpspy::reorder_detail {
namespace {

static_assert(sizeof(idx_t) == 4, "METIS is expected with 32-bit indices");

void amd_failed(int status) {
  if (status >= AMD_OK) return;
  throw Error(status == AMD_OUT_OF_MEMORY ? "not enough memory for approximate minimum degree"
                                          : "approximate minimum degree refused the pattern");
}

// Of the graph, which METIS may change.
GraphParts parts_of(Adjacency& graph, idx_t parts, std::span<const std::int32_t> weights, Progress& progress) {
  const auto n = static_cast<idx_t>(graph.vertices());
  GraphParts result;
  std::vector<idx_t>& part = result.of_row;
  part.resize(static_cast<std::size_t>(n), 0);
  if (graph.neighbours.empty() || parts == 1) {  // METIS takes no graph without edges
    for (idx_t v = 0; v < n; ++v) part[v] = static_cast<idx_t>(static_cast<index_t>(v) * parts / n);
    return result;
  }
  constexpr index_t most = std::numeric_limits<idx_t>::max();
  if (graph.begin.back() > most)
    throw Error("METIS takes graphs of up to 2147483647 neighbours; this one has " +
                std::to_string(graph.begin.back()));
  if (std::accumulate(weights.begin(), weights.end(), index_t{0}) > most)
    throw Error("METIS takes weights of up to 2147483647 together; those of the rows are more");
  // METIS stores coarser and coarser copies of the graph, with weights.
  const MemoryReservation reservation(
      4.0 * sizeof(idx_t) * static_cast<double>(graph.neighbours.size() + graph.begin.size()), "METIS");
  std::vector<idx_t> begin(graph.begin.begin(), graph.begin.end()), weight(weights.begin(), weights.end());
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  idx_t vertices = n, constraints = 1, cut = 0;
  progress.stage("METIS: cannot be interrupted");
  // The manual recommends bisection for few parts.
  const auto partition = parts <= 8 ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  const auto alone = metis_alone();
  const int status = partition(&vertices, &constraints, begin.data(), graph.neighbours.data(),
                               weight.empty() ? nullptr : weight.data(), nullptr, nullptr, &parts, nullptr, nullptr,
                               options, &cut, part.data());
  if (status == METIS_ERROR_MEMORY) throw Error("not enough memory for METIS");
  if (status != METIS_OK) throw Error("METIS found no partition");
  progress.check();
  result.cut = cut;
  return result;
}

}  // namespace

Reordering minimum_degree(const Csr& a, const ReorderInput&, Progress& progress) {
  progress.stage("approximate minimum degree: cannot be interrupted");
  progress.check();
  const index_t n = a.rows();
  // The manual demands 1.2 times the entries of A + A^T without the diagonal, and some numbers per row; at most 64 bits
  // each.
  const MemoryReservation reservation(
      sizeof(index_t) * (3.4 * static_cast<double>(a.nnz()) + 12.0 * static_cast<double>(n)),
      "approximate minimum degree");
  std::vector<index_t> order(static_cast<std::size_t>(n));
  if (a.nnz() == 0) {  // AMD takes no empty arrays
    std::iota(order.begin(), order.end(), index_t{0});
    return {Permutation::symmetric(std::move(order))};
  }
  double info[AMD_INFO];
  // Rows and columns are equivalent, since AMD works on A + A^T.
  if (a.nnz() <= std::numeric_limits<int>::max() && n < std::numeric_limits<int>::max() && a.columns().is32()) {
    const std::vector<int> ptr(a.row_ptr().begin(), a.row_ptr().end());
    std::vector<int> p(order.size());
    a.columns().visit([&](auto columns) {
      if constexpr (sizeof(columns[0]) == sizeof(int))
        amd_failed(amd_order(static_cast<int>(n), ptr.data(), columns.data(), p.data(), nullptr, info));
    });
    std::copy(p.begin(), p.end(), order.begin());
  } else {
    std::vector<std::int64_t> ptr(a.row_ptr().begin(), a.row_ptr().end()), columns(static_cast<std::size_t>(a.nnz()));
    a.columns().visit([&](auto from) { std::copy(from.begin(), from.end(), columns.begin()); });
    amd_failed(static_cast<int>(amd_l_order(n, ptr.data(), columns.data(), order.data(), nullptr, info)));
  }
  progress.check();
  // AMD counts the strictly lower triangle of the factor.
  return {Permutation::symmetric(std::move(order)),
          "a Cholesky factor would have " + std::to_string(static_cast<index_t>(info[AMD_LNZ]) + n) + " entries"};
}

Reordering partitioned(const Csr& a, const ReorderInput& input, Progress& progress) {
  Adjacency graph = adjacency_of(a, progress);
  if (graph.vertices() == 0) return {Permutation::symmetric({})};
  const auto parts = static_cast<idx_t>(std::min(input.params.at("parts"), static_cast<double>(graph.vertices())));
  progress.stage("METIS");
  const GraphParts found = parts_of(graph, parts, {}, progress);
  const std::vector<std::int32_t>& part = found.of_row;
  std::vector<index_t> order(part.size());
  std::iota(order.begin(), order.end(), index_t{0});
  std::stable_sort(order.begin(), order.end(), [&](index_t u, index_t v) { return part[u] < part[v]; });
  return {Permutation::symmetric(std::move(order)), std::to_string(parts) + (parts == 1 ? " part, " : " parts, ") +
                                                        std::to_string(found.cut) + " edges between parts"};
}

}  // namespace warpspy::reorder_detail

namespace warpspy {

GraphParts graph_parts(const Csr& a, std::int32_t parts, std::span<const std::int32_t> weights, Progress& progress) {
  if (a.rows() == 0) return {};
  reorder_detail::Adjacency graph = reorder_detail::adjacency_of(a, progress);
  return reorder_detail::parts_of(graph, parts, weights, progress);
}

}  // namespace warpspy
