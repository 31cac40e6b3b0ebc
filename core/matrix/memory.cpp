#include "core/matrix/memory.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace warpspy {
namespace {

std::uint64_t number_in(const char* path) {
  std::ifstream in(path);
  std::uint64_t n = 0;
  return in >> n ? n : UINT64_MAX;  // "max" is no number: no limit
}

std::uint64_t left_in_control_group() {
  const std::uint64_t limit = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
  if (limit == UINT64_MAX || used == UINT64_MAX) return UINT64_MAX;
  return limit > used ? limit - used : 0;
}

}  // namespace

std::uint64_t free_memory() {
  std::ifstream in("/proc/meminfo");
  std::uint64_t available = UINT64_MAX;
  for (std::string line; std::getline(in, line);) {
    unsigned long long kib = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %llu kB", &kib) == 1) available = kib * 1024;
  }
  return std::min(available, left_in_control_group());
}

std::string byte_text(double bytes) {
  constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  int unit = 0;
  for (; bytes >= 999.5 && unit < 6; ++unit) bytes /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 || bytes >= 99.95 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  return text;
}

}  // namespace warpspy
