// Counts the traffic of each machine instruction on this thread's current device, by CUPTI's SASS metrics: CUPTI
// patches a kernel's code so that the code counts by itself. Only this folder uses it, in builds with CUPTI's headers.
#pragma once

#include <functional>
#include <vector>

#include "profiling/cupti/functions.hpp"
#include "profiling/cupti/lines.hpp"

namespace warpspy::cupti {

// Counts the instructions of `launch`, which runs one kernel to its end. No other profiler may use the device
// meanwhile. Throws CounterFailure, and whatever launch() throws.
std::vector<InstructionCounts> count_instructions(const Functions& f, CUcontext context, int ordinal,
                                                  const std::function<void()>& launch);

}  // namespace warpspy::cupti
