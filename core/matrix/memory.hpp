// How much memory there is to take, and how to say it.
#pragma once

#include <cstdint>
#include <string>

namespace warpspy {

// Bytes that can be allocated without swapping: MemAvailable, or less where a control group sets a lower limit.
// UINT64_MAX when the system does not say.
std::uint64_t free_memory();

// "3.2 GB": three digits at most, decimal units.
std::string byte_text(double bytes);

}  // namespace warpspy
