// How much memory there is to take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace warpspy {

// Bytes that large arrays may take: seven eighths of MemAvailable, or of what a control group leaves where that is
// less. SIZE_MAX when the system does not say.
std::size_t available_memory();

// What formats may take at most, as the user set it; absent: what the machine, and the device, have. It can only lower
// these: memory that is not there cannot be budgeted.
struct MemoryBudget {
  std::optional<std::uint64_t> host_bytes, device_bytes;
  bool operator==(const MemoryBudget&) const = default;
};

}  // namespace warpspy
