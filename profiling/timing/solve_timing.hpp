// Runs a solve on a CUDA device and measures it. The iterations run in CUDA graphs of some iterations each; the host
// looks at the residuals of one graph while the next one runs, so that the device never waits for it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/jobs/progress.hpp"
#include "kernels/solve/iteration.hpp"

namespace warpspy {

struct SolveTiming {
  // r' r at the start and after each iteration that was done.
  std::vector<double> rr;
  bool broke_down = false;
  double solve_us = 0;  // until the last of these iterations has ended; without transfers
  // 0: too few for that; time_iteration() tells it then.
  double iteration_us = 0;  // the median of the graphs, by iterations; with replacements their mean
  int samples = 0;          // graphs
  std::vector<double> x;    // the last iterate
};
// Runs the solve. Throws Error when the build has no CUDA or CUDA reports a failure, and Cancelled.
SolveTiming time_solve(const DeviceIteration& iteration, const SolveOptions& options, Precision precision,
                       const Progress& progress);

// Microseconds of an iteration, from units of an iteration that no tolerance ends; throws likewise.
double time_iteration(const DeviceIteration& endless, const Progress& progress);

// Microseconds of each launch of an iteration, alone; throws likewise. `iteration` must have a unit of one.
std::vector<double> time_launches(const DeviceIteration& iteration, const Progress& progress);

}  // namespace warpspy
