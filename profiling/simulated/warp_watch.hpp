// Observes warps while a whole run goes through the caches: it keeps the accesses of one block and where each sector
// came from, or the cost of every warp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/run/warp_trace.hpp"
#include "profiling/simulated/driver.hpp"

namespace warpspy {

// The cost of a warp.
struct WarpCost {
  WarpPlace place;
  std::uint64_t requests = 0, sectors = 0, lane_steps = 0, steps = 0;
  Waits waits;
  // The cost by one measure; a larger number is worse. For time it is the ns that the warp waits.
  double by(WarpMeasure m, const GpuSpec& gpu) const;
};

// Holds what a run shall observe, and what it has observed.
class WarpWatch final : public Observer {
 public:
  // The block whose accesses are kept; none if launch is -1.
  int launch = -1;
  std::int64_t block = 0;
  LineWatch lines;           // lines for which it is noted which request evicted them
  bool every_block = false;  // keeps every block that runs completely instead: for small products

  const BlockRun* find(int of_launch, std::int64_t of_block) const;
  const WarpCost* cost_of(const WarpPlace& place) const;

  std::vector<BlockRun> blocks;
  bool besides = false;         // the block was not in the sample: it ran after it, with empty caches
  std::vector<WarpCost> warps;  // of blocks that ran whole, in the order in which these went through the caches

  Kept keeps(int of_launch, std::int64_t of_block) const override;
  void waited(int of_launch, std::int64_t of_block, std::span<const Waits> of_warps) override;
  void ended(BlockRun& run) override;
  LineWatch* line_watch() override { return lines.lines.empty() ? nullptr : &lines; }

 private:
  std::map<std::pair<int, std::int64_t>, std::size_t> first_;  // warp of each block, in warps
};

// Observes a warp that runs without the other blocks. Only this warp of its block uses the caches, which are empty at
// the start. Its stores do not count. Throws Cancelled, and the emulator's Error.
void watch_alone(EmulatedProduct& product, const GpuSpec& gpu, const WarpPlace& place, WarpWatch& watch,
                 const Progress& progress);

}  // namespace warpspy
