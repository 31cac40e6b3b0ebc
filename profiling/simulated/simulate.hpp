// Runs a product in the emulator, and sends its memory traffic through the model of a GPU.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/gpu/gpu_spec.hpp"
#include "core/jobs/progress.hpp"
#include "core/run/record.hpp"
#include "kernels/product/product.hpp"
#include "profiling/simulated/memory.hpp"
#include "profiling/simulated/occupancy.hpp"

namespace warpspy {

class WarpWatch;

// The budget of a depth in lane steps. The result depends on it, never on the time that it takes. With `quick`, all
// blocks of most matrices below a million entries run.
constexpr double budget_of(Depth depth) {
  constexpr double steps[] = {8e6, 32e6, 160e6, std::numeric_limits<double>::infinity()};
  return steps[static_cast<int>(depth)];
}

// Tells how much of a product is emulated. It is planned by work, never by the clock, so a modelled number depends only
// on its request, on every machine and under any load. Work is counted in lane steps: one lane's part in one
// instruction (see work_of).
struct SimulateOptions {
  double budget = budget_of(Depth::full);  // lane steps; a sample of the blocks runs if all would take more
  std::int64_t sample_blocks = 0;          // > 0: this many blocks run, whatever work they take (rounded to whole
                                           // slices)
  int sample_warps = 0;  // > 0: only this many warps of each of these blocks run, if the kernel allows it
  int threads = 0;       // 0: all cores; the result does not depend on it
  // warm: L2 holds at the start what the same product has left there. Dirty data stays there at the end; when cold,
  // only up to the share l2_dirty (memory.hpp).
  CacheState cache_state = CacheState::cold;
  WarpWatch* watch = nullptr;  // observes warps (warp_watch.hpp); changes no number
};

// The waits of the longest block, which a sample may have left out.
struct LongBlock {
  std::int64_t block = 0;
  Waits waits;
  bool operator==(const LongBlock&) const = default;
};

// The result for one launch. All counts are scaled to the whole grid.
struct LaunchSimulation {
  LaunchShape shape;
  Occupancy occupancy;
  double share = 1;                  // share of the blocks that ran; share of warps if blocks ran in part
  std::vector<std::int64_t> blocks;  // that ran whole, in order; empty when all of them did
  bool own_sm = false;               // blocks of the sample had an SM each
  int warps_of_block = 0;            // warps that ran, if blocks ran in part
  double requests = 0, sectors = 0;
  double l1_lookups = 0, l1_hits = 0;  // sectors of loads through a cache of the SM
  double l2_sectors = 0, l2_requests = 0, l2_loads = 0, l2_load_hits = 0;
  double texture_lookups = 0, texture_hits = 0;  // of these, those through a separate texture cache
  double l2_texture_loads = 0, l2_texture_load_hits = 0;
  double dram_read_bytes = 0, dram_write_bytes = 0;
  double lane_steps = 0, warp_steps = 0;
  double atomic_turns = 0;         // MemoryCounts
  double swaps_in_a_row = 0;       // MemoryCounts
  std::vector<BlockCost> costs;    // one per block that ran, in order
  std::vector<LongBlock> longest;  // of a sample: of each part the block with the longest segment, alone
  bool has_l2 = true;
  std::vector<Traffic> arrays, lines;  // arrays in the kernel's order; source lines
};

// The result for a product: its launches, and their sums in the fields of LaunchSimulation. shape and occupancy are
// those of the launch with the most blocks; share is that of the blocks of all launches. Costs and facts about samples
// are only in the launches.
struct Simulation : LaunchSimulation {
  bool warm = false;  // whether L2 held at the start what the same product had left there
  std::vector<LaunchSimulation> launches;
};

// Simulates a product. Its launches run one after another with the same L2. Warm is the steady state of many products
// in a row. When all blocks run, the first ones go through the caches again after the last, until they have refilled
// L2; these counts replace their first counts. In a sample, first touches of sectors that the previous product leaves
// in L2 do not count as misses, by the characteristic time that also corrects for its empty caches (sampling.hpp). The
// result does not depend on the number of threads. Throws Cancelled, and the emulator's Error for an access out of
// bounds.
Simulation simulate(EmulatedProduct& product, const GpuSpec& gpu, const SimulateOptions& options, Progress& progress);

}  // namespace warpspy
