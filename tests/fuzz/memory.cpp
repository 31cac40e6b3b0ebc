// Counts what is allocated, and says how much is free: both so that a reader that takes more than it announced is seen
// at the line where it does, and not when the machine is full.
#include <sanitizer/allocator_interface.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/fuzz.hpp"

namespace {

std::atomic<std::int64_t> taken{0}, most{INT64_MAX};
std::atomic<std::uint64_t> free_bytes{warpspy::fuzz::kMemory};

void on_malloc(const volatile void*, std::size_t bytes) {
  const std::int64_t now = taken += static_cast<std::int64_t>(bytes);
  if (now <= most) return;
  most = INT64_MAX;
  std::fprintf(stderr, "more memory than announced: %zu bytes on top of %lld\n", bytes,
               static_cast<long long>(now) - static_cast<long long>(bytes));
  std::abort();
}

void on_free(const volatile void* p) {
  if (p) taken -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(p));
}

[[maybe_unused]] const int hooked = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);

}  // namespace

// In place of core/matrix/memory_state.cpp's available_memory(const MemoryState&), by the linker's --wrap: what every
// question and every claim begins with.
extern "C" std::size_t __wrap__ZN7warpspy16available_memoryERKNS_11MemoryStateE(const void*) { return free_bytes; }

namespace warpspy::fuzz {

MemoryGuard::MemoryGuard(std::uint64_t bytes) {
  free_bytes = bytes;
  most = taken + static_cast<std::int64_t>(bytes + kBeside);
}
MemoryGuard::~MemoryGuard() {
  most = INT64_MAX;
  free_bytes = kMemory;
}

}  // namespace warpspy::fuzz
