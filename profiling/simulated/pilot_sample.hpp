// What blocks of a launch cost to emulate, before it is known which of them run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "profiling/simulated/driver.hpp"
#include "profiling/simulated/simulate.hpp"

namespace warpspy {

// What a block costs.
struct BlockCostEstimate {
  double work = 0, bytes = 0;
  bool warps_alone = false;  // whether warps can run without the others
  double of_every_warp = 1;  // the share of the work that even one warp takes: what all do before a barrier
};

// What blocks cost, from a few of them, the first of which lie far from the beginning: there sorted formats have their
// longest rows, and a block of them may take more than the budget. Elsewhere one may too: so a warp of it comes
// first.
class PilotSample {
 public:
  PilotSample(const Driver& driver, const Launched& launch, const SimulateOptions& options, double budget);
  const BlockCostEstimate& mean() const { return mean_; }
  bool expensive() const { return mean_.work > expensive_; }
  // False when probing has done its work.
  bool ask(std::int64_t block);
  // Of the sampled block that lies nearest.
  double work_at(std::int64_t block) const;

 private:
  BlockCostEstimate estimate(std::int64_t block);
  // Nothing when the product does not tell.
  std::optional<BlockCostEstimate> one_warp(std::int64_t block);

  EmulatedProduct& product_;
  const GpuSpec& gpu_;
  const Launched& launch_;
  double expensive_, left_;
  std::map<std::int64_t, BlockCostEstimate> at_;
  BlockCostEstimate mean_;
};

}  // namespace warpspy
