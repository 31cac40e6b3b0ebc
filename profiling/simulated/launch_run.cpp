#include "profiling/simulated/launch_run.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "profiling/simulated/chosen_blocks.hpp"
#include "profiling/simulated/warp_watch.hpp"

namespace warpspy {
namespace {

// The cost of a block: its emulation on one of two cores, and the time in the caches, of which L2's part is serial.
constexpr double emulation_share_of_cost = 0.5, cache_share_of_cost = 0.5, l2_share_of_cost = 0.15;
// Sections of a launch run whole if they take less than an equal part of this share of the budget.
constexpr double small_sections_share = 0.5;

// The total cost of a block / the work of its emulation.
double cost_factor_with_caches(const Driver& driver, CacheState state) {
  if (state != CacheState::warm) return emulation_share_of_cost + cache_share_of_cost;
  double size = 1;
  for (const simt::ArrayInfo& a : driver.product().arrays()) size += static_cast<double>(a.bytes);
  const double again = l2_refills * driver.gpu().l2_bytes / size;
  return emulation_share_of_cost + cache_share_of_cost + l2_share_of_cost * (again > 1 ? products_again : again);
}

double work_of(std::span<const BlockRun> runs) {
  double work = 0;
  for (const BlockRun& r : runs) work += r.stream.work;
  return work;
}

template <class Visit>
void each_block(std::span<const BlockBatch> batches, const Visit& visit) {
  for (const BlockBatch& b : batches)
    for (const auto& sm : b.blocks)
      for (const std::int64_t block : sm) visit(block);
}

// Emulates a slice, some SMs at a time. If that would exceed `budget`, the slice gets fewer SMs.
std::vector<BlockRun> emulate_within(double budget, Driver& driver, const Launched& launch, BlockBatch& batch) {
  std::vector<BlockRun> runs;
  const std::size_t sms = batch.blocks.size(), some = std::max<std::size_t>(2, sms / 8);
  for (std::size_t sm = 0; sm < sms; sm += some) {
    if (sm > 0 && work_of(runs) > budget) {
      batch.blocks.resize(sm);
      break;
    }
    const auto first = batch.blocks.begin() + static_cast<std::ptrdiff_t>(sm);
    const BlockBatch next{{first, first + static_cast<std::ptrdiff_t>(std::min(some, sms - sm))}};
    std::vector<BlockRun> more = driver.emulate(launch, {&next, 1});
    std::move(more.begin(), more.end(), std::back_inserter(runs));
  }
  return runs;
}

// Sends emulated blocks through the memory system. `part`: the share of each block that ran.
SliceRun run_slice(Driver& driver, const Launched& launched, const BlockBatch& batch, std::span<BlockRun> runs,
                   double part, LaunchRun& run) {
  for (const BlockRun& r : runs) run.totals.add(r.stream);
  SliceRun slice = driver.through_caches(launched, batch, runs, run.s.costs);
  for (BlockCost& cost : std::span(run.s.costs).subspan(slice.first_cost))
    for (std::uint64_t BlockCost::* count :
         {&BlockCost::steps, &BlockCost::warps, &BlockCost::sectors, &BlockCost::lines, &BlockCost::addition_rounds})
      cost.*count = static_cast<std::uint64_t>(static_cast<double>(cost.*count) / part);
  return slice;
}

// Blocks of a wave share L2, and those of an SM its L1. `part`: the share of each block that runs.
MemorySystem::SampleShare share_of(const Grid& grid, const BlockBatch& batch, double part) {
  const auto sm = std::find_if(batch.blocks.begin(), batch.blocks.end(), [](const auto& b) { return !b.empty(); });
  if (sm == batch.blocks.end()) return {};
  const std::int64_t block = sm->front(), wave = block / grid.wave();
  const std::int64_t in_wave = std::min(grid.wave(), grid.blocks - wave * grid.wave());
  const auto on_sm = std::ssize(grid.blocks_of({wave, grid.sm_of(block), 1})[0]);
  const auto share = [&](std::int64_t ran, std::int64_t all) {
    return std::min(1.0, part * static_cast<double>(ran) / static_cast<double>(all));
  };
  return {share(batch.size(), in_wave), share(std::ssize(*sm), on_sm)};
}

// Runs blocks outside the sample. The caches are empty before and after, and the counts do not change. The blocks may
// have run already.
BlockCost run_besides(Driver& driver, const Launched& launched, const BlockBatch& batch,
                      const MemorySystem::SampleShare& share) {
  Launched again = launched;
  again.unchecked = true;
  std::vector<BlockCost> costs;
  driver.memory().begin_sample(share);
  driver.run(again, batch, costs);
  return costs.front();
}

// How long the block with the longest segment of the matrix waits, alone and with empty caches. It has the caches for
// itself after the others have ended; their data is expected in L2 (expect_in_l2). If it would take more than a sample
// may, the longest affordable block is scaled up, since its warps do the same work less often. Nothing if the kernel
// does not name its longest segments.
std::vector<LongBlock> longest_wait(Driver& driver, const Launched& launched, const Grid& grid, double budget) {
  const std::vector<LongestSegment>& longest = launched.shape.longest;
  constexpr double steps_of_entry = 3;  // loads of the column, the value and x
  const auto runs = std::find_if(longest.begin(), longest.end(), [&](const LongestSegment& l) {
    return steps_of_entry * static_cast<double>(l.entries) <= budget;
  });
  if (runs == longest.end()) return {};
  BlockBatch batch{{{runs->block}}, grid.sm_of(runs->block)};
  batch.observed = false;
  const double more = static_cast<double>(longest[0].entries) / static_cast<double>(runs->entries);
  return {{longest[0].block, run_besides(driver, launched, batch, {}).waits.times(more)}};
}

// Runs the watched block if the sample does not contain it. The other blocks of its SM run too unless that takes too
// much. No count changes.
void run_watched(Driver& driver, const Launched& launched, const Grid& grid, const PilotSample& pilot, double budget,
                 WarpWatch* watch) {
  if (!watch || watch->launch != launched.launch || watch->find(watch->launch, watch->block)) return;
  const std::int64_t block = watch->block - launched.first;
  if (block < 0 || block >= grid.blocks) return;
  BlockBatch batch{grid.blocks_of({block / grid.wave(), grid.sm_of(block), 1}), grid.sm_of(block)};
  double work = 0;
  for (const std::int64_t b : batch.blocks[0]) work += pilot.work_at(b);
  if (work > budget) batch.blocks = {{block}};
  run_besides(driver, launched, batch, share_of(grid, batch, 1));
  watch->besides = true;
}

// The first slices of a sample have shown what L2 would hold in the whole grid, of which they are 1 / `scale`. Now they
// go through L2 again with that knowledge. `shares`: each slice's share of the caches.
void ask_again(std::vector<SliceRun>& slices, std::span<const MemorySystem::SampleShare> shares, Driver& driver,
               bool warm, double scale, LaunchRun& run) {
  MemorySystem& memory = driver.memory();
  const MemoryCounts before = memory.counts();
  memory.expect_in_l2(shares_in_l2(run, before, driver.product().arrays(), driver.gpu(), scale, warm));
  memory.restart_counts();
  for (std::size_t i = 0; i < slices.size(); ++i) {
    memory.begin_sample(shares[i]);
    driver.ask_l2(slices[i], run.s.costs);
    memory.flush(true);
  }
}

std::vector<BlockRun> streams_of(std::span<const BlockRun> runs) {
  std::vector<BlockRun> streams(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) streams[i].launch = runs[i].launch, streams[i].stream = runs[i].stream;
  return streams;
}

// The first blocks of a sample found empty caches on their SMs. In the whole grid other blocks would have run there
// before. So they run again after the last blocks, and that run counts. `counted`: the counts so far.
void run_first_again(Driver& driver, const Launched& launched, const BlockBatch& batch, std::span<BlockRun> runs,
                     const MemorySystem::SampleShare& share, const MemoryCounts& counted, LaunchRun& run) {
  std::vector<BlockCost> costs;
  BlockBatch unobserved = batch;  // the observer has already seen these blocks
  unobserved.observed = false;
  for (BlockRun& r : runs) r.stream.served = nullptr;
  driver.memory().begin_sample(share, true);
  driver.through_caches(launched, unobserved, runs, costs);
  driver.memory().flush(true);
  run.counts = driver.memory().counts();
  run.counts -= counted;
  std::copy(costs.begin(), costs.end(), run.s.costs.begin());
}

// What is known of a launch before any of its blocks has run.
LaunchRun launch_of(const Launched& launched, const GpuSpec& gpu) {
  LaunchRun run;
  run.launch = launched.launch;
  run.s.shape = launched.shape;
  run.s.occupancy = occupancy_of(gpu, run.s.shape);
  run.s.has_l2 = gpu.l2_bytes > 0;
  return run;
}

// Batches of blocks that have been through the caches; in a sample, each with its share of the caches.
struct ServedSlices {
  std::vector<SliceRun> slices;
  std::vector<MemorySystem::SampleShare> shares;
};
ServedSlices serve(Driver& driver, const Launched& launched, const Grid& grid, std::span<const BlockBatch> batches,
                   std::span<BlockRun> runs, double part, bool behind, LaunchRun& run) {
  MemorySystem& memory = driver.memory();
  ServedSlices served;
  for (const BlockBatch& b : batches) {
    const auto size = static_cast<std::size_t>(b.size());
    served.shares.push_back(share_of(grid, b, part));
    if (run.sampled) memory.begin_sample(served.shares.back(), behind && !run.s.costs.empty());
    served.slices.push_back(run_slice(driver, launched, b, runs.first(size), part, run));
    runs = runs.subspan(size);
    if (run.sampled) memory.flush(true);
  }
  return served;
}

// Whether the next batch would take too much, if it exceeds its estimate by the same factor as the earlier ones, at
// most 2.
bool too_much(double next, double foreseen, double taken, double budget) {
  return taken + std::clamp(taken / foreseen, 1.0, 2.0) * next > planned_share * budget;
}

// Records which blocks ran and their share; for a launch that ran whole the list is empty.
void tell_blocks(LaunchRun& run, double share) {
  if (!run.sampled) run.ran.clear();
  std::sort(run.s.blocks.begin(), run.s.blocks.end());
  run.s.share = share;
  if (share == 1) run.s.blocks.clear();
}

LaunchRun run_section(const ProductRun& product, const Launched& launched, PilotSample& pilot, double budget) {
  const auto& [driver, options, warmup, progress] = product;
  const GpuSpec& gpu = driver.gpu();
  MemorySystem& memory = driver.memory();
  LaunchRun run = launch_of(launched, gpu);
  LaunchSimulation& s = run.s;
  const Grid grid{s.shape.grid, gpu.sm_count, s.occupancy.blocks};
  const double cost_factor = cost_factor_with_caches(driver, options.cache_state);
  ChosenBlocks chosen = choose_blocks(launched, grid, pilot, options, gpu, budget, cost_factor);
  budget = chosen.budget;
  const std::span<BlockBatch> batches = chosen.batches;
  run.sampled = chosen.sampled && !chosen.all_blocks;
  s.own_sm = chosen.own_sm, s.warps_of_block = chosen.warps_of_block;
  const double part = chosen.warps_of_block ? static_cast<double>(chosen.warps_of_block) / launched.warps() : 1;

  driver.begin_launch(s.shape);
  memory.expect_in_l2({});
  const auto begin_sample = [&] {
    run.sampled = true;
    warmup.drop();
  };
  if (run.sampled) begin_sample();
  // Most blocks of a grid with several waves run on SMs that ran other blocks before.
  const bool behind = grid.waves() > 1 && !chosen.own_sm;
  std::vector<BlockRun> first_runs;
  MemorySystem::SampleShare first_share;
  MemoryCounts first_counts;
  double done = 0, foreseen = 0, taken = 0;
  for (std::size_t first = 0, end = 0; first < batches.size(); first = end) {
    progress.check();
    // Expensive blocks are emulated two at a time, on every machine, so that results are the same.
    end = std::min(batches.size(), first + (chosen.own_sm ? 2 : 1));
    const std::span<BlockBatch> now = batches.subspan(first, end - first);
    double next = 0;
    each_block(now, [&](std::int64_t block) { next += pilot.work_at(block) * cost_factor * part; });
    const bool planned = chosen.sampled && options.sample_blocks <= 0;
    // The blocks that have run are spread evenly too.
    if (planned && first > 0 && too_much(next, foreseen, taken, budget)) {
      if (!run.sampled) begin_sample();
      break;
    }
    foreseen += next;
    // The remaining work limits a slice whose blocks cost more than estimated.
    const bool whole = chosen.own_sm || !planned;
    const double left = (planned_share * budget - taken) / cost_factor;
    std::vector<BlockRun> runs = whole ? driver.emulate(launched, now) : emulate_within(left, driver, launched, now[0]);
    taken += work_of(runs) * cost_factor;
    if (!run.sampled && std::ssize(runs) < blocks_of(now)) begin_sample();  // the blocks took too much work
    const bool once_more = first == 0 && run.sampled && behind && now.size() == 1;
    if (once_more && options.watch) first_runs = streams_of(runs);  // the observer keeps the blocks
    ServedSlices served = serve(driver, launched, grid, now, runs, part, behind, run);
    const double ran = static_cast<double>(blocks_of(now)) * part;  // emulate_within may have ended earlier
    const bool behind_a_sample = warmup.dropped() && batches.size() == 1;
    if (first == 0 && (run.sampled || behind_a_sample))
      ask_again(served.slices, served.shares, driver, options.cache_state == CacheState::warm && s.has_l2,
                static_cast<double>(grid.blocks) / ran, run);
    for (SliceRun& slice : served.slices) warmup.keep(std::move(slice));
    if (once_more) {
      if (!options.watch) first_runs = std::move(runs);
      first_share = served.shares[0];
      first_counts = memory.counts();
    }
    done += ran;
    each_block(now, [&](std::int64_t block) { run.ran.push_back(block); });
    if (run.sampled && !chosen.warps_of_block)
      each_block(now, [&](std::int64_t block) { s.blocks.push_back(launched.first + block); });
    progress.set(static_cast<double>(end) / static_cast<double>(batches.size()));
  }
  memory.end_atomics();
  run.counts = memory.counts();
  if (!first_runs.empty() && s.costs.size() > first_runs.size())
    run_first_again(driver, launched, batches[0], first_runs, first_share, first_counts, run);
  if (run.sampled) {
    s.longest = longest_wait(driver, launched, grid, options.budget);
    run_watched(driver, launched, grid, pilot, options.budget, options.watch);
  }
  run.taken = taken;
  tell_blocks(run, done / static_cast<double>(grid.blocks));
  return run;
}

}  // namespace

std::vector<LaunchRun> run_launch(const ProductRun& product, const Launched& launched, PilotSample& pilot,
                                  double budget) {
  const auto& [driver, options, warmup, progress] = product;
  const std::vector<Launched> sections = launched.sections();
  const Grid grid{launched.shape.grid, driver.gpu().sm_count, occupancy_of(driver.gpu(), launched.shape).blocks};
  const double factor = cost_factor_with_caches(driver, options.cache_state);
  std::vector<LaunchRun> runs;
  if (sections.size() == 1 || all_fit(grid, pilot, options, budget, factor)) {
    runs.push_back(run_section(product, launched, pilot, budget));
    return runs;
  }
  std::vector<PilotSample> pilots;
  const auto number = static_cast<double>(sections.size());
  const auto cost_of = [&](std::size_t i) {
    return factor * pilots[i].mean().work * static_cast<double>(sections[i].shape.grid);
  };
  double left = (1 - pilot_share) * budget, cost = 0;
  const double small = small_sections_share * left / number;  // sections with less work run whole
  for (std::size_t i = 0; i < sections.size(); ++i) {
    pilots.emplace_back(driver, sections[i], options, pilot_share * budget / number);
    if (cost_of(i) > small)
      cost += cost_of(i);
    else
      left -= cost_of(i);
  }
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const double own = cost_of(i);
    SimulateOptions of_section = options;
    if (options.sample_blocks > 0)
      of_section.sample_blocks =
          std::max<std::int64_t>(1, options.sample_blocks * sections[i].shape.grid / grid.blocks);
    const double given = own <= small ? small : left * std::min(1.0, own / cost);
    runs.push_back(run_section({driver, of_section, warmup, progress}, sections[i], pilots[i], given));
    if (own <= small) continue;
    left = std::max(0.0, left - runs.back().taken);
    cost -= own;
  }
  return runs;
}

}  // namespace warpspy
