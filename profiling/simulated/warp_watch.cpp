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

const BlockRun* WarpWatch::find(int of_launch, std::int64_t of_block) const {
  const auto at = std::find_if(blocks.begin(), blocks.end(),
                               [&](const BlockRun& b) { return b.launch == of_launch && b.trace.block == of_block; });
  return at == blocks.end() ? nullptr : &*at;
}

const WarpCost* WarpWatch::cost_of(const WarpPlace& place) const {
  const auto at = first_.find({place.launch, place.block});
  return at == first_.end() ? nullptr : &warps[at->second + static_cast<std::size_t>(place.warp)];
}

Kept WarpWatch::keeps(int of_launch, std::int64_t of_block) const {
  return every_block || (launch == of_launch && block == of_block) ? Kept::steps : Kept::sums;
}

void WarpWatch::waited(int of_launch, std::int64_t of_block, std::span<const Waits> of_warps) {
  const auto [at, is_new] = first_.try_emplace({of_launch, of_block}, warps.size());
  if (is_new) warps.resize(warps.size() + of_warps.size());
  for (std::size_t w = 0; w < of_warps.size(); ++w) warps[at->second + w].waits = of_warps[w];
}

void WarpWatch::ended(BlockRun& run) {
  const BlockStream& stream = run.stream;
  WarpCost* cost = &warps[first_.at({run.launch, stream.block})];
  for (std::size_t w = 0; w < run.trace.warps.size(); ++w, ++cost) {
    cost->place = {run.launch, stream.block, static_cast<int>(w)};
    cost->lane_steps = run.trace.warps[w].lane_steps;
    cost->steps = run.trace.warps[w].warp_steps;
    cost->requests = stream.warp_begin[w + 1] - stream.warp_begin[w];
    cost->sectors = 0;
    for (std::uint32_t r = stream.warp_begin[w]; r < stream.warp_begin[w + 1]; ++r) {
      const MemoryRequest& request = stream.requests[r];
      for (std::uint32_t t = request.first; t < request.first + request.touches; ++t)
        cost->sectors += static_cast<std::uint64_t>(std::popcount(sectors_with(stream.touches[t].words)));
    }
  }
  if (keeps(run.launch, stream.block) == Kept::steps) blocks.push_back(std::move(run));
}

void watch_alone(EmulatedProduct& product, const GpuSpec& gpu, const WarpPlace& place, WarpWatch& watch,
                 const Progress& progress) {
  Driver driver(product, gpu, progress, &watch);
  Launched launched(product, place.launch);
  launched.unchecked = true;
  BlockBatch batch{{{place.block}}};
  batch.only_warp = place.warp;
  std::vector<BlockCost> costs;
  driver.begin_launch(launched.shape);
  driver.run(launched, batch, costs);
}

}  // namespace warpspy
