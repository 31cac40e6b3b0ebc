// The first access to each memory page of a large array is slow. So this code asks the system for huge pages, and lets
// all threads do the first accesses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpspy {

// Asks for huge pages. It has no effect if the system has none.
void prefer_huge_pages(void* data, std::size_t bytes);

// Returns an empty vector with room for n elements, in memory that was not accessed yet.
template <class T>
std::vector<T> with_room(std::size_t n) {
  std::vector<T> v;
  v.reserve(n);
  prefer_huge_pages(v.data(), n * sizeof(T));
  return v;
}

// Returns n zeros; all threads share the first accesses. T is std::int32_t, std::int64_t or double.
template <class T>
std::vector<T> zeroed(std::size_t n);

}  // namespace warpspy
