// How much memory there is to take, and how to say it.
#pragma once

#include <cstddef>
#include <string>

namespace warpspy {

// Bytes that can be allocated without swapping: MemAvailable, or less where a control group sets a lower limit.
// SIZE_MAX when the system does not say.
std::size_t available_memory();

// "3.2 GB": three digits at most, decimal units.
std::string byte_text(double bytes);

}  // namespace warpspy
