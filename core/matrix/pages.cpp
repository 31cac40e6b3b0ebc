#include "core/matrix/pages.hpp"

#include <sys/mman.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstdint>
#include <new>

namespace warpspy {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

void prefer_huge_pages(void* data, std::size_t bytes) {
  if (bytes < 4 * kHugePage) return;
#ifdef MADV_HUGEPAGE
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + kPage - 1) & ~std::uintptr_t{kPage - 1};
  const auto end = reinterpret_cast<std::uintptr_t>(data) + bytes;
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)data;
#endif
}

template <class T>
std::vector<T> zeroed(std::size_t n) {
  std::vector<T> v = with_room<T>(n);
  constexpr std::size_t per_page = kPage / sizeof(T);
  T* raw = v.data();
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, (n + per_page - 1) / per_page, 512), [&](const auto& pages) {
    for (std::size_t p = pages.begin(); p < pages.end(); ++p) new (raw + p * per_page) T{};
  });
  v.resize(n);
  return v;
}

template std::vector<std::int32_t> zeroed(std::size_t);
template std::vector<std::int64_t> zeroed(std::size_t);
template std::vector<double> zeroed(std::size_t);

}  // namespace warpspy
