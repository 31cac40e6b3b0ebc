// Records the steps of one warp of a run. It uses the emulator, whatever the run's device is.
#pragma once

#include "core/run/warp_trace.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/prepare.hpp"

namespace warpspy {

// Implements Engine::trace_warp. Throws Error and Cancelled.
WarpTrace trace_warp_by_emulator(const EngineParts& parts, Preparation& preparation, const RunRequest& request,
                                 const Matrix& matrix, const WarpWanted& wanted, Progress& progress);

}  // namespace warpspy
