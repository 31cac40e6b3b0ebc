#include "core/generate/build.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <atomic>

namespace warpspy::generate_detail {

double csr_bytes(double rows, double cols, double nnz) {
  const double index_bytes = cols <= static_cast<double>(INT32_MAX) ? 4 : 8;
  return (rows + 1) * sizeof(index_t) + nnz * (index_bytes + sizeof(double));
}

void for_row_blocks(index_t rows, index_t entries, Progress& progress, double from, double to,
                    const std::function<void(index_t, index_t)>& body) {
  constexpr index_t task = 1 << 16;  // steps between two looks at the progress
  const index_t grain = std::max<index_t>(1, rows / std::max<index_t>(1, (entries + rows) / task));
  std::atomic<index_t> done{0};
  tbb::parallel_for(
      tbb::blocked_range<index_t>(0, rows, grain),
      [&](const tbb::blocked_range<index_t>& block) {
        progress.check();
        body(block.begin(), block.end());
        const index_t now = done += block.end() - block.begin();
        progress.set(from + (to - from) * static_cast<double>(now) / static_cast<double>(rows));
      },
      tbb::simple_partitioner{});
}

}  // namespace warpspy::generate_detail
