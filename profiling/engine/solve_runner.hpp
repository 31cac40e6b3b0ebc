// Runs solves. A solve is a run whose product is one iteration: it is timed, counted and modelled like any product, and
// its numbers go beside that into the record.
#pragma once

#include <memory>
#include <vector>

#include "core/solve/system.hpp"
#include "kernels/product/product.hpp"
#include "profiling/engine/prepared_run.hpp"

namespace warpspy {

// Vectors that no word of the request names: Newton's method makes them.
struct SolveVectors {
  std::vector<double> b;  // the right-hand side; the start is 0
  std::vector<double> x;  // gets the solution
};

// In the emulator one iteration runs, at the depth of the request; the numbers of all iterations come from this
// machine's processors.
void run_simulated_solve(const PreparedRun& run, RunRecord& r, SolveVectors* given, Progress& progress);
// All iterations run on the device. Returns one iteration that never ends a solve, for counters.
std::unique_ptr<DeviceProduct> run_device_solve(const PreparedRun& run, RunRecord& r, SolveVectors* given,
                                                Progress& progress);

}  // namespace warpspy
