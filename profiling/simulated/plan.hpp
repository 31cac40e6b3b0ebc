// Which blocks of a launch run, within a budget of work.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "profiling/simulated/pilot_sample.hpp"
#include "profiling/simulated/sampling.hpp"

namespace warpspy {

// Streams of blocks that wait for the caches, and what is kept of them, stay below this.
constexpr double stream_limit_bytes = 256e6;
// Of the work that is left, what a sample is planned for: blocks differ.
constexpr double planned_share = 0.9;

// Blocks that run together, of neighbouring SMs, between two times that the caches of a sample are emptied.
struct BlockBatch {
  std::vector<std::vector<std::int64_t>> blocks;  // of each SM
  int first_sm = 0;
  std::uint32_t dealt = 0;    // for MemorySystem::l2_and_dram
  simt::WarpRange part = {};  // of each block

  std::int64_t size() const {
    return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0},
                           [](std::int64_t sum, const auto& sm) { return sum + static_cast<std::int64_t>(sm.size()); });
  }
};

// Which blocks run, and in which company.
struct SamplePlan {
  std::vector<BlockBatch> batches;
  bool sampled = false, alone = false;
  bool all_blocks = false;  // the sample has them all: it is none, unless they turn out to take too much
  int warps_of_block = 0;   // 0: all

  std::int64_t blocks() const {
    return std::accumulate(batches.begin(), batches.end(), std::int64_t{0},
                           [](std::int64_t sum, const BlockBatch& b) { return sum + b.size(); });
  }
};

// Whether all blocks fit into `budget`.
bool all_fit(const Grid& grid, const PilotSample& pilot, const SimulateOptions& options, double budget,
             double cost_factor);
// All blocks, or a sample that takes `budget`; with the caches behind it a block costs `cost_factor` times its work.
SamplePlan plan_of(const Launched& launch, const Grid& grid, PilotSample& pilot, const SimulateOptions& options,
                   double budget, double cost_factor);

}  // namespace warpspy
