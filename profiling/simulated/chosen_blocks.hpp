// Which blocks of a launch run, within a budget of work.
#pragma once

#include <vector>

#include "profiling/simulated/pilot_sample.hpp"
#include "profiling/simulated/sampling.hpp"

namespace warpspy {

// Streams of blocks that wait for the caches, and what is kept of them, stay below this.
constexpr double stream_limit_bytes = 256e6;
// Of the work that is left, what a sample is planned for: blocks differ.
constexpr double planned_share = 0.9;

// Which blocks run, and in which company.
struct ChosenBlocks {
  std::vector<BlockBatch> batches;
  bool sampled = false, own_sm = false;
  bool all_blocks = false;  // the sample has them all: it is none, unless they turn out to take too much
  int warps_of_block = 0;   // 0: all
  double budget = 0;        // that the sample may take
};

// Whether all blocks fit into `budget`.
bool all_fit(const Grid& grid, const PilotSample& pilot, const SimulateOptions& options, double budget,
             double cost_factor);
// All blocks, or a sample that takes `budget`; with the caches behind it a block costs `cost_factor` times its work.
ChosenBlocks choose_blocks(const Launched& launch, const Grid& grid, PilotSample& pilot, const SimulateOptions& options,
                           const GpuSpec& gpu, double budget, double cost_factor);

}  // namespace warpspy
