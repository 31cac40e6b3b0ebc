// Runs solves. A solve is a run whose product is one iteration: it is timed, counted and modelled like any product, and
// its numbers go beside that into the record.
#pragma once

#include <memory>

#include "kernels/product/product.hpp"
#include "profiling/engine/solve_record.hpp"

namespace warpspy {

// Runs a solve on a modelled GPU. One iteration runs in the emulator, at the depth of the request. This machine's
// processors compute the numbers of all iterations.
void run_simulated_solve(const PreparedRun& run, RunRecord& r, SolveVectors* given, Progress& progress);
// Runs a solve on a device, all its iterations. Returns one iteration, which ignores the tolerance, for reading
// counters; nullptr in a later step of Newton's method.
std::unique_ptr<DeviceProduct> run_device_solve(const PreparedRun& run, RunRecord& r, SolveVectors* given,
                                                Progress& progress);

}  // namespace warpspy
