#include "core/generate/build.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

namespace warpspy::generate_detail {
namespace {

// Bytes that can be had without swapping, as the kernel estimates them; else the free pages; else no limit is known.
double free_memory() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key; meminfo >> key;) {
    double kib = 0;
    if (key == "MemAvailable:" && meminfo >> kib) return kib * 1024;
    meminfo.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
#ifdef _SC_AVPHYS_PAGES
  const long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) return static_cast<double>(pages) * static_cast<double>(page);
#endif
  return std::numeric_limits<double>::infinity();
}

std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GB", bytes / 1e9);
  return text;
}

}  // namespace

void check_memory(double rows, double cols, double nnz) {
  const double index_bytes = cols <= static_cast<double>(INT32_MAX) ? 4 : 8;
  const double need = (rows + 1) * sizeof(index_t) + nnz * (index_bytes + sizeof(double));
  const double have = free_memory();
  if (need <= have) return;
  throw Error("the matrix needs " + gigabytes(need) + " of memory, " + gigabytes(have) + " are free", {},
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
