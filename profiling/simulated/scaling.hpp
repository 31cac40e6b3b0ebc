// Scales the counts of a launch's blocks to the whole grid, and adds launches up to the product.
#pragma once

#include <cstdint>
#include <vector>

#include "profiling/simulated/simulate.hpp"

namespace warpspy {

struct TrafficTotals {
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

// A launch whose blocks have run; its counts are not scaled yet.
struct LaunchRun {
  int launch = 0;
  LaunchSimulation s;
  MemoryCounts counts;
  TrafficTotals totals;
  bool sampled = false;
  std::vector<std::int64_t> ran;  // in a sample, the block of each of s.costs
  double taken = 0;               // work in lane steps that the launch took
};

// The share of a sample's sectors that L2 would have in the whole grid (sampling.hpp). `counts`: the sample's counts;
// `scale`: blocks of the grid / blocks of the sample.
MemorySystem::ExpectedInL2 shares_in_l2(const LaunchRun& run, const MemoryCounts& counts,
                                        const std::vector<simt::ArrayInfo>& arrays, const GpuSpec& gpu, double scale,
                                        bool warm);
// `warm`: the wanted state of the caches; `estimated`: the launch began with empty caches, so what it would have found
// in them is estimated.
LaunchSimulation scaled_to_grid(LaunchRun run, EmulatedProduct& product, const GpuSpec& gpu, bool warm, bool estimated);
// Adds the counts of one section of a launch (blocks that do the same kind of work) to those of its other sections.
void add_section(LaunchSimulation& to, const LaunchSimulation& from);
// Adds the counts of a launch to those of the product.
void add_launch(LaunchSimulation& to, const LaunchSimulation& from);

}  // namespace warpspy
