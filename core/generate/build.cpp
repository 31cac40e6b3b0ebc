#include "core/generate/build.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <atomic>

#include "core/matrix/memory.hpp"

namespace warpspy::generate_detail {

void check_memory(double rows, double cols, double nnz) {
  const double index_bytes = cols <= static_cast<double>(INT32_MAX) ? 4 : 8;
  check_memory_bytes((rows + 1) * sizeof(index_t) + nnz * (index_bytes + sizeof(double)));
}

void check_memory_bytes(double need) {
  const auto have = static_cast<double>(available_memory());
  if (need <= have) return;
  throw Error("the matrix needs " + byte_text(need) + " of memory, " + byte_text(have) + " are free", {},
              "choose smaller parameters");
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
