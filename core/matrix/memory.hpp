// How much memory there is to take, and how to say it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace warpspy {

// Bytes that large arrays may take: seven eighths of MemAvailable, or of what a control group leaves where that is less.
// SIZE_MAX when the system does not say.
std::size_t available_memory();

// What formats may take at most, as the user set it; absent: what the machine, and the device, have. It can only lower
// these: memory that is not there cannot be budgeted.
struct MemoryBudget {
  std::optional<std::uint64_t> host_bytes, device_bytes;
  bool operator==(const MemoryBudget&) const = default;
};

// "4GiB", "1.5 GB", "512MB", "1e9": a number above 0, then B, kB to EB or KiB to EiB (in any case), else bytes. Throws
// Error that names `what`.
std::uint64_t bytes_from_text(const std::string& text, const std::string& what);

// The same number as a text that reads back as it: "4GiB", "1500MB", "1234567".
std::string exact_bytes_text(std::uint64_t bytes);

// "3.2 GB": three digits at most, decimal units.
std::string byte_text(double bytes);

}  // namespace warpspy
