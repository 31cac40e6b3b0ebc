#include "core/base/memory_reserve.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

namespace warpspy {
namespace {

// Only address space: its pages are never used.
constexpr std::size_t kReserve = std::size_t{8} << 20;
std::atomic<void*> reserve{nullptr};

void let_go() {
  if (void* const held = reserve.exchange(nullptr)) ::munmap(held, kReserve);
  throw std::bad_alloc();  // only once: a caller that tries again would use up everything
}

}  // namespace

void hold_memory_reserve() noexcept {
  std::set_new_handler(let_go);
  if (reserve.load() != nullptr) return;
  void* const taken =
      ::mmap(nullptr, kReserve, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (taken == MAP_FAILED) return;
  if (void* none = nullptr; !reserve.compare_exchange_strong(none, taken)) ::munmap(taken, kReserve);
}

void share_little_memory() noexcept {
#ifdef M_ARENA_MAX
  // Each malloc arena reserves 64 MB of addresses. With too little space for arenas, every allocation of a thread
  // becomes a system call.
  constexpr rlim_t little = rlim_t{4} << 30;
  rlimit space = {};
  if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur < little) ::mallopt(M_ARENA_MAX, 1);
#endif
}

bool memory_ran_out() noexcept {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const std::system_error& e) {
    return e.code() == std::errc::resource_unavailable_try_again || e.code() == std::errc::not_enough_memory;
  } catch (const std::exception& e) {
    return std::string_view(e.what()).starts_with("pthread_create has failed");  // of oneTBB
  } catch (...) {
    return false;
  }
}

}  // namespace warpspy
