// Chooses which thread blocks of a launch the emulator runs, within a budget of work.
#pragma once

#include <vector>

#include "profiling/simulated/pilot_sample.hpp"
#include "profiling/simulated/sampling.hpp"

namespace warpspy {

// The memory for streams of blocks that wait for the caches, and for data kept from them, stays below this.
constexpr double stream_limit_bytes = 256e6;
// A sample is planned to take this share of the remaining budget, since blocks differ.
constexpr double planned_share = 0.9;

// Tells which blocks run, and which of them run together.
struct ChosenBlocks {
  std::vector<BlockBatch> batches;
  bool sampled = false, own_sm = false;
  bool all_blocks = false;  // all blocks are chosen, so it is no sample, unless they turn out to take too much work
  int warps_of_block = 0;   // 0: all
  double budget = 0;        // the work that the sample may take
};

// Whether all blocks fit into `budget`.
bool all_fit(const Grid& grid, const PilotSample& pilot, const SimulateOptions& options, double budget,
             double cost_factor);
// Chooses all blocks, or a sample that takes `budget`. A block costs `cost_factor` times its work, since the caches
// take time too.
ChosenBlocks choose_blocks(const Launched& launch, const Grid& grid, PilotSample& pilot, const SimulateOptions& options,
                           const GpuSpec& gpu, double budget, double cost_factor);

}  // namespace warpspy
