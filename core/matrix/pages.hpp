// Large arrays cost most when they are first accessed. So this asks for huge pages, and accesses the pages with all
// threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpspy {

// A hint: without effect where the system has no huge pages.
void prefer_huge_pages(void* data, std::size_t bytes);

// An empty vector with room for n elements, in memory that was not touched yet.
template <class T>
std::vector<T> with_room(std::size_t n) {
  std::vector<T> v;
  v.reserve(n);
  prefer_huge_pages(v.data(), n * sizeof(T));
  return v;
}

// n zeros, first touched by all threads. T: std::int32_t, std::int64_t or double.
template <class T>
std::vector<T> zeroed(std::size_t n);

}  // namespace warpspy
