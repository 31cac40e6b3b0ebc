// Numbers the source lines of a kernel; a line gets its number when a lane first reaches it.
#pragma once

#include <array>
#include <bit>
#include <mutex>
#include <source_location>

#include "kernels/simt/trace.hpp"

#ifndef __cpp_lib_source_location
#error "The emulator needs std::source_location: GCC 12 or later, or clang 16 or later (CXX=clang++-16)"
#endif

namespace warpspy::simt {

// The list of a product's source lines, by number. Each product has one, shared by the host threads that run its
// blocks. Two accesses on one line have the same number.
class SiteRegistry {
 public:
  std::uint16_t id_of(const std::source_location& where);
  const std::vector<Site>& sites() const { return sites_; }
  // May be called while other threads add sites.
  Site at(std::uint16_t id) const {
    std::lock_guard lock(mutex_);
    return sites_[id];
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Site> sites_;
};

// The file's name without folders, such as "csr_scalar.hpp".
const char* base_name(const char* path);
// File and line, such as "csr_scalar.hpp:42".
std::string text_of(const Site& site);

// A source_location points to static data. So equal pointers mean equal places, and the pointer is a cheap key.
inline std::uintptr_t key_of(const std::source_location& where) {
  static_assert(sizeof(std::source_location) == sizeof(std::uintptr_t));
  return std::bit_cast<std::uintptr_t>(where);
}

// A copy of the registry for one host thread and one block, which needs no lock.
class SiteCache {
 public:
  void begin(SiteRegistry& registry) {
    registry_ = &registry;
    slots_.fill({});
  }
  std::uint16_t id_of(const std::source_location& where) {
    const std::uintptr_t key = key_of(where);
    Slot& slot = slots_[(key >> 3) % slots_.size()];
    if (slot.key != key) slot = {key, registry_->id_of(where)};
    return slot.id;
  }

 private:
  struct Slot {
    std::uintptr_t key = 0;
    std::uint16_t id = 0;
  };
  SiteRegistry* registry_ = nullptr;
  std::array<Slot, 64> slots_{};
};

}  // namespace warpspy::simt
