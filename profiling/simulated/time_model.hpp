// Computes the modelled time of a product from its traffic.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/gpu_spec.hpp"
#include "profiling/simulated/simulate.hpp"

namespace warpspy {

struct Calibration;  // calibration.hpp

// Measured on an H200 (docs/validation.md): how many lines an SM can ask of L2 per clock, and how many lines L1 looks
// up per clock.
constexpr double l2_lines_per_clock = 0.5;
constexpr double l1_lines_per_clock = 4;
// Tells how much longer a launch takes with an empty L2, since its instructions and parameters come from DRAM too. The
// number is fitted.
constexpr double cold_launch_us = 0.6;
// Tells how long a unit of L2 takes to add to a sector.
constexpr double atomic_turn_ns = 0.8;
// Tells how many clocks of an SM the banks of shared memory take for a round of additions (banks.hpp). 32 warps of an
// H200 took 3.3 to 4.1 (docs/validation.md).
constexpr double clocks_of_shared_addition = 3.4;
// The time from one successful compare-and-swap to the next at the same element, while other warps try. It is fitted to
// two products of M. Steinberger et al., How naive is naive SpMV on the GPU?, HPEC 2016, figure 3 (b), CSC on a GTX 980
// Ti in f64: ASIC_320k, whose fullest row has 203800 entries, 523.3 ms; poisson3Da, 110 entries, 0.3 ms.
constexpr double swap_ns = 2600;

// Each bound is the time, in us, if only that bound limited. Data from DRAM also goes through L2, and lines that L1
// looks up are also asked of L2. So of DRAM and L2, and of requests and L1, only the larger bound counts. The others
// overlap in part: total = square root of the sum of their squares + launch, summed over the launches of a product.
// Bounds are summed over launches too. The largest bound alone would be further from an H200's times
// (docs/validation.md).
struct TimeEstimate {
  double dram = 0;       // DRAM bytes / what DRAM moves in a long copy
  double l2 = 0;         // bytes between the SMs and L2 / L2 bandwidth
  double requests = 0;   // lines asked of L2 / (l2_lines_per_clock x SMs x clock)
  double l1 = 0;         // bytes SM to L1 / throughput, or lines / l1_lines_per_clock, whichever is more; blocks
                         // dealt to SMs one by one: the slowest SM
  double additions = 0;  // of l1: rounds of additions to shared memory x clocks_of_shared_addition
  double issue = 0;      // instructions of a block's warps / what an SM issues; dealt to SMs as above
  double compute = 0;    // flops / peak
  double latency = 0;    // every block holds its place on an SM for as long as its longest warp waits (memory.hpp);
                         // blocks are dealt to the places in order: Little's law, with occupancy and load imbalance in
                         // it; at least until the block with the longest row is done
  double atomics = 0;    // turns of atomics at the busiest unit of L2 x atomic_turn_ns; or compare-and-swaps that
                         // succeed at one element x swap_ns
  double launch = 0;
  double waves = 0;         // waves of blocks, of the launch with the most
  double block_wait = 0;    // wait of a block's longest warp: the mean of the launch with the longest
  double longest_wait = 0;  // wait of the block that waits longest
  double factor = 1;        // how much longer than the bounds similar products took (calibration.hpp)
  double total = 0;         // launch + factor x the rest
  // Tells what `total` would be if the work of all blocks were shared evenly among SMs. The difference to `total` is
  // the cost of uneven blocks and of the last wave.
  double even = 0;
  std::vector<double> launches = {};  // the total of each launch
  std::string how;                    // one line with all bounds
};
// `flops` of the whole product, of this kernel. Without calibration samples of the GPU the factor is 1.
TimeEstimate estimate_time(const Simulation& s, const GpuSpec& gpu, Precision precision, double flops,
                           std::string_view kernel = {}, const Calibration* calibration = nullptr);

// issue_rate() returns the warp instructions per clock and SM. issued_on() returns the instructions that a warp issues:
// those of the kernel's code for 9.0, or a typical number for this GPU.
double issue_rate(const GpuSpec& gpu);
IssuedByWarp issued_on(const LaunchShape& shape, const GpuSpec& gpu);
WarpCode code_of(const LaunchShape& shape, const GpuSpec& gpu);
// The instructions that a block's warps issue.
double instructions_of(const BlockCost& block, const LaunchShape& shape, const GpuSpec& gpu);

// Instructions of the warps of a product.
double instructions_of(const Simulation& s, const GpuSpec& gpu);

struct Repeated {
  double cost, times;  // `times` in a row
};
// The time until all `costs` are done, if each goes to the server (such as an SM) that is free first. Long lists are
// estimated by Graham's bound: sum / servers + the largest cost.
double makespan(const std::vector<Repeated>& costs, int servers);

}  // namespace warpspy
