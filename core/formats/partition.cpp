// FormatFacts::partition: calls METIS, and splits parts that exceed the limit.
#include <metis.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/base/metis_alone.hpp"
#include "core/formats/facts.hpp"

namespace warpspy {
namespace {

static_assert(sizeof(idx_t) == sizeof(std::int32_t), "METIS built with 64-bit indices: partition.cpp copies to 32");

using Parts = FormatFacts::Partition;

// The graph of the matrix without its diagonal.
struct Graph {
  std::vector<idx_t> begin, neighbours;
};

Graph graph_of(const Csr& a) {
  Graph g;
  g.begin.assign(static_cast<std::size_t>(a.rows()) + 1, 0);
  for (index_t row = 0; row < a.rows(); ++row)
    g.begin[row + 1] = g.begin[row] + static_cast<idx_t>(a.row_length(row) - (a.find(row, row) >= 0));
  g.neighbours.resize(static_cast<std::size_t>(g.begin.back()));
  tbb::parallel_for(tbb::blocked_range<index_t>(0, a.rows(), 4096), [&](const auto& range) {
    for (index_t row = range.begin(); row < range.end(); ++row) {
      idx_t to = g.begin[row];
      for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k)
        if (a.columns()[k] != row) g.neighbours[to++] = static_cast<idx_t>(a.columns()[k]);
    }
  });
  return g;
}

std::vector<std::int32_t> metis_parts(const Csr& a, index_t parts) {
  Graph g = graph_of(a);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;  // gives the same partition every time
  idx_t rows = static_cast<idx_t>(a.rows()), constraints = 1, count = static_cast<idx_t>(parts), cut = 0;
  std::vector<std::int32_t> part(static_cast<std::size_t>(a.rows()), 0);
  const auto alone = metis_alone();
  const int status = METIS_PartGraphKway(&rows, &constraints, g.begin.data(), g.neighbours.data(), nullptr, nullptr,
                                         nullptr, &count, nullptr, nullptr, options, &cut, part.data());
  if (status != METIS_OK)
    throw Error("METIS could not partition the matrix into " + std::to_string(parts) + " parts", {},
                status == METIS_ERROR_MEMORY ? "it needs more memory" : "try another packet size");
  return part;
}

// METIS keeps its parts within a few percent of the mean, but not below a limit. Rows beyond the limit become a part of
// their own. Renumbers the parts without gaps.
Parts limited(std::vector<std::int32_t> part, index_t parts, index_t most) {
  std::vector<index_t> rows(static_cast<std::size_t>(parts), 0);
  std::vector<std::int32_t> number(static_cast<std::size_t>(parts), -1);
  Parts result;
  for (std::int32_t& p : part) {
    if (rows[p]++ % most == 0) number[p] = static_cast<std::int32_t>(result.parts++);
    p = number[p];
  }
  result.part = std::move(part);
  return result;
}

Parts parts_of(const Csr& a, index_t most) {
  if (a.rows() <= most) return limited(std::vector<std::int32_t>(static_cast<std::size_t>(a.rows()), 0), 1, most);
  // A twentieth below the limit, so that parts slightly above the mean still meet it.
  const index_t parts = std::min(a.rows(), (20 * a.rows() + 19 * most - 1) / (19 * most));
  return limited(metis_parts(a, parts), parts, most);
}

}  // namespace

std::shared_ptr<const FormatFacts::Partition> FormatFacts::partition(index_t most) const {
  if (a_.rows() > INT32_MAX || a_.nnz() > INT32_MAX)
    throw Error("a matrix of " + std::to_string(a_.rows()) + " rows and " + std::to_string(a_.nnz()) +
                    " entries is too large to be partitioned",
                {}, "METIS counts with 32 bits here");
  std::lock_guard lock(mutex_);
  if (!partition_ || partition_most_ != most) {
    partition_ = std::make_shared<const Partition>(parts_of(a_, most));
    partition_most_ = most;
  }
  return partition_;
}

}  // namespace warpspy
