// Executes a run on a modelled GPU: the emulator runs the kernel, and the model of the GPU computes traffic and time.
#pragma once

#include "core/run/engine.hpp"
#include "profiling/engine/prepared_run.hpp"
#include "profiling/simulated/simulate.hpp"

namespace warpspy {

// Fills the record. If `on_timed` is given, it first gets a record of a quick run. Throws Error and Cancelled.
void run_simulated(const PreparedRun& run, RunRecord& r, Progress& progress, const OnTimed& on_timed);

// What runs on one simulated GPU and over several share. Throws Error for a kernel that cannot be emulated, and for a
// precision that the GPU lacks.
void require_emulated(const PreparedRun& run);
// Notes where this GPU works differently from the kernel's code, and what is not known of it.
void note_model(const Simulation& s, const PreparedRun& run, RunRecord& r);
// Notes the bytes that arrays of the format needed beyond their entries.
void tell_padding(const Format& format, std::vector<Traffic>& arrays);

}  // namespace warpspy
