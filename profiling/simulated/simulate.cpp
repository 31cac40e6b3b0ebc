#include "profiling/simulated/simulate.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "kernels/simt/emulator.hpp"
#include "profiling/simulated/pilot_sample.hpp"
#include "profiling/simulated/plan.hpp"
#include "profiling/simulated/scaling.hpp"
#include "profiling/simulated/time_model.hpp"
#include "profiling/simulated/warp_watch.hpp"

namespace warpspy {
namespace {

// A block costs its emulation on one of two cores, and about this much beside it for the caches, of which L2 alone.
constexpr double emulation_share_of_cost = 0.5, cache_share_of_cost = 0.5, l2_share_of_cost = 0.15;
// The pilot sample ends when it has taken this share of the budget, with what is known then.
constexpr double pilot_share = 0.05;
// Of the parts of a launch those run whole that take less than an even part of this share of the budget.
constexpr double small_parts_share = 0.5;
// The beginning of a warm product is over when this many times the size of L2 came from DRAM: L2 then holds nothing
// any more of what it began with.
constexpr double l2_refills = 2;
// So often it runs again when it is the whole product: which lines the two partitions of L2 both hold settles over
// several products.
constexpr int products_again = 3;
// Larger than any number of waves, so that a product deals its blocks as no other one does.
constexpr std::uint32_t products_apart = 1u << 27;

// A slice that ran: what its SMs asked of L2, so that L2 can be asked again.
struct SliceRun {
  int launch = 0, first_sm = 0;
  std::uint32_t dealt = 0;  // for MemorySystem::l2_and_dram
  std::vector<SmRun> sms;
  MemoryCounts counts;
  std::size_t first_cost = 0, first_warp = 0;  // first_warp: in WarpWatch::warps

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const SmRun& sm : sms) sum += sm.bytes();
    return sum;
  }
  // The share of its loads' sectors whose lines L2 keeps as usual.
  double kept() const {
    double all = 0, evict_first = 0;
    for (const SmRun& sm : sms) {
      all += static_cast<double>(sm.asked);
      evict_first += static_cast<double>(sm.evict_first);
    }
    return all > 0 ? 1 - evict_first / all : 1;
  }
  // Asks L2 as it is now.
  void ask(MemorySystem& memory, std::vector<BlockCost>& costs, WarpWatch* watch) {
    const MemoryCounts before = memory.counts();
    std::vector<Waits> of_warps;
    memory.l2_and_dram(sms, first_sm, dealt, std::span(costs).subspan(first_cost), watch ? &of_warps : nullptr);
    for (std::size_t w = 0; watch && w < of_warps.size(); ++w)
      if (first_warp + w < watch->warps.size()) watch->warps[first_warp + w].waits = of_warps[w];
    counts = memory.counts();
    counts -= before;
  }
};

double work_of(std::span<const BlockStream> streams) {
  return std::accumulate(streams.begin(), streams.end(), 0.0,
                         [](double sum, const BlockStream& s) { return sum + s.work; });
}

// A block, looked at.
BlockStream run_watched(const Launched& launch, std::int64_t block, simt::Additions* later, WarpWatch& watch,
                        std::vector<WarpCost>& costs) {
  WatchedBlock seen;
  simt::MeetingLog log;
  BlockStream stream = launch.run(block, {}, later, &seen.trace);
  costs = costs_of(launch.launch, seen.trace, stream);
  if (!watch.wants(launch.launch, launch.first + block)) return stream;
  seen.launch = launch.launch;
  seen.meetings = std::move(log.warps);
  seen.shared = std::move(log.shared);
  seen.stream = stream;
  seen.served.resize(stream.touches.size());
  stream.served = watch.keep(std::move(seen)).served.data();
  return stream;
}

// Emulates blocks on all cores.
std::vector<BlockStream> emulate(const Launched& launch, std::span<const BlockBatch> batches, const Progress& progress,
                                 WarpWatch* watch) {
  std::vector<std::pair<std::int64_t, simt::WarpRange>> list;
  for (const BlockBatch& batch : batches)
    for (const auto& sm : batch.blocks)
      for (const std::int64_t block : sm) list.emplace_back(block, batch.part);
  std::vector<BlockStream> streams(list.size());
  std::vector<simt::Additions> additions(list.size());
  std::vector<std::vector<WarpCost>> costs(watch ? list.size() : 0);
  tbb::parallel_for(std::size_t{0}, list.size(), [&](std::size_t i) {
    progress.check();
    // Of blocks that run in part nothing is checked: what they store would only take time.
    if (launch.unchecked || list[i].second.count) additions[i] = simt::Additions::dry_run();
    if (watch && !list[i].second.count)
      streams[i] = run_watched(launch, list[i].first, &additions[i], *watch, costs[i]);
    else
      streams[i] = launch.run(list[i].first, list[i].second, &additions[i]);
  });
  for (simt::Additions& a : additions) a.apply();
  for (const auto& of_block : costs) watch->warps.insert(watch->warps.end(), of_block.begin(), of_block.end());
  return streams;
}

// The same for a slice, some SMs at a time; with fewer of them where they take more than `budget`.
std::vector<BlockStream> emulate_within(double budget, const Launched& launch, BlockBatch& batch,
                                        const Progress& progress, WarpWatch* watch) {
  std::vector<BlockStream> streams;
  const std::size_t sms = batch.blocks.size(), some = std::max<std::size_t>(2, sms / 8);
  for (std::size_t sm = 0; sm < sms; sm += some) {
    if (sm > 0 && work_of(streams) > budget) {
      batch.blocks.resize(sm);
      break;
    }
    const auto first = batch.blocks.begin() + static_cast<std::ptrdiff_t>(sm);
    const BlockBatch next{{first, first + static_cast<std::ptrdiff_t>(std::min(some, sms - sm))}, 0, 0, {}};
    std::vector<BlockStream> more = emulate(launch, {&next, 1}, progress, watch);
    std::move(more.begin(), more.end(), std::back_inserter(streams));
  }
  return streams;
}

// Gives blocks that were emulated to the memory system. `part`: the share of them that was.
SliceRun run_slice(const Launched& launch, const BlockBatch& batch, std::span<const BlockStream> streams, double part,
                   MemorySystem& memory, TrafficTotals& totals, std::vector<BlockCost>& costs,
                   WarpWatch* watch = nullptr) {
  SliceRun slice;
  slice.launch = launch.launch;
  slice.dealt = batch.dealt;
  slice.first_sm = batch.first_sm;
  slice.first_cost = costs.size();
  std::vector<std::vector<const BlockStream*>> sms;
  const BlockStream* next = streams.data();
  for (const auto& sm : batch.blocks) {
    sms.emplace_back();
    for (std::size_t b = 0; b < sm.size(); ++b) sms.back().push_back(next++);
  }
  slice.sms = memory.private_caches(sms, batch.first_sm);
  for (const BlockStream& stream : streams) {
    totals.add(stream);
    BlockCost cost = memory.cost_of(stream);
    for (std::uint64_t BlockCost::* count :
         {&BlockCost::steps, &BlockCost::shared_steps, &BlockCost::sectors, &BlockCost::lines})
      cost.*count = static_cast<std::uint64_t>(static_cast<double>(cost.*count) / part);
    costs.push_back(cost);
  }
  // Of blocks that ran in part no warp is looked at.
  WarpWatch* const looked_at = batch.part.count ? nullptr : watch;
  if (looked_at) {
    slice.first_warp = looked_at->gone;
    for (const BlockStream& stream : streams) looked_at->gone += stream.warp_begin.size() - 1;
  }
  slice.ask(memory, costs, looked_at);
  return slice;
}

// How long the block with the longest segment of the matrix waits, alone on an SM with empty caches. Where it would
// take more than a sample may, the longest of those that do not tells of it: its warps do the same so many times more
// often. None where the kernel tells of none.
std::vector<LongBlock> longest_wait(const Launched& launch, const Grid& grid, const SimulateOptions& options,
                                    MemorySystem& memory, const Progress& progress) {
  const std::vector<LongestSegment>& longest = launch.shape.longest;
  constexpr double steps_of_entry = 3;  // its column, its value, and x
  const auto runs = std::find_if(longest.begin(), longest.end(), [&](const LongestSegment& l) {
    return steps_of_entry * static_cast<double>(l.entries) <= options.budget;
  });
  if (runs == longest.end()) return {};
  const BlockBatch batch{{{runs->block}}, grid.sm_of(runs->block), 0, {}};
  std::vector<BlockCost> cost;
  TrafficTotals unused;
  memory.clear();
  Launched again = launch;
  again.unchecked = true;  // it may have run already: nothing of it counts twice
  run_slice(again, batch, emulate(again, {&batch, 1}, progress, nullptr), 1, memory, unused, cost);
  memory.clear();
  const double more = static_cast<double>(longest[0].entries) / static_cast<double>(runs->entries);
  return {{longest[0].block, cost[0].waits.times(more)}};
}

// The block that is looked at, where the sample has left it out: with the others of its SM where they do not take more
// than a sample may, and without effect on anything.
void run_besides(const Launched& launch, const Grid& grid, const PilotSample& pilot, const SimulateOptions& options,
                 MemorySystem& memory, const Progress& progress) {
  WarpWatch* const watch = options.watch;
  if (!watch || watch->launch != launch.launch || watch->find(watch->launch, watch->block)) return;
  const std::int64_t block = watch->block - launch.first;
  if (block < 0 || block >= grid.blocks) return;
  BlockBatch batch{grid.blocks_of({block / grid.wave(), grid.sm_of(block), 1}), grid.sm_of(block), 0, {}};
  double work = 0;
  for (const std::int64_t b : batch.blocks[0]) work += pilot.work_at(b);
  if (work > options.budget) batch.blocks = {{block}};
  std::vector<BlockCost> costs;
  TrafficTotals unused;
  memory.clear();
  Launched again = launch;
  again.unchecked = true;
  run_slice(again, batch, emulate(again, {&batch, 1}, progress, watch), 1, memory, unused, costs, watch);
  memory.clear();
  for (WatchedBlock& b : watch->blocks) b.besides = true;
}

// The slices at the beginning of a warm product, kept until it has ended.
class WarmupReplay {
 public:
  WarmupReplay(bool wanted, const GpuSpec& gpu) : open_(wanted), enough_(l2_refills * gpu.l2_bytes) {}

  void keep(SliceRun&& slice) {
    if (!open_) return;
    bytes_ += static_cast<double>(slice.bytes());
    const double kept = slice.kept();
    for (const ArrayMisses& m : slice.counts.arrays)
      filled_ += static_cast<double>(m.dram_first + m.dram_again) * sector_size * kept;
    filled_ += static_cast<double>(slice.counts.dram_written_bytes);
    kept_.push_back(std::move(slice));
    open_ = filled_ < enough_ && bytes_ < stream_limit_bytes;
  }
  // A sampled launch has emptied the caches: there is no steady state to be had.
  void drop() {
    open_ = false;
    kept_.clear();
  }
  std::vector<SliceRun>& slices() { return kept_; }
  bool is_all() const { return open_; }  // of the product

 private:
  bool open_;
  double enough_, filled_ = 0, bytes_ = 0;
  std::vector<SliceRun> kept_;
};

// What a block costs in all, per work of its emulation.
double cost_factor_with_caches(const std::vector<simt::ArrayInfo>& arrays, const GpuSpec& gpu, CacheState state) {
  if (state != CacheState::warm) return emulation_share_of_cost + cache_share_of_cost;
  double size = 1;
  for (const simt::ArrayInfo& a : arrays) size += static_cast<double>(a.bytes);
  const double again = l2_refills * gpu.l2_bytes / size;
  return emulation_share_of_cost + cache_share_of_cost + l2_share_of_cost * (again > 1 ? products_again : again);
}

std::int64_t blocks_of(std::span<const BlockBatch> batches) {
  std::int64_t blocks = 0;
  for (const BlockBatch& b : batches) blocks += b.size();
  return blocks;
}
double work_foreseen(std::span<const BlockBatch> batches, PilotSample& pilot) {
  double work = 0;
  for (const BlockBatch& b : batches)
    for (const auto& sm : b.blocks)
      for (const std::int64_t block : sm) work += pilot.work_at(block);
  return work;
}

void tell_blocks(const Launched& launched, std::span<const BlockBatch> batches, LaunchSimulation& s) {
  for (const BlockBatch& b : batches)
    for (const auto& sm : b.blocks)
      for (const std::int64_t block : sm) s.blocks.push_back(launched.first + block);
}

void begin_launch(MemorySystem& memory, const LaunchSimulation& s, const GpuSpec& gpu) {
  memory.begin_launch(s.occupancy.blocks, s.shape.shared_bytes, code_of(s.shape, gpu));
}

// The first slices of a sample have told what L2 would hold in the whole grid, of which they are 1 / `scale`; they ask
// again, knowing it.
void ask_again(std::vector<SliceRun>& slices, const Launched& launched, const SimulateOptions& options, double scale,
               MemorySystem& memory, LaunchRun& run) {
  const MemoryCounts before = memory.counts();
  memory.expect_in_l2(shares_in_l2(before, run.totals, launched.product.arrays(), launched.gpu, scale,
                                   options.cache_state == CacheState::warm && run.s.has_l2));
  begin_launch(memory, run.s, launched.gpu);
  for (SliceRun& slice : slices) {
    slice.ask(memory, run.s.costs, options.watch);
    memory.flush(true), memory.clear();
  }
}

LaunchRun run_launch(const Launched& launched, PilotSample& pilot, const SimulateOptions& options, double budget,
                     tbb::task_arena& arena, MemorySystem& memory, WarmupReplay& warmup, Progress& progress) {
  const GpuSpec& gpu = launched.gpu;
  LaunchRun run;
  LaunchSimulation& s = run.s;
  s.shape = launched.shape;
  s.occupancy = occupancy_of(gpu, s.shape);
  s.has_l2 = gpu.l2_bytes > 0;
  const Grid grid{s.shape.grid, gpu.sm_count, s.occupancy.blocks};
  const double cost_factor = cost_factor_with_caches(launched.product.arrays(), gpu, options.cache_state);
  SamplePlan plan = plan_of(launched, grid, pilot, options, budget, cost_factor);
  const std::span<BlockBatch> batches = plan.batches;
  run.sampled = plan.sampled && !plan.all_blocks;
  s.alone = plan.alone;
  s.warps_of_block = plan.warps_of_block;
  const double part = plan.warps_of_block ? static_cast<double>(plan.warps_of_block) / launched.warps() : 1;

  begin_launch(memory, s, gpu);
  memory.expect_in_l2({});
  const auto begin_sample = [&] {
    run.sampled = true;
    memory.clear();
    warmup.drop();
  };
  if (run.sampled) begin_sample();
  double done = 0, foreseen = 0, taken = 0;
  for (std::size_t first = 0, end = 0; first < batches.size(); first = end) {
    progress.check();
    // Blocks alone are emulated two at a time: for two cores, and so on every machine.
    end = std::min(batches.size(), first + (plan.alone ? 2 : 1));
    const std::span<BlockBatch> now = batches.subspan(first, end - first);
    const double next = work_foreseen(now, pilot) * cost_factor * part;
    const std::int64_t blocks = blocks_of(now);
    // No slice that would take too much, were its blocks as much beyond their estimates as those before, or twice at
    // most. What ran is spread evenly too.
    const double off = first > 0 ? std::clamp(taken / foreseen, 1.0, 2.0) : 0;
    const bool planned = plan.sampled && options.sample_blocks <= 0;
    if (planned && first > 0 && taken + off * next > planned_share * budget) {
      if (!run.sampled) begin_sample();
      break;
    }
    foreseen += next;
    arena.execute([&] {
      // Blocks of a slice that cost more than estimated, and the caches behind them, have the work that is left.
      const bool whole = plan.alone || !planned;
      const double left = (planned_share * budget - taken) / cost_factor;
      const std::vector<BlockStream> streams = whole ? emulate(launched, now, progress, options.watch)
                                                     : emulate_within(left, launched, now[0], progress, options.watch);
      taken += work_of(streams) * cost_factor;
      if (!run.sampled && std::ssize(streams) < blocks) begin_sample();  // they took too much
      std::vector<SliceRun> slices;
      std::span<const BlockStream> rest = streams;
      for (const BlockBatch& b : now) {
        const auto size = static_cast<std::size_t>(b.size());
        slices.push_back(run_slice(launched, b, rest.first(size), part, memory, run.totals, s.costs, options.watch));
        rest = rest.subspan(size);
        if (run.sampled) memory.flush(true), memory.clear();
      }
      const double ran = static_cast<double>(blocks_of(now)) * part;  // emulate_within may have ended earlier
      if (run.sampled && first == 0)
        ask_again(slices, launched, options, static_cast<double>(grid.blocks) / ran, memory, run);
      for (SliceRun& slice : slices) warmup.keep(std::move(slice));
    });
    done += static_cast<double>(blocks_of(now)) * part;
    if (run.sampled && !plan.warps_of_block) tell_blocks(launched, now, s);
    progress.set(static_cast<double>(end) / static_cast<double>(batches.size()));
  }
  run.counts = memory.counts();
  if (run.sampled)
    arena.execute([&] {
      s.longest = longest_wait(launched, grid, options, memory, progress);
      run_besides(launched, grid, pilot, options, memory, progress);
    });
  run.taken = taken;
  std::sort(s.blocks.begin(), s.blocks.end());
  s.share = done / static_cast<double>(grid.blocks);
  if (s.share == 1) s.blocks.clear();
  return run;
}

// The parts of a launch each by itself, where not all of its blocks can run: a sample has blocks of each then.
std::vector<LaunchRun> run_parts(const Launched& launched, PilotSample& pilot, const SimulateOptions& options,
                                 double budget, tbb::task_arena& arena, MemorySystem& memory, WarmupReplay& warmup,
                                 Progress& progress) {
  const std::vector<Launched> parts = launched.parts();
  const Grid grid{launched.shape.grid, launched.gpu.sm_count, occupancy_of(launched.gpu, launched.shape).blocks};
  const double factor = cost_factor_with_caches(launched.product.arrays(), launched.gpu, options.cache_state);
  std::vector<LaunchRun> runs;
  if (parts.size() == 1 || all_fit(grid, pilot, options, budget, factor)) {
    runs.push_back(run_launch(launched, pilot, options, budget, arena, memory, warmup, progress));
    return runs;
  }
  std::vector<PilotSample> pilots;
  const auto number = static_cast<double>(parts.size());
  const auto cost_of = [&](std::size_t i) {
    return factor * pilots[i].mean().work * static_cast<double>(parts[i].shape.grid);
  };
  double left = (1 - pilot_share) * budget, cost = 0;
  const double small = small_parts_share * left / number;  // such parts run whole
  for (std::size_t i = 0; i < parts.size(); ++i) {
    pilots.emplace_back(parts[i], options, pilot_share * budget / number);
    if (cost_of(i) > small)
      cost += cost_of(i);
    else
      left -= cost_of(i);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double own = cost_of(i);
    SimulateOptions of_part = options;
    if (options.sample_blocks > 0)
      of_part.sample_blocks = std::max<std::int64_t>(1, options.sample_blocks * parts[i].shape.grid / grid.blocks);
    const double given = own <= small ? small : left * std::min(1.0, own / cost);
    runs.push_back(run_launch(parts[i], pilots[i], of_part, given, arena, memory, warmup, progress));
    if (own <= small) continue;
    left = std::max(0.0, left - runs.back().taken);
    cost -= own;
  }
  return runs;
}

// Behind the end of a product, its beginning once more: now with what the product leaves in L2.
void replay_warmup(WarmupReplay& warmup, std::vector<LaunchRun>& runs, MemorySystem& memory, WarpWatch* watch,
                   const Progress& progress) {
  int launch = -1;
  for (SliceRun& slice : warmup.slices()) {
    progress.check();
    LaunchRun& run = runs[static_cast<std::size_t>(slice.launch)];
    if (slice.launch != launch) {
      const LaunchShape& shape = run.s.shape;
      memory.begin_launch(run.s.occupancy.blocks, shape.shared_bytes);  // what SMs ask for has been kept
    }
    launch = slice.launch;
    if (slice.dealt) slice.dealt += products_apart;
    run.counts -= slice.counts;
    slice.ask(memory, run.s.costs, watch);
    run.counts += slice.counts;
  }
}

}  // namespace

Simulation simulate(EmulatedProduct& product, const GpuSpec& gpu, const SimulateOptions& options, Progress& progress) {
  Simulation s;
  s.has_l2 = gpu.l2_bytes > 0;
  const std::vector<LaunchShape>& launches = product.launches();
  if (launches.empty()) return s;
  progress.check();
  progress.stage("emulating");
  tbb::task_arena arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic);
  MemorySystem memory(gpu, product.arrays());
  if (options.watch && !options.watch->lines.lines.empty()) memory.watch(&options.watch->lines);
  const bool warm = options.cache_state == CacheState::warm && s.has_l2;
  s.warm = warm;
  WarmupReplay warmup(warm, gpu);

  std::vector<Launched> launched;
  std::vector<PilotSample> pilots;
  double cost = 0, blocks = 0, ran = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) launched.emplace_back(product, gpu, static_cast<int>(i));
  const auto cost_of = [&](std::size_t i) { return pilots[i].mean().work * static_cast<double>(launches[i].grid); };
  for (std::size_t i = 0; i < launches.size(); ++i) {
    pilots.emplace_back(launched[i], options, pilot_share * options.budget / static_cast<double>(launches.size()));
    cost += cost_of(i);
  }
  double left = (1 - pilot_share) * options.budget;
  std::vector<LaunchRun> runs;
  std::vector<std::size_t> launch_of;  // of each run
  for (std::size_t i = 0; i < launches.size(); ++i) {
    // Of the work that is left, by what each launch that is left would cost.
    const double share = cost > 0 ? std::min(1.0, cost_of(i) / cost) : 1;
    bool sampled = false;
    for (LaunchRun& run : run_parts(launched[i], pilots[i], options, left * share, arena, memory, warmup, progress)) {
      left = std::max(0.0, left - run.taken);
      sampled |= run.s.share < 1;
      runs.push_back(std::move(run));
      launch_of.push_back(i);
    }
    cost -= cost_of(i);
    if (i + 1 < launches.size()) launched[i + 1].unchecked = launched[i].unchecked || sampled;
  }
  // What was still dirty after a launch might have been written again by the next one.
  if (!warmup.slices().empty()) {
    progress.stage("once more, with warm caches");
    for (int i = 0; i < (warmup.is_all() ? products_again : 1); ++i)
      replay_warmup(warmup, runs, memory, options.watch, progress);
  } else if (!runs.back().sampled) {
    const MemoryCounts before = memory.counts();
    if (warm)
      memory.flush(false);
    else
      memory.end_product();
    MemoryCounts written = memory.counts();
    runs.back().counts += (written -= before);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    // One sampled launch empties the caches for all: then none of them ran as in a row of products.
    const bool estimated = runs[i].sampled || (warm && warmup.slices().empty());
    LaunchSimulation done = scaled_to_grid(std::move(runs[i]), product, gpu, warm, estimated);
    if (launch_of[i] < s.launches.size())
      add_part(s.launches.back(), done);
    else
      s.launches.push_back(std::move(done));
  }
  for (const LaunchSimulation& done : s.launches) {
    add_launch(s, done);
    blocks += static_cast<double>(done.shape.grid);
    ran += done.share * static_cast<double>(done.shape.grid);
    if (done.shape.grid <= s.shape.grid) continue;
    s.shape = done.shape;
    s.occupancy = done.occupancy;
  }
  s.share = blocks > 0 ? ran / blocks : 1;
  if (launches.size() == 1) s.blocks = s.launches[0].blocks;
  return s;
}

}  // namespace warpspy
