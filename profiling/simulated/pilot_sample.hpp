// What blocks of a launch cost to emulate, before it is known which of them run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "kernels/simt/emulator.hpp"
#include "profiling/simulated/simulate.hpp"

namespace warpspy {

// One launch of a product, or those of its blocks that do the same kind of work.
struct Launched {
  EmulatedProduct& product;
  const GpuSpec& gpu;
  int launch;
  LaunchShape shape;       // its grid is that of the part
  std::int64_t first = 0;  // block of the launch; blocks are counted from it
  bool unchecked = false;  // a launch before was sampled: not all that this one reads is there

  Launched(EmulatedProduct& of, const GpuSpec& on, int number)
      : product(of), gpu(on), launch(number), shape(of.launches()[static_cast<std::size_t>(number)]) {}
  // The blocks of each of LaunchShape::parts. Itself where all do the same.
  std::vector<Launched> parts() const;
  int warps() const { return (shape.block + simt::warp_size - 1) / simt::warp_size; }

  // Of a part of a block what its own warps did: all of the block runs where they cannot do without the others. `later`
  // is dry then. A whole block's trace is left in `kept`, where given.
  BlockStream run(std::int64_t block, simt::WarpRange part, simt::Additions* later,
                  simt::BlockTrace* kept = nullptr) const;
};

// What a block costs.
struct BlockCostEstimate {
  double work = 0, bytes = 0;
  bool parts = false;        // whether warps can run without the others
  double of_every_part = 1;  // the share of the work that even one warp takes: what all do before a barrier
};

// What blocks cost, from a few of them, the first of which lie far from the beginning: there sorted formats have their
// longest rows, and a block of them may take more than the budget. Elsewhere one may too: so a warp of it comes
// first.
class PilotSample {
 public:
  PilotSample(const Launched& launch, const SimulateOptions& options, double budget);
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

  const Launched& launch_;
  double expensive_, left_;
  std::map<std::int64_t, BlockCostEstimate> at_;
  BlockCostEstimate mean_;
};

}  // namespace warpspy
