#include "profiling/simulated/warp_alone.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "kernels/simt/emulator.hpp"
#include "profiling/simulated/occupancy.hpp"
#include "profiling/simulated/time_model.hpp"

namespace warpspy {

void watch_alone(EmulatedProduct& product, const GpuSpec& gpu, const WarpPlace& place, WarpWatch& watch) {
  WatchedBlock seen;
  seen.launch = place.launch;
  {
    simt::MeetingLog log;
    simt::Additions dry = simt::Additions::dry_run();
    product.emulate_block(place.launch, place.block, &seen.trace, &dry);
    seen.meetings = std::move(log.warps);
    seen.shared = std::move(log.shared);
  }
  seen.stream = coalesce(seen.trace, gpu);
  seen.served.resize(seen.stream.touches.size());
  watch.warps = costs_of(place.launch, seen.trace, seen.stream);
  WatchedBlock& kept = watch.keep(std::move(seen));

  const auto w = static_cast<std::size_t>(place.warp);
  BlockStream stream = kept.stream;
  stream.served = kept.served.data();
  const std::uint32_t begin = stream.warp_begin[w], end = stream.warp_begin[w + 1];
  for (std::size_t i = 0; i < stream.warp_begin.size(); ++i) stream.warp_begin[i] = i <= w ? begin : end;
  for (std::size_t i = 0; i < stream.steps_of_warp.size(); ++i)
    if (i != w) stream.steps_of_warp[i] = stream.shared_of_warp[i] = 0;

  const LaunchShape& shape = product.launches()[static_cast<std::size_t>(place.launch)];
  MemorySystem memory(gpu, product.arrays());
  memory.watch(&watch.lines);
  memory.begin_launch(occupancy_of(gpu, shape).blocks, shape.shared_bytes, code_of(shape, gpu));
  const std::vector<std::vector<const BlockStream*>> sms = {{&stream}};
  const std::vector<SmRun> runs = memory.private_caches(sms, 0);
  std::vector<BlockCost> costs(1);
  std::vector<Waits> waits;
  memory.l2_and_dram(runs, 0, 0, std::span(costs), &waits);
  for (std::size_t i = 0; i < waits.size() && i < watch.warps.size(); ++i) watch.warps[i].waits = waits[i];
}

}  // namespace warpspy
