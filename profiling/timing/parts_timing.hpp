// Measures products and solves of a matrix whose parts are on several CUDA devices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"
#include "kernels/parts/device_parts.hpp"
#include "profiling/timing/solve_timing.hpp"

namespace warpspy {

// Who enqueues the launches of parts. threads: a host thread for each part, launch by launch. graph: CUDA, several
// products or iterations of all parts at once.
enum class PartsLaunch : std::uint8_t { threads, graph };

// The functions here measure what the host sees: its launches are part of it. They throw Error as
// DeviceParts::together() and alone(), and Cancelled.

// All parts compute one product.
void run_parts_once(DeviceParts& parts);
// The time of one halo on its way and of one exchange of sums, if the parts have any: medians, in microseconds.
// Products and sums are without meaning then.
double time_messages(DeviceParts& parts, const Progress& progress);

// The time of a product or an iteration in both ways, in microseconds. Without a graph it says why.
struct LaunchTimes {
  double threads_us = 0, graph_us = 0;
  std::string no_graph = {};
  PartsLaunch faster() const {
    return no_graph.empty() && graph_us < threads_us ? PartsLaunch::graph : PartsLaunch::threads;
  }
};
LaunchTimes time_launching(DeviceParts& parts, const Progress& progress);

// One product of all parts, in microseconds: the median sample of the part that is last in it, and where each part's
// time went.
struct PartsProductTime {
  double us = 0, low = 0, high = 0;  // with quartiles of the samples
  int samples = 0, products = 0;     // of a sample
  std::vector<PartTimes> parts;
};
PartsProductTime time_parts(DeviceParts& parts, PartsLaunch launch, double budget_s, const Progress& progress);

struct PartsSolveTiming {
  SolveTiming first;                      // of part 0; residuals and iterations are those of all parts
  double iteration_us = 0, solve_us = 0;  // of the slowest part
};
// Runs the solve. Part k's x is its iteration's state "x" then.
PartsSolveTiming solve_parts(DeviceParts& parts, PartsLaunch launch, std::uint64_t most_iterations, Precision precision,
                             const Progress& progress);
// Where the time of an iteration goes, in each part, and what an iteration takes without events between its launches.
// No tolerance may end the parts' iterations.
struct PartsIterationTime {
  double us = 0;
  std::vector<PartTimes> parts;
};
PartsIterationTime time_iteration_of_parts(DeviceParts& parts, PartsLaunch launch, const Progress& progress);

}  // namespace warpspy
