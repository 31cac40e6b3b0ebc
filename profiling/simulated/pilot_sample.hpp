// Estimates how much work it takes to emulate a block of a launch. Then the blocks to run can be chosen.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "profiling/simulated/driver.hpp"
#include "profiling/simulated/simulate.hpp"

namespace warpspy {

// Holds the estimated cost of emulating a thread block.
struct BlockCostEstimate {
  double work = 0, bytes = 0;
  bool warps_alone = false;  // whether warps can run without the others
  double of_every_warp = 1;  // the share of the block's work that is needed even for one warp: all warps run up to the
                             // first barrier
};

// Estimates the cost of all blocks from a few of them. It does not start at the beginning of the grid. Sorted formats
// have their longest rows there, and one such block may take more than the budget. Since any block may do so, one warp
// of it runs first.
class PilotSample {
 public:
  PilotSample(const Driver& driver, const Launched& launch, const SimulateOptions& options, double budget);
  const BlockCostEstimate& mean() const { return mean_; }
  bool expensive() const { return mean_.work > expensive_; }
  // Runs one block; returns false when enough is known.
  bool ask(std::int64_t block);
  // The work of the nearest sampled block.
  double work_at(std::int64_t block) const;

 private:
  BlockCostEstimate estimate(std::int64_t block);
  // Estimates a block from one warp; nothing if the product cannot run a warp alone.
  std::optional<BlockCostEstimate> one_warp(std::int64_t block);

  EmulatedProduct& product_;
  const GpuSpec& gpu_;
  const Launched& launch_;
  double expensive_, left_;
  std::map<std::int64_t, BlockCostEstimate> at_;
  BlockCostEstimate mean_;
};

}  // namespace warpspy
