#include "profiling/simulated/warp_watch.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpspy {

double WarpCost::by(WarpMeasure m, const GpuSpec& gpu) const {
  if (m == WarpMeasure::time) return waited_ns(waits, gpu);
  if (m == WarpMeasure::idle) return 32 * static_cast<double>(steps) - static_cast<double>(lane_steps);
  return requests > 0 ? static_cast<double>(sectors) / static_cast<double>(requests) : 0;
}

const WatchedBlock* WarpWatch::find(int of_launch, std::int64_t of_block) const {
  const auto at = std::find_if(blocks.begin(), blocks.end(), [&](const WatchedBlock& b) {
    return b.launch == of_launch && b.trace.block == of_block;
  });
  return at == blocks.end() ? nullptr : &*at;
}

const WarpCost* WarpWatch::cost_of(const WarpPlace& place) const {
  const auto at = std::find_if(warps.begin(), warps.end(), [&](const WarpCost& w) { return w.place == place; });
  return at == warps.end() ? nullptr : &*at;
}

WatchedBlock& WarpWatch::keep(WatchedBlock&& kept) {
  std::lock_guard lock(mutex_);
  return blocks.emplace_back(std::move(kept));
}

std::vector<WarpCost> costs_of(int launch, const simt::BlockTrace& trace, const BlockStream& stream) {
  std::vector<WarpCost> costs;
  for (std::size_t w = 0; w < trace.warps.size(); ++w) {
    WarpCost cost;
    cost.place = {launch, trace.block, static_cast<int>(w)};
    cost.lane_steps = trace.warps[w].lane_steps;
    cost.steps = trace.warps[w].warp_steps;
    cost.requests = stream.warp_begin[w + 1] - stream.warp_begin[w];
    for (std::uint32_t r = stream.warp_begin[w]; r < stream.warp_begin[w + 1]; ++r) {
      const MemoryRequest& request = stream.requests[r];
      for (std::uint32_t t = request.first; t < request.first + request.touches; ++t)
        cost.sectors += static_cast<std::uint64_t>(std::popcount(sectors_with(stream.touches[t].words)));
    }
    costs.push_back(cost);
  }
  return costs;
}

}  // namespace warpspy
