// From traffic to time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/gpu_spec.hpp"
#include "profiling/simulated/simulate.hpp"

namespace warpspy {

struct Calibration;  // calibration.hpp

// Measured on an H200 (docs/validation.md): lines that an SM can ask of L2 per clock; lines that L1 looks up per
// clock. What a warp issues and how many loads it has in flight are figures of the GPU: compilers differ as well.
constexpr double l2_lines_per_clock = 0.5;
constexpr double l1_lines_per_clock = 4;
// What a launch takes longer where L2 is empty: its instructions and parameters come from DRAM as well. Fitted.
constexpr double cold_launch_us = 0.6;
// What a unit of L2 takes to add to a sector.
constexpr double atomic_turn_ns = 0.8;
// From one compare-and-swap that gets through to the next one at the same element, while others try: fitted to two
// products of M. Steinberger et al., How naive is naive SpMV on the GPU?, HPEC 2016, figure 3 (b), CSC on a GTX 980 Ti
// in f64: ASIC_320k, whose fullest row has 203800 entries, 523.3 ms; poisson3Da, 110 entries, 0.3 ms.
constexpr double swap_ns = 2600;

// Each bound is the time if nothing else limited, in us. What comes from DRAM goes through L2 to the SMs, and what L1
// looks up is what L2 is asked for: of two places on one way the narrower counts. The others overlap, but not wholly:
// total = square root of the sum of their squares + launch, summed over the launches of a product; the bounds are
// summed too. The largest alone is further from what an H200 takes (docs/validation.md).
struct TimeEstimate {
  double dram = 0;      // DRAM bytes / what a long copy reaches
  double l2 = 0;        // bytes between the SMs and L2 / L2 bandwidth
  double requests = 0;  // lines asked of L2 / (l2_lines_per_clock x SMs x clock)
  double l1 = 0;        // bytes SM to L1 / throughput, or lines / l1_lines_per_clock, whichever is more; blocks
                        // dealt to SMs one by one: the slowest SM
  double issue = 0;     // instructions of a block's warps / what an SM issues; dealt to SMs as above
  double compute = 0;   // flops / peak
  double latency = 0;   // every block holds its place on an SM for as long as its longest warp waits (memory.hpp);
                        // blocks are dealt to the places in order: Little's law, with occupancy and load imbalance in
                        // it; at least until the block with the longest row is done
  double atomics = 0;   // turns of atomics at the busiest unit of L2 x atomic_turn_ns; or compare-and-swaps that get
                        // through at one element x swap_ns
  double launch = 0;
  double waves = 0;         // of blocks, of the launch with the most of them
  double block_wait = 0;    // of a block's longest warp, in the mean of the launch where it is most
  double longest_wait = 0;  // of the block that waits longest
  double factor = 1;        // what products like this one took beside what the bounds say (calibration.hpp)
  double total = 0;         // launch + factor x the rest
  // total, if the SMs shared evenly what all blocks take: what uneven blocks and a last wave cost is the difference.
  double even = 0;
  std::string how;  // one line with all of them
};
// `flops` of the whole product, of this kernel. Without calibration samples of the GPU the factor is 1.
TimeEstimate estimate_time(const Simulation& s, const GpuSpec& gpu, Precision precision, double flops,
                           std::string_view kernel = {}, const Calibration* calibration = nullptr);

// Warp instructions per clock and SM, and what a warp issues: as the kernel was compiled for 9.0, or as warps of this
// GPU do.
double issue_rate(const GpuSpec& gpu);
IssuedByWarp issued_on(const LaunchShape& shape, const GpuSpec& gpu);
WarpCode code_of(const LaunchShape& shape, const GpuSpec& gpu);
// That a block's warps issue.
double instructions_of(const BlockCost& block, const LaunchShape& shape, const GpuSpec& gpu);

// Instructions of the warps of a product.
double instructions_of(const Simulation& s, const GpuSpec& gpu);

struct Repeated {
  double cost, times;  // `times` in a row
};
// The time until the last of `costs` is done, when each goes to the server that is free first. Long lists are estimated
// by Graham's bound: sum / servers + the largest cost.
double makespan(const std::vector<Repeated>& costs, int servers);

}  // namespace warpspy
