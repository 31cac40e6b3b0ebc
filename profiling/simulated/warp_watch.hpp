// Looks at warps while a whole run goes through the caches: keeps the accesses of one block and where each sector of
// them came from, or what every warp cost.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "core/run/warp_trace.hpp"
#include "kernels/simt/meetings.hpp"
#include "kernels/simt/trace.hpp"
#include "profiling/simulated/coalesce.hpp"
#include "profiling/simulated/memory.hpp"

namespace warpspy {

// A block as it was emulated, and its requests as the caches saw them.
struct WatchedBlock {
  int launch = 0;
  simt::BlockTrace trace;
  std::vector<std::vector<simt::Meeting>> meetings;  // per warp
  simt::SharedLog shared;
  BlockStream stream;                // its `served` is below
  std::vector<std::uint8_t> served;  // per touch of the stream
  bool besides = false;  // not in the sample: it ran behind it, in caches that were empty, with the others of its SM
};

// What a warp took.
struct WarpCost {
  WarpPlace place;
  std::uint64_t requests = 0, sectors = 0, lane_steps = 0, steps = 0;
  Waits waits;
  // The larger the worse; time: ns that it waits.
  double by(WarpMeasure m, const GpuSpec& gpu) const;
};

// What a run is asked to look at, and what it saw.
class WarpWatch {
 public:
  // The block to keep; none where launch is -1.
  int launch = -1;
  std::int64_t block = 0;
  LineWatch lines;           // of which it is told who drove them out
  bool every_block = false;  // keeps all that run whole instead: for small products

  bool wants(int of_launch, std::int64_t of_block) const {
    return every_block || (launch == of_launch && block == of_block);
  }
  const WatchedBlock* find(int of_launch, std::int64_t of_block) const;
  const WarpCost* cost_of(const WarpPlace& place) const;
  // Thread-safe. What is kept stays where it is.
  WatchedBlock& keep(WatchedBlock&& kept);

  std::deque<WatchedBlock> blocks;
  std::vector<WarpCost> warps;  // of blocks that ran whole, in the order in which these went through the caches
  std::size_t gone = 0;         // of these, through the caches

 private:
  std::mutex mutex_;
};

// The costs of the warps of a block, without their waiting.
std::vector<WarpCost> costs_of(int launch, const simt::BlockTrace& trace, const BlockStream& stream);

}  // namespace warpspy
