// A run on a modelled GPU: the emulator runs the kernel, and the model of the GPU computes traffic and time.
#pragma once

#include "core/run/engine.hpp"
#include "profiling/engine/prepared_run.hpp"

namespace warpspy {

// Fills the record. If `on_timed` is given, it first gets a record of a quick run. Throws Error and Cancelled.
void run_simulated(const PreparedRun& run, RunRecord& r, Progress& progress, const OnTimed& on_timed);

}  // namespace warpspy
