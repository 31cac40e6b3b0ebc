#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include "core/generate/build.hpp"

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

}  // namespace warpspy::generate_detail
