#include "profiling/simulated/simulate.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>

#include "kernels/simt/emulator.hpp"
#include "profiling/simulated/sampling.hpp"

namespace warpspy {
namespace {

// Streams of blocks that wait for the caches, and what is kept of them, stay below this.
constexpr double stream_limit_bytes = 256e6;
// The caches cost about this much beside the emulation of a block, and L2 alone so much again.
constexpr double cache_share_of_cost = 0.5, l2_share_of_cost = 0.15;
// A block that takes more than this share of the budget is dear: hardly a hundred of its kind can run.
constexpr double dear_share = 0.01;
// Probing ends when it has taken this share of the budget, with what is known then.
constexpr double probing_share = 0.05;
// Of the time that is left, what a sample is planned for: blocks differ.
constexpr double planned_share = 0.9;
// A sample of dear blocks is spread over so many places where the kernel allows to run a part of a block.
constexpr std::int64_t places_of_parts = 16;
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
  bool unchecked = false;  // a launch before was sampled: not all that this one reads is there

  const LaunchShape& shape() const { return product.launches()[static_cast<std::size_t>(launch)]; }
  int warps() const { return (shape().block + simt::warp_size - 1) / simt::warp_size; }

  // Of a part what its own warps did: all of the block runs where they cannot do without the others. `later` is dry
  // then.
  BlockStream run(std::int64_t block, simt::WarpRange part, simt::Additions* later) const {
    simt::BlockTrace trace;
    trace.block = block;
    if (!part.count) {
      product.emulate_block(launch, block, &trace, later);
    } else {
      if (!product.emulate_part(launch, block, part, &trace, later)) {
        trace.warps.clear();
        product.emulate_block(launch, block, &trace, later);
      }
      trace.warps.erase(trace.warps.begin() + part.first + part.count, trace.warps.end());
      trace.warps.erase(trace.warps.begin(), trace.warps.begin() + part.first);
    }
    return coalesce(trace, gpu);
  }
};

// What a block costs.
struct BlockGuess {
  double seconds = 0, bytes = 0;
  bool parts = false;        // whether warps can run without the others
  double of_every_part = 1;  // the share of the seconds that even one warp takes: what all do before a barrier
};

// What blocks cost, from a few of them, the first of which lie far from the beginning: there sorted formats have their
// longest rows, and a block of them may take longer than the budget. Elsewhere one may too: so a warp of it comes
// first.
class Probe {
 public:
  Probe(const Launched& launch, const SimulateOptions& options, double budget_s)
      : launch_(launch), now_(options.now), dear_s_(dear_share * options.budget_s) {
    constexpr std::int64_t most = 64;
    until_ = now_() + budget_s;
    for (const std::int64_t block : spread_blocks(launch_.shape().grid, most))
      if (!ask(block)) break;
    for (const auto& [block, g] : at_) {
      const auto n = static_cast<double>(at_.size());
      mean_.seconds += g.seconds / n;
      mean_.bytes += g.bytes / n;
    }
    mean_.parts = std::all_of(at_.begin(), at_.end(), [](const auto& g) { return g.second.parts; });
    mean_.of_every_part = at_.begin()->second.of_every_part;
  }
  const BlockGuess& mean() const { return mean_; }
  bool dear() const { return mean_.seconds > dear_s_; }
  // False when probing has taken its time.
  bool ask(std::int64_t block) {
    if (!at_.contains(block)) at_[block] = guess(block);
    return now_() <= until_;
  }
  // Of the probed block that lies nearest.
  double seconds_at(std::int64_t block) const {
    auto next = at_.lower_bound(block);
    if (next == at_.end() || (next != at_.begin() && block - std::prev(next)->first < next->first - block)) --next;
    return next->second.seconds;
  }

 private:
  BlockGuess guess(std::int64_t block) const {
    std::optional<BlockGuess> from_one = one_warp(block);
    // What a process does for the first time touches its code and stacks: it is done again where that may be much of
    // it.
    constexpr double touching_s = 0.05;
    if (at_.empty() && from_one && from_one->seconds < touching_s) from_one = one_warp(block);
    if (from_one && from_one->seconds > dear_s_) return *from_one;
    simt::Additions never = simt::Additions::dry_run();  // these blocks run again
    const double start = now_();
    BlockGuess g;
    g.bytes = static_cast<double>(launch_.run(block, {}, &never).bytes());
    g.seconds = now_() - start;
    if (from_one) g.parts = from_one->parts, g.of_every_part = from_one->of_every_part;
    return g;
  }

  // Nothing when the product does not tell.
  std::optional<BlockGuess> one_warp(std::int64_t block) const {
    const int warps = launch_.warps(), warp = warps / 2;
    simt::Additions never = simt::Additions::dry_run();
    simt::BlockTrace trace;
    trace.block = block;
    const double start = now_();
    BlockGuess g;
    g.parts = warps > 1 && launch_.product.emulate_part(launch_.launch, block, {warp, 1}, &trace, &never);
    if (trace.warps.empty()) return {};
    double steps = 0;
    for (const simt::WarpTrace& w : trace.warps) steps += static_cast<double>(w.warp_steps);
    const auto own = static_cast<double>(trace.warps[static_cast<std::size_t>(warp)].warp_steps);
    const double whole = std::max(steps, own * warps);
    const double of_whole = steps > 0 ? whole / steps : 1;
    g.of_every_part = whole > 0 ? (steps - own) / whole : 0;
    g.bytes = static_cast<double>(coalesce(trace, launch_.gpu).bytes()) * of_whole;
    g.seconds = (now_() - start) * of_whole;
    return g;
  }

  const Launched& launch_;
  const std::function<double()>& now_;
  double dear_s_, until_ = 0;
  std::map<std::int64_t, BlockGuess> at_;
  BlockGuess mean_;
};

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

// Blocks that run together, of neighbouring SMs, between two times that the caches of a sample are emptied.
struct Together {
  std::vector<std::vector<std::int64_t>> blocks;  // of each SM
  int first_sm = 0;
  std::uint32_t dealt = 0;    // for MemorySystem::below
  simt::WarpRange part = {};  // of each block

  std::int64_t size() const {
    return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0},
                           [](std::int64_t sum, const auto& sm) { return sum + static_cast<std::int64_t>(sm.size()); });
  }
};

// Emulates blocks on all cores.
std::vector<BlockStream> emulate(const Launched& launch, std::span<const Together> runs, const Progress& progress) {
  std::vector<std::pair<std::int64_t, simt::WarpRange>> list;
  for (const Together& run : runs)
    for (const auto& sm : run.blocks)
      for (const std::int64_t block : sm) list.emplace_back(block, run.part);
  std::vector<BlockStream> streams(list.size());
  std::vector<simt::Additions> additions(list.size());
  tbb::parallel_for(std::size_t{0}, list.size(), [&](std::size_t i) {
    progress.check();
    // Of blocks that run in part nothing is checked: what they store would only take time.
    if (launch.unchecked || list[i].second.count) additions[i] = simt::Additions::dry_run();
    streams[i] = launch.run(list[i].first, list[i].second, &additions[i]);
  });
  for (simt::Additions& a : additions) a.apply();
  return streams;
}

// The same for a slice, some SMs at a time; where go_on() says so the slice ends with fewer.
std::vector<BlockStream> emulate_while(const std::function<bool()>& go_on, const Launched& launch, Together& run,
                                       const Progress& progress) {
  std::vector<BlockStream> streams;
  const std::size_t sms = run.blocks.size(), some = std::max<std::size_t>(2, sms / 8);
  for (std::size_t sm = 0; sm < sms; sm += some) {
    if (sm > 0 && !go_on()) {
      run.blocks.resize(sm);
      break;
    }
    const auto first = run.blocks.begin() + static_cast<std::ptrdiff_t>(sm);
    const Together next{{first, first + static_cast<std::ptrdiff_t>(std::min(some, sms - sm))}, 0, 0, {}};
    std::vector<BlockStream> more = emulate(launch, {&next, 1}, progress);
    std::move(more.begin(), more.end(), std::back_inserter(streams));
  }
  return streams;
}

// Gives blocks that were emulated to the memory system. `part`: the share of them that was.
SliceRun run_slice(const Launched& launch, const Together& run, std::span<const BlockStream> streams, double part,
                   MemorySystem& memory, Totals& totals, std::vector<BlockCost>& costs) {
  SliceRun slice;
  slice.launch = launch.launch;
  slice.dealt = run.dealt;
  slice.first_sm = run.first_sm;
  slice.first_cost = costs.size();
  std::vector<std::vector<const BlockStream*>> sms;
  const BlockStream* next = streams.data();
  for (const auto& sm : run.blocks) {
    sms.emplace_back();
    for (std::size_t b = 0; b < sm.size(); ++b) sms.back().push_back(next++);
  }
  slice.sms = memory.above(sms, run.first_sm);
  for (const BlockStream& stream : streams) {
    totals.add(stream);
    BlockCost cost = memory.cost_of(stream);
    cost.sectors = static_cast<std::uint64_t>(static_cast<double>(cost.sectors) / part);
    cost.lines = static_cast<std::uint64_t>(static_cast<double>(cost.lines) / part);
    costs.push_back(cost);
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
  // Warm, what stays in L2 of y is written there again and again; cold, the last that came is still there at the end.
  const double written = static_cast<double>(counts.dram_written_bytes) * scale;
  const double came = dram_sectors + written / sector_size;
  double stays = misses.kept;
  if (!warm && written > 0) stays = std::min(1.0, std::min(l2_sectors / came, l2_dirty * gpu.l2_bytes / written));
  s.dram_write_bytes = written * (estimated ? 1 - stays : 1);
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

// Which blocks run, and in which company.
struct Plan {
  std::vector<Together> runs;
  bool sampled = false, alone = false;
  int warps_of_block = 0;  // 0: all
};

// Of a grid larger than a wave, blocks go to where others end: elsewhere in every product.
std::uint32_t dealt_of(const Grid& grid, std::int64_t wave) {
  return grid.waves() > 1 ? static_cast<std::uint32_t>(wave) + 1 : 0;
}

std::vector<Together> together(const Grid& grid, const std::vector<Slice>& slices) {
  std::vector<Together> runs;
  for (const Slice& s : slices) runs.push_back({grid.blocks_of(s), s.first_sm, dealt_of(grid, s.wave), {}});
  return runs;
}

// `n` blocks that have an SM each; of a part its warps lie elsewhere in every block.
Plan blocks_alone(const Grid& grid, std::int64_t n, int warps_of_block, int warps) {
  Plan plan;
  plan.sampled = plan.alone = true;
  constexpr double step = 0.7548776662466927;  // does not fall in with that of the blocks
  const std::vector<std::int64_t> blocks = spread_blocks(grid.blocks, n);
  const auto firsts = spread(warps - warps_of_block + 1, static_cast<std::int64_t>(blocks.size()), step);
  if (warps_of_block < warps) plan.warps_of_block = warps_of_block;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    plan.runs.push_back({{{blocks[i]}},
                         grid.sm_of(blocks[i]),
                         dealt_of(grid, blocks[i] / grid.wave()),
                         {static_cast<int>(firsts[i]), plan.warps_of_block}});
  return plan;
}

// What a block costs beside its emulation on one of the cores, in its seconds.
double caches_beside(const std::vector<simt::ArrayInfo>& arrays, const GpuSpec& gpu, CacheState state) {
  if (state != CacheState::warm) return cache_share_of_cost;
  double size = 1;
  for (const simt::ArrayInfo& a : arrays) size += static_cast<double>(a.bytes);
  const double again = turnovers * gpu.l2_bytes / size;
  return cache_share_of_cost + l2_share_of_cost * (again > 1 ? products_again : again);
}

// Dear blocks run alone, at as many places as there is time for `wanted` of them: a part of each where that gets more
// places. What they cost was guessed from little, so there are more of them than foreseen; time ends the list.
Plan plan_of_dear(const Launched& launch, const Grid& grid, const BlockGuess& guess, double wanted) {
  const int warps = launch.warps();
  const auto alone = [&](double places, int warps_of_block) {
    constexpr double more = 3, fewest = 2;  // fewest: for two cores
    return blocks_alone(grid, static_cast<std::int64_t>(more * std::max(fewest, places)), warps_of_block, warps);
  };
  const double places = static_cast<double>(std::min(places_of_parts, grid.blocks));
  if (wanted >= places || !guess.parts || guess.of_every_part > 0.5)
    return wanted < 1.5 ? blocks_alone(grid, 1, warps, warps) : alone(wanted, warps);
  const double of_a_warp = (1 - guess.of_every_part) / warps;
  const double each = (wanted / places - guess.of_every_part) / of_a_warp;
  if (each >= 1) return alone(places, std::min(warps, static_cast<int>(each)));
  return alone(wanted / (guess.of_every_part + of_a_warp), 1);
}

// Fewer SMs of each slice where their blocks are so much dearer than most that they would take longer than `budget_s`.
void shrink(std::vector<Slice>& slices, const Grid& grid, Probe& probe, double budget_s, double slower) {
  double seconds = 0;
  for (const Slice& s : slices) {
    const auto blocks = grid.blocks_of(s);
    const auto& middle = blocks[blocks.size() / 2];
    for (const std::size_t quarter : {1, 3})
      if (!middle.empty()) probe.ask(middle[middle.size() * quarter / 4]);
    for (const auto& sm : blocks)
      for (const std::int64_t block : sm) seconds += probe.seconds_at(block) * slower;
  }
  constexpr double dearer = 1.25;
  if (seconds <= dearer * budget_s) return;
  for (Slice& s : slices) {
    const int sms = std::max(1, static_cast<int>(s.sms * budget_s / seconds));
    s.first_sm += (s.sms - sms) / 2;
    s.sms = sms;
  }
}

// All blocks, or a sample that takes `budget_s`; a second of emulation takes `slower` in all.
Plan plan_of(const Launched& launch, const Grid& grid, Probe& probe, const SimulateOptions& options, double budget_s,
             double slower) {
  const BlockGuess& guess = probe.mean();
  const bool timed = options.sample_blocks <= 0;
  const double each_s = guess.seconds * slower;
  if (timed ? each_s * static_cast<double>(grid.blocks) <= budget_s : options.sample_blocks >= grid.blocks) {
    const auto fitting = static_cast<int>(stream_limit_bytes / std::max(1.0, guess.bytes * grid.resident));
    return {together(grid, all_slices(grid, std::clamp(fitting, 1, grid.sms)))};
  }
  if (options.sample_warps > 0) {
    const int warps = launch.warps();
    return blocks_alone(grid, options.sample_blocks, guess.parts ? std::min(options.sample_warps, warps) : warps,
                        warps);
  }
  const double wanted = planned_share * budget_s / each_s;
  if (timed && probe.dear()) return plan_of_dear(launch, grid, guess, wanted);
  std::vector<Slice> slices = sample_slices(grid, timed ? static_cast<std::int64_t>(wanted) : options.sample_blocks);
  if (timed) shrink(slices, grid, probe, planned_share * budget_s, slower);
  Plan plan{together(grid, slices)};
  plan.sampled = true;
  return plan;
}

LaunchRun run_launch(const Launched& launched, Probe& probe, const SimulateOptions& options, double budget_s,
                     tbb::task_arena& arena, MemorySystem& memory, Beginning& beginning, Progress& progress) {
  EmulatedProduct& product = launched.product;
  const GpuSpec& gpu = launched.gpu;
  const double start = options.now();
  LaunchRun run;
  LaunchSimulation& s = run.s;
  s.shape = launched.shape();
  s.occupancy = occupancy_of(gpu, s.shape);
  s.has_l2 = gpu.l2_bytes > 0;
  const Grid grid{s.shape.grid, gpu.sm_count, s.occupancy.blocks};
  const double slower = 1.0 / arena.max_concurrency() + caches_beside(product.arrays(), gpu, options.cache_state);
  Plan plan = plan_of(launched, grid, probe, options, budget_s, slower);
  run.sampled = plan.sampled;
  s.alone = plan.alone;
  s.warps_of_block = plan.warps_of_block;
  const double part = plan.warps_of_block ? static_cast<double>(plan.warps_of_block) / launched.warps() : 1;

  memory.begin_launch(s.occupancy.blocks, s.shape.shared_bytes);
  if (run.sampled) {
    memory.clear();
    beginning.drop();
  }
  double done = 0, foreseen_s = 0;
  const std::span<Together> runs = plan.runs;
  for (std::size_t first = 0, end = 0; first < runs.size(); first = end) {
    progress.check();
    // Blocks alone are emulated two at a time, for two cores.
    end = std::min(runs.size(), first + (plan.alone ? 2 : 1));
    const std::span<Together> now = runs.subspan(first, end - first);
    double next_s = 0;
    for (const Together& r : now)
      for (const auto& sm : r.blocks)
        for (const std::int64_t block : sm) next_s += probe.seconds_at(block) * slower * part;
    // No slice that would end too late, were its blocks as much dearer than their guesses as those before, or twice at
    // most: what a slice takes beside its blocks is much of a short one. What ran is spread evenly too.
    const double taken = options.now() - start;
    const double dearer = first > 0 ? std::clamp(taken / foreseen_s, 1.0, 2.0) : 0;
    const bool timed = run.sampled && options.sample_blocks <= 0;
    if (timed && first > 0 && taken + dearer * next_s > planned_share * budget_s) break;
    foreseen_s += next_s;
    arena.execute([&] {
      // Blocks of a slice that are dearer than their guesses, and the caches behind them, have the time that is left.
      const auto in_time = [&] {
        const double emulating = options.now() - start - taken;
        return taken + emulating * slower * arena.max_concurrency() <= planned_share * budget_s;
      };
      const bool whole = plan.alone || !timed;
      const std::vector<BlockStream> streams =
          whole ? emulate(launched, now, progress) : emulate_while(in_time, launched, now[0], progress);
      std::span<const BlockStream> rest = streams;
      for (const Together& r : now) {
        const auto size = static_cast<std::size_t>(r.size());
        beginning.keep(run_slice(launched, r, rest.first(size), part, memory, run.totals, s.costs));
        rest = rest.subspan(size);
        if (run.sampled) memory.flush(true), memory.clear();
      }
    });
    for (const Together& r : now) {
      done += static_cast<double>(r.size()) * part;
      if (!run.sampled || plan.warps_of_block) continue;
      for (const auto& sm : r.blocks) s.blocks.insert(s.blocks.end(), sm.begin(), sm.end());
    }
    progress.set(static_cast<double>(end) / static_cast<double>(runs.size()));
  }
  run.counts = memory.counts();
  std::sort(s.blocks.begin(), s.blocks.end());
  s.share = done / static_cast<double>(grid.blocks);
  if (s.share == 1) s.blocks.clear();
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

  const double start = options.now();
  std::vector<Launched> launched;
  std::vector<Probe> probes;
  double cost = 0, blocks = 0, ran = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) launched.push_back({product, gpu, static_cast<int>(i), false});
  const auto cost_of = [&](std::size_t i) { return probes[i].mean().seconds * static_cast<double>(launches[i].grid); };
  for (std::size_t i = 0; i < launches.size(); ++i) {
    probes.emplace_back(launched[i], options, probing_share * options.budget_s / static_cast<double>(launches.size()));
    cost += cost_of(i);
  }
  std::vector<LaunchRun> runs;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    // Of the time that is left, by what each launch that is left would cost.
    const double left = std::max(0.0, start + options.budget_s - options.now());
    const double share = cost > 0 ? std::min(1.0, cost_of(i) / cost) : 1;
    runs.push_back(run_launch(launched[i], probes[i], options, left * share, arena, memory, beginning, progress));
    cost -= cost_of(i);
    if (i + 1 < launches.size()) launched[i + 1].unchecked = launched[i].unchecked || runs[i].sampled;
  }
  // What was still dirty after a launch might have been written again by the next one.
  if (!beginning.slices().empty()) {
    for (int i = 0; i < (beginning.is_all() ? products_again : 1); ++i)
      run_beginning_again(beginning, runs, memory, progress);
  } else if (!runs.back().sampled) {
    const MemoryCounts before = memory.counts();
    if (warm)
      memory.flush(false);
    else
      memory.end_product();
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
