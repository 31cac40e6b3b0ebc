// The CUDA context and the chip that are profiled. Private to the folder; in builds with CUPTI's headers only.
#pragma once

#include <string>

#include "profiling/cupti/functions.hpp"

namespace warpspy::cupti {

// The CUDA runtime's context for this thread's current device. Throws CounterFailure.
CUcontext current_context();
// "GH100". Throws CounterFailure.
std::string chip_of(const Functions& f, int ordinal);

}  // namespace warpspy::cupti
