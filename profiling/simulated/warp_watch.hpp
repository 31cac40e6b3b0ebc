// Looks at warps while a whole run goes through the caches: keeps the accesses of one block and where each sector of
// them came from, or what every warp cost.
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

// What a warp took.
struct WarpCost {
  WarpPlace place;
  std::uint64_t requests = 0, sectors = 0, lane_steps = 0, steps = 0;
  Waits waits;
  // The larger the worse; time: ns that it waits.
  double by(WarpMeasure m, const GpuSpec& gpu) const;
};

// What a run is asked to look at, and what it saw.
class WarpWatch final : public Observer {
 public:
  // The block to keep; none where launch is -1.
  int launch = -1;
  std::int64_t block = 0;
  LineWatch lines;           // of which it is told who drove them out
  bool every_block = false;  // keeps all that run whole instead: for small products

  const BlockRun* find(int of_launch, std::int64_t of_block) const;
  const WarpCost* cost_of(const WarpPlace& place) const;

  std::vector<BlockRun> blocks;
  bool besides = false;         // the block was not in the sample: it ran behind it, in caches that were empty
  std::vector<WarpCost> warps;  // of blocks that ran whole, in the order in which these went through the caches

  Kept keeps(int of_launch, std::int64_t of_block) const override;
  void waited(int of_launch, std::int64_t of_block, std::span<const Waits> of_warps) override;
  void ended(BlockRun& run) override;
  LineWatch* line_watch() override { return lines.lines.empty() ? nullptr : &lines; }

 private:
  std::map<std::pair<int, std::int64_t>, std::size_t> first_;  // warp of each block, in warps
};

// A warp without the run around it: keeps its block, of whose warps only this one asks the caches, which are empty.
// Nothing that it stores counts. Throws Cancelled, and the emulator's Error.
void watch_alone(EmulatedProduct& product, const GpuSpec& gpu, const WarpPlace& place, WarpWatch& watch,
                 const Progress& progress);

}  // namespace warpspy
