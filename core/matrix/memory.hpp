// Tells how much memory the program may take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace warpspy {

// The bytes that large arrays may take: seven eighths of the free memory (MemAvailable), or of what a control group
// leaves if that is less. SIZE_MAX if the system does not tell.
std::size_t available_memory();

// The most that formats may take, as the user set it; without it, all that the machine and the device have. A budget
// above that has no effect.
struct MemoryBudget {
  std::optional<std::uint64_t> host_bytes, device_bytes;
  bool operator==(const MemoryBudget&) const = default;
};

}  // namespace warpspy
