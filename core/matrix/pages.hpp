// Large arrays cost most when they are touched for the first time: ask for huge pages, and touch with all threads.
#pragma once

#include <sys/mman.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpspy {

// A hint: without effect where the system has no huge pages.
inline void prefer_huge_pages(void* data, std::size_t bytes) {
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + 4095) & ~std::uintptr_t{4095};
  const auto end = reinterpret_cast<std::uintptr_t>(data) + bytes;
  if (bytes < 4 * page) return;
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

// Empty, with room for n elements that nobody has touched yet.
template <class T>
std::vector<T> with_room(std::size_t n) {
  std::vector<T> v;
  v.reserve(n);
  prefer_huge_pages(v.data(), n * sizeof(T));
  return v;
}

// n zeros, first touched by all threads.
template <class T>
std::vector<T> zeroed(std::size_t n) {
  std::vector<T> v = with_room<T>(n);
  constexpr std::size_t page = 4096 / sizeof(T);
  T* raw = v.data();
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, (n + page - 1) / page, 512), [&](const auto& range) {
    for (std::size_t p = range.begin(); p < range.end(); ++p) new (raw + p * page) T{};
  });
  v.resize(n);
  return v;
}

}  // namespace warpspy
