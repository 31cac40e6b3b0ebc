#include "profiling/simulated/scaling.hpp"

#include <algorithm>
#include <map>

#include "profiling/simulated/sampling.hpp"

namespace warpspy {
namespace {

Traffic scaled(std::string name, const TrafficSum& sum, double scale) {
  const auto requests = static_cast<double>(sum.requests);
  return {std::move(name), requests * scale, static_cast<double>(sum.sectors) * scale,
          static_cast<double>(sum.bytes) * scale, requests > 0 ? static_cast<double>(sum.lanes) / requests : 0};
}

double sectors_of(const simt::ArrayInfo& a) { return static_cast<double>((a.bytes + sector_size - 1) / sector_size); }

// With two partitions, a line that SMs of both halves read is held twice; half of the readers ask the other partition.
double l2_sectors_of(const GpuSpec& gpu) { return gpu.l2_bytes / (gpu.l2_partitions > 1 ? 1.5 : 1.0) / sector_size; }

// Sectors that a sample did not find in its share of L2, but that may be there in the whole grid. They were never
// loaded, or were evicted before the second access, while other SMs access the same sectors.
std::uint64_t may_be_there(std::uint64_t first, std::uint64_t again, const simt::ArrayInfo& a, bool sampled) {
  return first + (sampled && shared_by_sms(a.role) ? again : 0);
}

// If all blocks fit in one wave, an SM asks the same partition of L2 for the same lines in every product.
bool in_one_wave(const LaunchSimulation& s, const GpuSpec& gpu) {
  return gpu.l2_partitions > 1 && s.shape.grid <= std::int64_t{gpu.sm_count} * s.occupancy.blocks;
}

double written_sectors(const ArrayMisses& m) { return static_cast<double>(m.written_bytes) / sector_size; }

// One for each array; if warm, one more for everything else.
std::vector<SampledArray> sampled_arrays(const MemoryCounts& counts, const TrafficTotals& totals,
                                         const std::vector<simt::ArrayInfo>& arrays, double scale, bool warm,
                                         bool of_sample) {
  std::vector<SampledArray> sampled;
  // Stores, and arrays of other launches, also take room in L2 between two products.
  double others = 0;
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const TrafficSum asked = a < totals.arrays.size() ? totals.arrays[a] : TrafficSum{};
    const ArrayMisses& m = counts.arrays[a];
    const auto touches = static_cast<double>(may_be_there(m.dram_first, m.dram_again, arrays[a], of_sample));
    // Each sector counts once, however often samples write it. Sectors that are added to were counted when they were
    // read.
    const double size = sectors_of(arrays[a]);
    others += std::max(0.0, std::min(size, written_sectors(m) * scale) - std::min(size, touches * scale));
    sampled.push_back(
        {size, touches * scale, asked.sectors ? 1 - asked.evict_first / static_cast<double>(asked.sectors) : 1});
    if (asked.requests == 0) others += sectors_of(arrays[a]);
  }
  if (warm) sampled.push_back({others, others});
  return sampled;
}

void fill_dram(LaunchRun& run, const std::vector<simt::ArrayInfo>& arrays, const GpuSpec& gpu, double scale, bool warm,
               bool estimated) {
  LaunchSimulation& s = run.s;
  const MemoryCounts& counts = run.counts;
  const std::vector<SampledArray> sampled = sampled_arrays(counts, run.totals, arrays, scale, warm, run.sampled);
  const double l2_sectors = l2_sectors_of(gpu);
  const WholeMisses misses = misses_in_whole(sampled, l2_sectors, warm, in_one_wave(s, gpu));
  double dram_sectors = static_cast<double>(counts.dram_fill_sectors) * scale, loaded = dram_sectors;
  // Dirty data that remains when a product ends is not assigned to an array.
  double written = static_cast<double>(counts.dram_written_bytes) * scale, may_stay = written, l2_misses = 0;
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const ArrayMisses& m = counts.arrays[a];
    const auto corrected = [&](std::uint64_t first, std::uint64_t again, const std::vector<double>& missed,
                               double kept) {
      const double touches = sampled[a].first_touches;
      const std::uint64_t there = may_be_there(first, again, arrays[a], run.sampled);
      return static_cast<double>(there) * (estimated && touches > 0 ? missed[a] / touches : 1) +
             static_cast<double>(first + again - there) * (run.sampled ? 1 - kept : 1);
    };
    const double read = corrected(m.dram_first, m.dram_again, misses.dram, misses.again.either) * scale;
    dram_sectors += read;
    loaded += static_cast<double>(m.dram_first + m.dram_again) * scale;
    // Sectors that are added to are written back as often as they were loaded. A sample would write them whenever one
    // of its slices ends.
    const bool added = estimated && m.dram_first + m.dram_again > 0;
    const double stored = static_cast<double>(m.written_bytes) * scale;
    const double back = added ? std::min(stored, read * sector_size) : stored;
    written -= stored - back;
    may_stay -= added && warm ? stored : stored - back;
    l2_misses += corrected(m.l2_first + m.across, m.l2_again, misses.l2, misses.again.near) * scale;
  }
  s.l2_sectors = static_cast<double>(counts.l2_sectors) * scale;
  s.l2_requests = static_cast<double>(counts.l2_requests) * scale;
  s.l2_loads = static_cast<double>(counts.l2_loads) * scale;
  s.l2_load_hits = std::max(0.0, s.l2_loads - l2_misses);
  s.texture_lookups = static_cast<double>(counts.texture_lookups) * scale;
  s.texture_hits = static_cast<double>(counts.texture_hits) * scale;
  // The correction of all misses also applies to those of the texture cache's loads.
  const double seen = static_cast<double>(counts.l2_loads - counts.l2_load_hits) * scale;
  const double misses_of_texture = static_cast<double>(counts.l2_texture_loads - counts.l2_texture_load_hits) * scale;
  s.l2_texture_loads = static_cast<double>(counts.l2_texture_loads) * scale;
  s.l2_texture_load_hits = std::max(0.0, s.l2_texture_loads - misses_of_texture * (seen > 0 ? l2_misses / seen : 1));
  s.dram_read_bytes = dram_sectors * sector_size;
  // Warm: what stays in L2 of y is written there again and again. Cold: the last sectors that were loaded are still
  // there at the end.
  const double came = dram_sectors + written / sector_size;
  double stays = misses.kept;
  if (!warm && written > 0) stays = std::min(1.0, std::min(l2_sectors / came, l2_dirty * gpu.l2_bytes / written));
  s.dram_write_bytes = written - (estimated ? stays * may_stay : 0);
  // Check bits come with the data that is read and written in the whole grid.
  const double stored = static_cast<double>(counts.dram_written_bytes) * scale;
  const double checked = loaded > 0 ? s.dram_read_bytes / (loaded * sector_size) : 1;
  const double kept = stored > 0 ? s.dram_write_bytes / stored : 1;
  s.dram_read_bytes += static_cast<double>(counts.check_reads) * scale * checked * sector_size;
  s.dram_write_bytes += static_cast<double>(counts.check_writes) * scale * kept * sector_size;
}

void fill_traffic(LaunchSimulation& s, const TrafficTotals& totals, EmulatedProduct& product, double scale) {
  for (std::size_t a = 0; a < totals.arrays.size(); ++a) {
    if (!totals.arrays[a].requests) continue;
    s.arrays.push_back(scaled(product.arrays()[a].name, totals.arrays[a], scale));
    s.requests += s.arrays.back().requests;
    s.sectors += s.arrays.back().sectors;
  }
  // Several sites may share a line. Sites are numbered in the order in which threads reached them; lines are not.
  std::map<std::pair<std::string, int>, TrafficSum> lines;
  for (std::size_t i = 0; i < totals.sites.size(); ++i) {
    const simt::Site& site = product.sites()[i];
    if (totals.sites[i].requests) lines[{site.file, site.line}] += totals.sites[i];
  }
  for (const auto& [line, sum] : lines) {
    s.lines.push_back(scaled(line.first + ":" + std::to_string(line.second), sum, scale));
    for (std::size_t a = 0; a < std::min<std::size_t>(64, product.arrays().size()); ++a)
      if (sum.of_arrays >> a & 1) s.lines.back().arrays.push_back(product.arrays()[a].name);
  }
}

}  // namespace

MemorySystem::ExpectedInL2 shares_in_l2(const LaunchRun& run, const MemoryCounts& counts,
                                        const std::vector<simt::ArrayInfo>& arrays, const GpuSpec& gpu, double scale,
                                        bool warm) {
  const std::vector<SampledArray> sampled = sampled_arrays(counts, run.totals, arrays, scale, warm, run.sampled);
  const WholeMisses misses = misses_in_whole(sampled, l2_sectors_of(gpu), warm, in_one_wave(run.s, gpu));
  MemorySystem::ExpectedInL2 shares;
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const double touches = sampled[a].first_touches;
    shares.first.push_back(touches > 0 ? 1 - misses.dram[a] / touches : 0);
    shares.again.push_back(shared_by_sms(arrays[a].role) ? shares.first.back() : misses.again.either);
  }
  return shares;
}

LaunchSimulation scaled_to_grid(LaunchRun run, EmulatedProduct& product, const GpuSpec& gpu, bool warm,
                                bool estimated) {
  LaunchSimulation& s = run.s;
  static const std::vector<double> none;
  const std::vector<double>& sizes = s.shape.block_sizes ? *s.shape.block_sizes : none;
  const double part =
      s.share * static_cast<double>(s.shape.grid) / static_cast<double>(std::max<std::size_t>(1, run.ran.size()));
  const double scale = run.ran.empty() ? 1 / s.share : scale_by_size(sizes, run.ran, part, s.shape.grid);
  s.l1_lookups = static_cast<double>(run.counts.l1_lookups) * scale;
  s.l1_hits = static_cast<double>(run.counts.l1_hits) * scale;
  s.lane_steps = static_cast<double>(run.totals.lane_steps) * scale;
  s.warp_steps = static_cast<double>(run.totals.warp_steps) * scale;
  for (BlockCost& c : s.costs) c.times = static_cast<double>(s.shape.grid) / static_cast<double>(s.costs.size());
  if (run.ran.size() == s.costs.size()) {
    const std::vector<double> like = like_each(sizes, run.ran, s.shape.grid);
    for (std::size_t i = 0; i < s.costs.size(); ++i) s.costs[i].times = like[i];
  }
  const auto evened = static_cast<double>(run.counts.atomics_evened);
  const double turns = evened > 0 ? static_cast<double>(run.counts.atomics) / evened : 1;
  s.atomic_turns = static_cast<double>(run.counts.atomic_turns) * turns * scale;
  s.swaps_in_a_row = static_cast<double>(run.counts.swaps_in_a_row) * scale;
  fill_dram(run, product.arrays(), gpu, scale, warm, estimated);
  fill_traffic(s, run.totals, product, scale);
  return std::move(s);
}

void add_section(LaunchSimulation& to, const LaunchSimulation& from) {
  add_launch(to, from);
  to.atomic_turns += from.atomic_turns;
  to.swaps_in_a_row += from.swaps_in_a_row;
  for (const LongBlock& l : from.longest) to.longest.push_back({to.shape.grid + l.block, l.waits});
  const auto here = static_cast<double>(to.shape.grid), there = static_cast<double>(from.shape.grid);
  to.share = (to.share * here + from.share * there) / (here + there);
  to.shape.grid += from.shape.grid;
  to.own_sm |= from.own_sm;
  to.warps_of_block = std::max(to.warps_of_block, from.warps_of_block);
  to.blocks.insert(to.blocks.end(), from.blocks.begin(), from.blocks.end());
  to.costs.insert(to.costs.end(), from.costs.begin(), from.costs.end());
}

void add_launch(LaunchSimulation& to, const LaunchSimulation& from) {
  constexpr double LaunchSimulation::* sums[] = {
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
      at->bytes_padding += t.bytes_padding;
      at->active_lanes = at->requests > 0 ? lanes / at->requests : 0;
      for (const std::string& array : t.arrays)
        if (std::find(at->arrays.begin(), at->arrays.end(), array) == at->arrays.end()) at->arrays.push_back(array);
    }
  };
  merge(to.arrays, from.arrays);
  merge(to.lines, from.lines);
}

}  // namespace warpspy
