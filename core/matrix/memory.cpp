#include "core/matrix/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>

namespace warpspy {
namespace {

std::size_t number_in(const char* path) {
  std::ifstream in(path);
  std::size_t n = 0;
  return in >> n ? n : SIZE_MAX;  // "max" is no number: no limit
}

std::size_t left_in_control_group() {
  const std::size_t limit = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
  if (limit == SIZE_MAX || used == SIZE_MAX) return SIZE_MAX;
  return limit > used ? limit - used : 0;
}

}  // namespace

std::size_t available_memory() {
  std::ifstream in("/proc/meminfo");
  std::size_t available = SIZE_MAX;
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
