#include "core/reorder/adjacency.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>

#include "core/matrix/memory_guard.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy::reorder_detail {
namespace {

using Vertex = std::int32_t;
using Rows = tbb::blocked_range<index_t>;

// Calls out(column) for the union of row v of A and of its transpose, increasing, without v.
template <class Columns, class Out>
void merged(index_t v, Columns row, std::span<const Vertex> column, const Out& out) {
  auto a = row.begin();
  auto b = column.begin();
  while (a != row.end() || b != column.end()) {
    index_t next;
    if (b == column.end() || (a != row.end() && *a <= *b)) {
      next = *a;
      if (b != column.end() && *b == next) ++b;
      ++a;
    } else {
      next = *b++;
    }
    if (next != v) out(static_cast<Vertex>(next));
  }
}

}  // namespace

Adjacency adjacency_of(const Csr& a, Progress& progress) {
  const index_t n = a.rows();
  if (n > std::numeric_limits<Vertex>::max())
    throw Error("reordering takes matrices of up to 2147483647 rows; this one has " + std::to_string(n));
  progress.stage("building the graph");
  // Memory for the rows of each column, at most two neighbours for each entry, and where both begin.
  const MemoryReservation reservation(
      3.0 * sizeof(Vertex) * static_cast<double>(a.nnz()) + 3.0 * sizeof(index_t) * static_cast<double>(n),
      "the graph of the matrix");
  Adjacency g;
  a.columns().visit([&](auto columns) {
    // The transpose: the rows of each column. They increase, since rows are read in order.
    std::vector<index_t> column_begin = zeroed<index_t>(static_cast<std::size_t>(n) + 1);
    for (const auto col : columns) ++column_begin[col + 1];
    for (index_t v = 0; v < n; ++v) column_begin[v + 1] += column_begin[v];
    progress.check();
    std::vector<Vertex> row_of = zeroed<Vertex>(columns.size());
    {
      std::vector<index_t> next(column_begin.begin(), column_begin.end() - 1);
      for (index_t row = 0; row < n; ++row) {
        if (row % 65536 == 0) progress.check();
        for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k)
          row_of[next[columns[k]]++] = static_cast<Vertex>(row);
      }
    }
    const auto for_vertices = [&](const auto& body) {
      tbb::parallel_for(Rows(0, n, 4096), [&](const Rows& range) {
        progress.check();
        for (index_t v = range.begin(); v < range.end(); ++v) {
          const auto row =
              columns.subspan(static_cast<std::size_t>(a.row_ptr()[v]), static_cast<std::size_t>(a.row_length(v)));
          const auto column =
              std::span<const Vertex>(row_of).subspan(static_cast<std::size_t>(column_begin[v]),
                                                      static_cast<std::size_t>(column_begin[v + 1] - column_begin[v]));
          body(v, row, column);
        }
      });
    };
    g.begin = zeroed<index_t>(static_cast<std::size_t>(n) + 1);
    for_vertices([&](index_t v, auto row, auto column) {
      index_t count = 0;
      merged(v, row, column, [&](Vertex) { ++count; });
      g.begin[v + 1] = count;
    });
    for (index_t v = 0; v < n; ++v) g.begin[v + 1] += g.begin[v];
    g.neighbours = zeroed<Vertex>(static_cast<std::size_t>(g.begin[n]));
    for_vertices([&](index_t v, auto row, auto column) {
      Vertex* out = g.neighbours.data() + g.begin[v];
      merged(v, row, column, [&](Vertex w) { *out++ = w; });
    });
  });
  return g;
}

}  // namespace warpspy::reorder_detail
