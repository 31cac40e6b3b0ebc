// The check before every large allocation. It compares the wanted bytes with the free memory (memory.hpp:
// available_memory), less what other threads have reserved.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/matrix/memory.hpp"

namespace warpspy {

// Holds what limits this process, in bytes; SIZE_MAX where the system sets no limit or does not say.
struct MemoryState {
  std::size_t total = SIZE_MAX;               // MemTotal
  std::size_t available = SIZE_MAX;           // MemAvailable
  std::size_t group_limit = SIZE_MAX;         // the least of the control groups around this process
  std::size_t group_left = SIZE_MAX;          // what these groups leave; page cache that can be dropped counts as free
  std::size_t address_space_left = SIZE_MAX;  // address space that RLIMIT_AS (ulimit -v) still allows
  std::size_t resident = 0;                   // resident memory of this process, without mapped files
  // The environment variable WARPSPY_MEMORY: the bytes that this program may take in all. It may be more than the
  // system shows, since some virtual machines get more memory only when programs use it.
  std::optional<std::size_t> allowed = {};
};
// Reads the present state from the system and the environment. Throws Error if WARPSPY_MEMORY is not understood.
MemoryState memory_state();
// Reads the state from other folders than /proc and /sys/fs/cgroup, for tests.
MemoryState memory_state(const std::string& proc, const std::string& control_groups);

// Bytes that large arrays may take in this state: seven eighths of the least that is left. The system kills a program
// that takes the last byte, so an eighth stays for vectors, traces, and other programs. Of WARPSPY_MEMORY all is
// available.
std::size_t available_memory(const MemoryState& state);
// Whether WARPSPY_MEMORY leaves less than every limit of the system.
bool user_limits_memory(const MemoryState& state);
// "12 GB are free", or, if WARPSPY_MEMORY decides: "WARPSPY_MEMORY leaves 12 GB".
std::string free_text(std::size_t bytes);
// The advice for a user when memory is short. If the system shows less than a control group allows, it explains how to
// tell the program that more is there; otherwise it is empty.
std::string memory_remedy(const MemoryState& state);
// A warning if WARPSPY_MEMORY allows more than the system shows; else empty.
std::string memory_warning(const MemoryState& state);

// The guard: throws Error "WHAT needs 72 GB of memory, 12 GB are free" unless `bytes` fit into what is free now.
// `bytes` is a double, since a product of sizes may be too large for any integer. `remedy`: what to do, besides
// memory_remedy().
void require_memory(double bytes, const std::string& what, const std::string& remedy = "use a smaller matrix");

// Memory that a piece of work is about to fill. While a reservation is held, other threads see that much less free
// memory; its own thread does not. So two pieces of work that begin together do not count on the same bytes. Drop the
// reservation once the memory is filled, since the system then counts it. Until then filled bytes count twice, which is
// on the safe side.
class MemoryReservation {
 public:
  MemoryReservation() = default;
  // Throws as require_memory does.
  explicit MemoryReservation(double bytes, const std::string& what,
                             const std::string& remedy = "use a smaller matrix") {
    raise(bytes, what, remedy);
  }
  ~MemoryReservation();
  MemoryReservation(const MemoryReservation&) = delete;
  MemoryReservation& operator=(const MemoryReservation&) = delete;
  // Raises the reservation to at least `bytes`. If it throws as require_memory does, the reservation is unchanged.
  void raise(double bytes, const std::string& what, const std::string& remedy = "use a smaller matrix");

 private:
  std::size_t bytes_ = 0;
};

}  // namespace warpspy
