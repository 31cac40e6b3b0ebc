#include "profiling/simulated/driver.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>

#include "kernels/simt/emulator.hpp"
#include "profiling/simulated/occupancy.hpp"
#include "profiling/simulated/time_model.hpp"

namespace warpspy {
namespace {

// The other warps run, but make no requests.
void leave_only(std::size_t warp, BlockStream& stream) {
  const std::uint32_t begin = stream.warp_begin[warp], end = stream.warp_begin[warp + 1];
  for (std::size_t w = 0; w < stream.warp_begin.size(); ++w) stream.warp_begin[w] = w <= warp ? begin : end;
  for (std::size_t w = 0; w < stream.steps_of_warp.size(); ++w)
    if (w != warp) stream.steps_of_warp[w] = 0;
  for (std::size_t w = 0; w < stream.loops_of_warp.size(); ++w)
    if (w != warp) stream.loops_of_warp[w] = 0;
}

// The requests of some warps of a block. If they cannot run alone, all warps run, and only the requests of those are
// used.
BlockStream stream_of_warps(EmulatedProduct& product, int launch, simt::WarpRange warps, simt::Additions& later,
                            simt::BlockTrace& trace, const GpuSpec& gpu) {
  if (!product.emulate_warps(launch, trace.block, warps, &trace, &later)) {
    trace.warps.clear();
    product.emulate_block(launch, trace.block, &trace, &later);
  }
  const double work = work_of(trace);  // work of all warps that ran
  trace.warps.erase(trace.warps.begin() + warps.first + warps.count, trace.warps.end());
  trace.warps.erase(trace.warps.begin(), trace.warps.begin() + warps.first);
  BlockStream stream = coalesce(trace, gpu);
  stream.work = work;
  return stream;
}

}  // namespace

std::vector<Launched> Launched::sections() const {
  std::vector<Launched> sections;
  std::vector<std::int64_t> ends = shape.sections;
  ends.push_back(shape.grid);
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    Launched& section = sections.emplace_back(*this);
    section.first = begin;
    section.shape.grid = end - begin;
    section.shape.sections.clear();
    section.shape.longest.clear();
    if (!shape.sections.empty()) section.shape.block_sizes = nullptr;
    for (const LongestSegment& l : shape.longest)
      if (l.block >= begin && l.block < end) section.shape.longest.push_back({l.block - begin, l.entries});
    begin = end;
  }
  return sections;
}

std::int64_t BlockBatch::size() const {
  std::int64_t size = 0;
  for (const auto& sm : blocks) size += std::ssize(sm);
  return size;
}

std::int64_t blocks_of(std::span<const BlockBatch> batches) {
  std::int64_t blocks = 0;
  for (const BlockBatch& b : batches) blocks += b.size();
  return blocks;
}

Driver::Driver(EmulatedProduct& product, const GpuSpec& gpu, const Progress& progress, Observer* observer)
    : product_(product), gpu_(gpu), progress_(progress), observer_(observer), memory_(gpu, product.arrays()) {
  if (observer_) memory_.watch(observer_->line_watch());
}

void Driver::begin_launch(const LaunchShape& shape) {
  memory_.begin_launch(occupancy_of(gpu_, shape).blocks, shape.shared_bytes, code_of(shape, gpu_));
}

std::vector<BlockRun> Driver::emulate(const Launched& launch, std::span<const BlockBatch> batches) {
  std::vector<std::pair<std::int64_t, const BlockBatch*>> list;
  for (const BlockBatch& batch : batches)
    for (const auto& sm : batch.blocks)
      for (const std::int64_t block : sm) list.emplace_back(block, &batch);
  std::vector<BlockRun> runs(list.size());
  std::vector<simt::Additions> additions(list.size());
  tbb::parallel_for(std::size_t{0}, list.size(), [&](std::size_t i) {
    progress_.check();
    const auto& [block, batch] = list[i];
    // If only some warps of a block run, what they store cannot be checked, so it is not stored.
    if (launch.unchecked || batch->warps.count) additions[i] = simt::Additions::dry_run();
    runs[i] = run_block(launch, block, *batch, additions[i]);
  });
  for (simt::Additions& a : additions) a.apply();
  return runs;
}

BlockRun Driver::run_block(const Launched& launch, std::int64_t block, const BlockBatch& batch,
                           simt::Additions& later) const {
  BlockRun run;
  run.launch = launch.launch;
  run.trace.block = launch.first + block;
  if (batch.warps.count) {
    run.stream = stream_of_warps(product_, launch.launch, batch.warps, later, run.trace, gpu_);
    run.trace = {};
    return run;
  }
  const bool observed = observer_ && batch.observed;
  const Kept kept = observed ? observer_->keeps(run.launch, run.trace.block) : Kept::sums;
  if (kept == Kept::steps) {
    simt::ConvergenceLog log;
    product_.emulate_block(run.launch, run.trace.block, &run.trace, &later);
    run.convergence_points = std::move(log.warps);
    run.shared = std::move(log.shared);
  } else {
    product_.emulate_block(run.launch, run.trace.block, &run.trace, &later);
  }
  run.stream = coalesce(run.trace, gpu_);
  if (batch.only_warp >= 0) leave_only(static_cast<std::size_t>(batch.only_warp), run.stream);
  if (kept != Kept::sums) {
    run.served.resize(run.stream.touches.size());
    run.stream.served = run.served.data();
  } else if (observed) {
    for (simt::WarpTrace& w : run.trace.warps) {
      w.accesses = std::vector<simt::Access>();
      w.addresses = std::vector<std::uint64_t>();
    }
  } else {
    run.trace = {};
  }
  return run;
}

SliceRun Driver::through_caches(const Launched& launch, const BlockBatch& batch, std::span<BlockRun> runs,
                                std::vector<BlockCost>& costs) {
  SliceRun slice;
  slice.launch = launch.launch;
  slice.dealt = batch.dealt;
  slice.first_sm = batch.first_sm;
  slice.first_cost = costs.size();
  slice.observer = batch.observed && !batch.warps.count ? observer_ : nullptr;
  std::vector<std::vector<const BlockStream*>> sms;
  std::size_t next = 0;
  for (const auto& sm : batch.blocks) {
    sms.emplace_back();
    for (std::size_t b = 0; b < sm.size(); ++b) sms.back().push_back(&runs[next++].stream);
  }
  slice.sms = memory_.private_caches(sms, batch.first_sm);
  for (const BlockRun& run : runs) costs.push_back(memory_.cost_of(run.stream));
  ask_l2(slice, costs);
  if (slice.observer)
    for (BlockRun& run : runs) slice.observer->ended(run);
  return slice;
}

SliceRun Driver::run(const Launched& launch, const BlockBatch& batch, std::vector<BlockCost>& costs) {
  std::vector<BlockRun> runs = emulate(launch, {&batch, 1});
  return through_caches(launch, batch, runs, costs);
}

void Driver::ask_l2(SliceRun& slice, std::vector<BlockCost>& costs) {
  const MemoryCounts before = memory_.counts();
  std::vector<Waits> of_warps;
  memory_.l2_and_dram(slice.sms, slice.first_sm, slice.dealt, std::span(costs).subspan(slice.first_cost),
                      slice.observer ? &of_warps : nullptr);
  slice.counts = memory_.counts();
  slice.counts -= before;
  if (!slice.observer) return;
  std::span<const Waits> left = of_warps;
  for (const SmRun& sm : slice.sms)
    for (std::size_t b = 0; b < sm.blocks.size(); ++b) {
      slice.observer->waited(slice.launch, sm.blocks[b], left.first(sm.warps[b]));
      left = left.subspan(sm.warps[b]);
    }
}

simt::BlockTrace try_block(EmulatedProduct& product, int launch, std::int64_t block) {
  simt::Additions never = simt::Additions::dry_run();
  simt::BlockTrace trace;
  trace.block = block;
  product.emulate_block(launch, block, &trace, &never);
  return trace;
}

bool try_warps(EmulatedProduct& product, int launch, std::int64_t block, simt::WarpRange warps,
               simt::BlockTrace& trace) {
  simt::Additions never = simt::Additions::dry_run();
  trace.block = block;
  return product.emulate_warps(launch, block, warps, &trace, &never);
}

void try_blocks(EmulatedProduct& product, int launch, std::span<const std::int64_t> blocks, const Progress& progress,
                const std::function<void(std::size_t, const simt::BlockTrace&)>& see) {
  tbb::parallel_for(std::size_t{0}, blocks.size(), [&](std::size_t i) {
    progress.check();
    see(i, try_block(product, launch, blocks[i]));
  });
}

}  // namespace warpspy
