// Finds the CUDA context and the chip that are profiled. Only this folder uses it, in builds with CUPTI's headers.
#pragma once

#include <string>

#include "profiling/cupti/functions.hpp"

namespace warpspy::cupti {

// The CUDA runtime's context for this thread's current device. Throws CounterFailure.
CUcontext current_context();
// CUPTI's name of the chip of a device: "GH100". Throws CounterFailure.
std::string chip_of(const Functions& f, int ordinal);

}  // namespace warpspy::cupti
