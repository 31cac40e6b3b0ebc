// From traffic to time.
#pragma once

#include <string>
#include <vector>

#include "core/model/gpu_spec.hpp"
#include "profiling/simulated/simulate.hpp"

namespace warpspy {

// Loads of one warp that are on their way together. Compilers unroll the loop over a row and issue the loads of several
// entries before they wait for the first; the trace says which loads there are, not which wait for which.
constexpr double loads_in_flight = 4;

// Each bound is the time if nothing else limited, in us. total = max of them + launch.
struct TimeEstimate {
  double dram = 0;     // DRAM bytes / what a long copy reaches
  double l2 = 0;       // bytes between the SMs and L2 / L2 bandwidth
  double l1 = 0;       // bytes at the SMs' door / throughput, blocks dealt to SMs one by one: the slowest SM
  double compute = 0;  // flops / peak
  double latency = 0;  // every block holds its place on an SM for latency(longest warp) / loads_in_flight; blocks are
                       // dealt to the places in order: Little's law, with occupancy and load imbalance in it
  double launch = 0;
  double total = 0;
  std::string how;  // one line with all of them
};
TimeEstimate estimate_time(const Simulation& s, const GpuSpec& gpu, Precision precision, double flops);

// The time until the last of `costs`, each repeated `scale` times in a row, is done, when each goes to the server that
// is free first. Long lists are estimated by Graham's bound: sum / servers + the largest cost.
double makespan(const std::vector<double>& costs, double scale, int servers);

}  // namespace warpspy
