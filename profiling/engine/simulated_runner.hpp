// A run on a modelled GPU: the emulator runs the kernel, the model of the GPU says what that costs.
#pragma once

#include "core/run/engine.hpp"
#include "profiling/engine/prepared_run.hpp"

namespace warpspy {

// Fills the record. Where somebody waits for it (`on_timed`), a quick answer comes first. Throws Error and Cancelled.
void run_simulated(const PreparedRun& run, RunRecord& r, Progress& progress, const OnTimed& on_timed);

}  // namespace warpspy
