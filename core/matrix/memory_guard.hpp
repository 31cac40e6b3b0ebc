// The guard in front of every large allocation: what is there to take (memory.hpp: available_memory), and who has
// spoken for it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/matrix/memory.hpp"

namespace warpspy {

// What limits this process, in bytes; SIZE_MAX where the system sets no limit or does not say.
struct MemoryState {
  std::size_t total = SIZE_MAX;               // MemTotal
  std::size_t available = SIZE_MAX;           // MemAvailable
  std::size_t group_limit = SIZE_MAX;         // the least of the control groups around this process
  std::size_t group_left = SIZE_MAX;          // what they leave; page cache that nobody needs counts as left
  std::size_t address_space_left = SIZE_MAX;  // of RLIMIT_AS (ulimit -v)
  std::size_t resident = 0;                   // of this process, without files that it maps
  // WARPSPY_MEMORY: what this program may take in all. Believed even beyond what the system shows, since the memory of
  // some virtual machines grows only as it is used.
  std::optional<std::size_t> allowed = {};
};
// As the system and the environment say now. Throws Error when WARPSPY_MEMORY is not understood.
MemoryState memory_state();
// The same from other places, for tests: /proc and /sys/fs/cgroup.
MemoryState memory_state(const std::string& proc, const std::string& control_groups);

// Bytes that large arrays may take in this state: seven eighths of the least that is left. Who takes the last byte is
// killed without a word, so an eighth stays for vectors, traces, and other programs. WARPSPY_MEMORY is taken whole.
std::size_t available_memory(const MemoryState& state);
// Whether WARPSPY_MEMORY is what leaves the least, not a limit of the system's.
bool user_limits_memory(const MemoryState& state);
// "12 GB are free", or whose word it is: "WARPSPY_MEMORY leaves 12 GB".
std::string free_text(std::size_t bytes);
// What to do where memory is short; empty, or how to say that there is more where the system shows less than a control
// group allows.
std::string memory_remedy(const MemoryState& state);
// A warning where WARPSPY_MEMORY allows more than the system shows; empty else.
std::string memory_warning(const MemoryState& state);

// The guard: throws Error "WHAT needs 72 GB of memory, 12 GB are free" unless `bytes` fit into what is free now.
// Doubles, since a product of sizes may be beyond any integer. `remedy`: what to do, beside what memory_remedy says.
void require_memory(double bytes, const std::string& what, const std::string& remedy = "use a smaller matrix");

// Memory that a piece of work is about to fill. While it is held other threads find that much less, so that two pieces
// that begin together do not both take the same bytes; its own thread does not. Let it go once the memory is filled:
// from then on the system counts it. Until then filled bytes count twice, which errs on the safe side.
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
  // At least `bytes` in all from now on. Throws as require_memory does; the reservation then stays as it is.
  void raise(double bytes, const std::string& what, const std::string& remedy = "use a smaller matrix");

 private:
  std::size_t bytes_ = 0;
};

}  // namespace warpspy
