#include "profiling/simulated/simulate.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "kernels/simt/emulator.hpp"
#include "profiling/simulated/sampling.hpp"

namespace warpspy {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Streams of blocks that wait for the caches, and what is kept of them, stay below this.
constexpr double stream_limit_bytes = 256e6;
// The caches cost about this much beside the emulation of a block, and L2 alone so much again.
constexpr double cache_share_of_cost = 0.5, l2_share_of_cost = 0.15;
// The beginning of a warm product is over when this many times the size of L2 came from DRAM: L2 then holds nothing
// any more of what it began with.
constexpr double turnovers = 2;
// So often it runs again when it is the whole product: which lines the two partitions of L2 both hold settles over
// several products.
constexpr int products_again = 3;
// Larger than any number of waves, so that a product deals its blocks as no other one does.
constexpr std::uint32_t products_apart = 1u << 27;

// One launch of a product.
struct Launched {
  EmulatedProduct& product;
  const GpuSpec& gpu;
  int launch;

  BlockStream run(std::int64_t block, simt::Additions* later) const {
    simt::BlockTrace trace;
    trace.block = block;
    product.emulate_block(launch, block, &trace, later);
    return coalesce(trace, gpu);
  }
};

// What a block costs, from a few of them.
struct Probe {
  double seconds = 0, bytes = 0;
};
Probe probe(const Launched& launch, std::int64_t grid) {
  constexpr std::int64_t wanted = 4;
  const std::int64_t n = std::min(wanted, grid);
  simt::Additions never = simt::Additions::dry_run();  // these blocks run again
  // Not timed: the first block of a process touches its code and stacks for the first time.
  launch.run(0, &never);
  Probe p;
  const auto start = Clock::now();
  for (std::int64_t i = 0; i < n; ++i)
    p.bytes += static_cast<double>(launch.run((2 * i + 1) * grid / (2 * n), &never).bytes());
  p.seconds = seconds_since(start) / static_cast<double>(n);
  p.bytes /= static_cast<double>(n);
  return p;
}

struct Totals {
  std::vector<TrafficSum> arrays, sites;
  std::uint64_t lane_steps = 0, warp_steps = 0;

  static void add(std::vector<TrafficSum>& to, const std::vector<TrafficSum>& from) {
    if (to.size() < from.size()) to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
  }
  void add(const BlockStream& b) {
    add(arrays, b.arrays);
    add(sites, b.sites);
    lane_steps += b.lane_steps;
    warp_steps += b.warp_steps;
  }
};

Traffic scaled(std::string name, const TrafficSum& sum, double scale) {
  const auto requests = static_cast<double>(sum.requests);
  return {std::move(name), requests * scale, static_cast<double>(sum.sectors) * scale,
          static_cast<double>(sum.bytes) * scale, requests > 0 ? static_cast<double>(sum.lanes) / requests : 0};
}

// A slice that ran: what its SMs asked of L2, so that L2 can be asked again.
struct SliceRun {
  int launch = 0, first_sm = 0;
  std::uint32_t dealt = 0;  // for MemorySystem::below
  std::vector<SmRun> sms;
  MemoryCounts counts;
  std::size_t first_cost = 0;

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const SmRun& sm : sms) sum += sm.bytes();
    return sum;
  }
  // The share of its loads' sectors whose lines L2 keeps as usual.
  double kept() const {
    double all = 0, passing = 0;
    for (const SmRun& sm : sms) {
      all += static_cast<double>(sm.asked);
      passing += static_cast<double>(sm.passing);
    }
    return all > 0 ? 1 - passing / all : 1;
  }
  // Asks L2 as it is now.
  void ask(MemorySystem& memory, std::vector<BlockCost>& costs) {
    const MemoryCounts before = memory.counts();
    memory.below(sms, first_sm, dealt, std::span(costs).subspan(first_cost));
    counts = memory.counts();
    counts -= before;
  }
};

// Emulates the blocks of a slice on all cores, then gives them to the memory system.
SliceRun run_slice(const Launched& launch, const std::vector<std::vector<std::int64_t>>& blocks, int first_sm,
                   std::uint32_t dealt, MemorySystem& memory, Totals& totals, std::vector<BlockCost>& costs,
                   const Progress& progress) {
  std::vector<std::int64_t> list;
  SliceRun slice;
  slice.launch = launch.launch;
  slice.dealt = dealt;
  slice.first_sm = first_sm;
  slice.first_cost = costs.size();
  for (const auto& sm : blocks) list.insert(list.end(), sm.begin(), sm.end());
  std::vector<BlockStream> streams(list.size());
  std::vector<simt::Additions> additions(list.size());
  tbb::parallel_for(std::size_t{0}, list.size(), [&](std::size_t i) {
    progress.check();
    streams[i] = launch.run(list[i], &additions[i]);
  });
  for (simt::Additions& a : additions) a.apply();
  std::vector<std::vector<const BlockStream*>> sms;
  const BlockStream* next = streams.data();
  for (const auto& sm : blocks) {
    sms.emplace_back();
    for (std::size_t b = 0; b < sm.size(); ++b) sms.back().push_back(next++);
  }
  slice.sms = memory.above(sms, first_sm);
  for (const BlockStream& stream : streams) {
    totals.add(stream);
    costs.push_back(memory.cost_of(stream));
  }
  slice.ask(memory, costs);
  return slice;
}

// The slices at the beginning of a warm product, kept until it has ended.
class Beginning {
 public:
  Beginning(bool wanted, const GpuSpec& gpu) : open_(wanted), enough_(turnovers * gpu.l2_bytes) {}

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

double sectors_of(const simt::ArrayInfo& a) { return static_cast<double>((a.bytes + sector_size - 1) / sector_size); }

// A launch whose blocks have run; what it counted is not scaled yet.
struct LaunchRun {
  LaunchSimulation s;
  MemoryCounts counts;
  Totals totals;
  bool sampled = false;
};

// `estimated`: the launch began with empty caches and does not tell what it would have found there.
void fill_dram(LaunchRun& run, const std::vector<simt::ArrayInfo>& arrays, const GpuSpec& gpu, double scale, bool warm,
               bool estimated) {
  LaunchSimulation& s = run.s;
  const MemoryCounts& counts = run.counts;
  std::vector<SampledArray> sampled;
  // What is stored, and what belongs to other launches, takes its place in L2 too between two products.
  double others = static_cast<double>(run.counts.dram_written_bytes) * scale / sector_size;
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const TrafficSum asked = a < run.totals.arrays.size() ? run.totals.arrays[a] : TrafficSum{};
    sampled.push_back({sectors_of(arrays[a]), static_cast<double>(run.counts.arrays[a].dram_first) * scale,
                       asked.sectors ? 1 - asked.passing / static_cast<double>(asked.sectors) : 1});
    if (asked.requests == 0) others += sectors_of(arrays[a]);
  }
  if (warm) sampled.push_back({others, others});
  // With two partitions a line read from both halves is held twice; half of the readers sit on the other side.
  const double l2_sectors = gpu.l2_bytes / (gpu.l2_partitions > 1 ? 1.5 : 1.0) / sector_size;
  const WholeMisses misses = misses_in_whole(sampled, l2_sectors, warm);
  double dram_sectors = static_cast<double>(counts.dram_fill_sectors) * scale;
  double l2_misses = 0;
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const ArrayMisses& m = counts.arrays[a];
    const auto corrected = [&](std::uint64_t first, const std::vector<double>& missed) {
      const double touches = sampled[a].first_touches;
      return static_cast<double>(first) * (estimated && touches > 0 ? missed[a] / touches : 1);
    };
    dram_sectors += (corrected(m.dram_first, misses.dram) + static_cast<double>(m.dram_again)) * scale;
    l2_misses += (corrected(m.l2_first + m.across, misses.l2) + static_cast<double>(m.l2_again)) * scale;
  }
  s.l2_sectors = static_cast<double>(counts.l2_sectors) * scale;
  s.l2_requests = static_cast<double>(counts.l2_requests) * scale;
  s.l2_loads = static_cast<double>(counts.l2_loads) * scale;
  s.l2_load_hits = std::max(0.0, s.l2_loads - l2_misses);
  s.texture_lookups = static_cast<double>(counts.texture_lookups) * scale;
  s.texture_hits = static_cast<double>(counts.texture_hits) * scale;
  // What sampling corrects of all misses holds for those of the texture cache's loads.
  const double seen = static_cast<double>(counts.l2_loads - counts.l2_load_hits) * scale;
  const double misses_of_texture = static_cast<double>(counts.l2_texture_loads - counts.l2_texture_load_hits) * scale;
  s.l2_texture_loads = static_cast<double>(counts.l2_texture_loads) * scale;
  s.l2_texture_load_hits = std::max(0.0, s.l2_texture_loads - misses_of_texture * (seen > 0 ? l2_misses / seen : 1));
  s.dram_read_bytes = dram_sectors * sector_size;
  // What stays in L2 of y is written there again and again.
  s.dram_write_bytes = static_cast<double>(counts.dram_written_bytes) * scale * (estimated ? 1 - misses.kept : 1);
}

void fill_traffic(LaunchSimulation& s, const Totals& totals, EmulatedProduct& product, double scale) {
  for (std::size_t a = 0; a < totals.arrays.size(); ++a) {
    if (!totals.arrays[a].requests) continue;
    s.arrays.push_back(scaled(product.arrays()[a].name, totals.arrays[a], scale));
    s.requests += s.arrays.back().requests;
    s.sectors += s.arrays.back().sectors;
  }
  // Several sites may share a line; sites are numbered in the order in which threads met them, lines are not.
  std::map<std::pair<std::string, int>, TrafficSum> lines;
  for (std::size_t i = 0; i < totals.sites.size(); ++i) {
    const simt::Site& site = product.sites()[i];
    if (totals.sites[i].requests) lines[{site.file, site.line}] += totals.sites[i];
  }
  for (const auto& [line, sum] : lines)
    s.lines.push_back(scaled(line.first + ":" + std::to_string(line.second), sum, scale));
}

// Adds the counts of a launch to those of the product.
void add(LaunchSimulation& to, const LaunchSimulation& from) {
  constexpr double LaunchSimulation::*sums[] = {
      &LaunchSimulation::requests,         &LaunchSimulation::sectors,
      &LaunchSimulation::l1_lookups,       &LaunchSimulation::l1_hits,
      &LaunchSimulation::l2_sectors,       &LaunchSimulation::l2_requests,
      &LaunchSimulation::l2_loads,         &LaunchSimulation::l2_load_hits,
      &LaunchSimulation::dram_read_bytes,  &LaunchSimulation::dram_write_bytes,
      &LaunchSimulation::lane_steps,       &LaunchSimulation::warp_steps,
      &LaunchSimulation::texture_lookups,  &LaunchSimulation::texture_hits,
      &LaunchSimulation::l2_texture_loads, &LaunchSimulation::l2_texture_load_hits};
  for (const auto member : sums) to.*member += from.*member;
  const auto merge = [](std::vector<Traffic>& all, const std::vector<Traffic>& more) {
    for (const Traffic& t : more) {
      const auto at = std::find_if(all.begin(), all.end(), [&](const Traffic& a) { return a.name == t.name; });
      if (at == all.end()) {
        all.push_back(t);
        continue;
      }
      const double lanes = at->requests * at->active_lanes + t.requests * t.active_lanes;
      at->requests += t.requests;
      at->sectors += t.sectors;
      at->bytes_used += t.bytes_used;
      at->active_lanes = at->requests > 0 ? lanes / at->requests : 0;
    }
  };
  merge(to.arrays, from.arrays);
  merge(to.lines, from.lines);
}

LaunchRun run_launch(const Launched& launched, const Probe& p, const SimulateOptions& options, tbb::task_arena& arena,
                     MemorySystem& memory, Beginning& beginning, Progress& progress) {
  EmulatedProduct& product = launched.product;
  const GpuSpec& gpu = launched.gpu;
  const auto start = Clock::now();
  LaunchRun run;
  LaunchSimulation& s = run.s;
  s.shape = product.launches()[static_cast<std::size_t>(launched.launch)];
  s.occupancy = occupancy_of(gpu, s.shape);
  s.has_l2 = gpu.l2_bytes > 0;
  const Grid grid{s.shape.grid, gpu.sm_count, s.occupancy.blocks};
  double caches = cache_share_of_cost;
  if (options.cache_state == CacheState::warm) {
    double size = 1;
    for (const simt::ArrayInfo& a : product.arrays()) size += static_cast<double>(a.bytes);
    const double again = turnovers * gpu.l2_bytes / size;
    caches += l2_share_of_cost * (again > 1 ? products_again : again);
  }
  const double all_s = p.seconds * static_cast<double>(grid.blocks) * (1.0 / arena.max_concurrency() + caches);
  const bool timed = options.sample_blocks <= 0;
  std::int64_t wanted = grid.blocks;
  if (!timed)
    wanted = options.sample_blocks;
  else if (all_s > options.budget_s)
    wanted = static_cast<std::int64_t>(static_cast<double>(grid.blocks) * options.budget_s / all_s);
  run.sampled = wanted < grid.blocks;
  const auto fitting = static_cast<int>(stream_limit_bytes / std::max(1.0, p.bytes * s.occupancy.blocks));
  const auto slices =
      run.sampled ? sample_slices(grid, wanted) : all_slices(grid, std::clamp(fitting, 1, gpu.sm_count));

  memory.begin_launch(s.occupancy.blocks, s.shape.shared_bytes);
  if (run.sampled) {
    memory.clear();
    beginning.drop();
  }
  std::int64_t done = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    progress.check();
    // The blocks were dearer than the probed ones: no slice that would end too late. What ran is spread evenly too.
    const double each_s = i > 0 ? seconds_since(start) / static_cast<double>(i) : 0;
    if (run.sampled && timed && i > 0 && seconds_since(start) + each_s > options.budget_s) break;
    const auto blocks = grid.blocks_of(slices[i]);
    // Of a grid larger than a wave, blocks go to where others end: elsewhere in every product.
    const auto dealt = grid.waves() > 1 ? static_cast<std::uint32_t>(slices[i].wave) + 1 : 0u;
    arena.execute([&] {
      beginning.keep(run_slice(launched, blocks, slices[i].first_sm, dealt, memory, run.totals, s.costs, progress));
    });
    for (const auto& sm : blocks) {
      done += static_cast<std::int64_t>(sm.size());
      if (run.sampled) s.blocks.insert(s.blocks.end(), sm.begin(), sm.end());
    }
    if (run.sampled) memory.flush(true), memory.clear();
    progress.set(static_cast<double>(i + 1) / static_cast<double>(slices.size()));
  }
  run.counts = memory.counts();
  std::sort(s.blocks.begin(), s.blocks.end());
  if (done == grid.blocks) s.blocks.clear();
  s.share = static_cast<double>(done) / static_cast<double>(grid.blocks);
  return run;
}

// Behind the end of a product, its beginning once more: now with what the product leaves in L2.
void run_beginning_again(Beginning& beginning, std::vector<LaunchRun>& runs, MemorySystem& memory,
                         const Progress& progress) {
  int launch = -1;
  for (SliceRun& slice : beginning.slices()) {
    progress.check();
    LaunchRun& run = runs[static_cast<std::size_t>(slice.launch)];
    if (slice.launch != launch) memory.begin_launch(run.s.occupancy.blocks, run.s.shape.shared_bytes);
    launch = slice.launch;
    if (slice.dealt) slice.dealt += products_apart;
    run.counts -= slice.counts;
    slice.ask(memory, run.s.costs);
    run.counts += slice.counts;
  }
}

LaunchSimulation scaled(LaunchRun run, EmulatedProduct& product, const GpuSpec& gpu, bool warm, bool estimated) {
  LaunchSimulation& s = run.s;
  const double scale = 1 / s.share;
  s.l1_lookups = static_cast<double>(run.counts.l1_lookups) * scale;
  s.l1_hits = static_cast<double>(run.counts.l1_hits) * scale;
  s.lane_steps = static_cast<double>(run.totals.lane_steps) * scale;
  s.warp_steps = static_cast<double>(run.totals.warp_steps) * scale;
  fill_dram(run, product.arrays(), gpu, scale, warm, estimated);
  fill_traffic(s, run.totals, product, scale);
  return std::move(s);
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
  const bool warm = options.cache_state == CacheState::warm && s.has_l2;
  s.warm = warm;
  Beginning beginning(warm, gpu);

  double cost = 0, blocks = 0, ran = 0;
  std::vector<Probe> probes;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    probes.push_back(probe({product, gpu, static_cast<int>(i)}, launches[i].grid));
    cost += probes[i].seconds * static_cast<double>(launches[i].grid);
  }
  std::vector<LaunchRun> runs;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    SimulateOptions share = options;  // of the time, by what each launch would cost
    share.budget_s *= probes[i].seconds * static_cast<double>(launches[i].grid) / cost;
    runs.push_back(
        run_launch({product, gpu, static_cast<int>(i)}, probes[i], share, arena, memory, beginning, progress));
  }
  // What was still dirty after a launch might have been written again by the next one.
  if (!beginning.slices().empty()) {
    for (int i = 0; i < (beginning.is_all() ? products_again : 1); ++i)
      run_beginning_again(beginning, runs, memory, progress);
  } else if (!runs.back().sampled) {
    const MemoryCounts before = memory.counts();
    memory.flush(false);
    MemoryCounts written = memory.counts();
    runs.back().counts += (written -= before);
  }
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const LaunchShape& shape = launches[i];
    // One sampled launch empties the caches for all: then none of them ran as in a row of products.
    const bool estimated = runs[i].sampled || (warm && beginning.slices().empty());
    s.launches.push_back(scaled(std::move(runs[i]), product, gpu, warm, estimated));
    const LaunchSimulation& done = s.launches.back();
    add(s, done);
    blocks += static_cast<double>(shape.grid);
    ran += done.share * static_cast<double>(shape.grid);
    if (shape.grid <= s.shape.grid) continue;
    s.shape = shape;
    s.occupancy = done.occupancy;
  }
  s.share = blocks > 0 ? ran / blocks : 1;
  if (launches.size() == 1) s.blocks = s.launches[0].blocks;
  return s;
}

}  // namespace warpspy
