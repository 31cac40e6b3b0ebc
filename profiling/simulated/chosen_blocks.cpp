#include "profiling/simulated/chosen_blocks.hpp"

#include <algorithm>

namespace warpspy {
namespace {

// A sample of expensive blocks has so many places in the grid, if the kernel can run some warps of a block.
constexpr std::int64_t places_of_warps = 16;
// The blocks of an SM share its L1, so they run together, however expensive they are. The sample has so many places,
// and may take so many times the budget for that.
constexpr std::int64_t fewest_places = 4;
constexpr double more_at_most = 2;
// A sample of most blocks saves little and still has an error. So all blocks run if they take at most so many times the
// budget.
constexpr double all_at_most = 1.5;

// In a grid larger than a wave, a new block starts where another one ends: on another SM in every product.
std::uint32_t dealt_of(const Grid& grid, std::int64_t wave) {
  return grid.waves() > 1 ? static_cast<std::uint32_t>(wave) + 1 : 0;
}

std::vector<BlockBatch> batches(const Grid& grid, const std::vector<Slice>& slices) {
  std::vector<BlockBatch> all;
  for (const Slice& s : slices) all.push_back({grid.blocks_of(s), s.first_sm, dealt_of(grid, s.wave), {}});
  return all;
}

// `n` blocks that have an SM each. If only some warps run, they are others in every block. If that would be all blocks,
// one is left out, so that this remains a sample and says so.
ChosenBlocks blocks_on_own_sms(const Grid& grid, std::int64_t n, int warps_of_block, int warps) {
  ChosenBlocks chosen;
  chosen.sampled = chosen.own_sm = true;
  constexpr double step = 0.7548776662466927;  // not in step with the blocks' own distances
  if (warps_of_block >= warps) n = std::min(n, std::max<std::int64_t>(1, grid.blocks - 1));
  const std::vector<std::int64_t> blocks = spread_blocks(grid.blocks, n);
  const auto firsts = spread(warps - warps_of_block + 1, static_cast<std::int64_t>(blocks.size()), step);
  if (warps_of_block < warps) chosen.warps_of_block = warps_of_block;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    chosen.batches.push_back({{{blocks[i]}},
                              grid.sm_of(blocks[i]),
                              dealt_of(grid, blocks[i] / grid.wave()),
                              {static_cast<int>(firsts[i]), chosen.warps_of_block}});
  return chosen;
}

// For blocks so expensive that not even those of one SM can run: each runs alone on its SM, at as many places as the
// budget allows. Some warps of each run if that gives more places. The cost is a rough estimate, so more blocks are
// listed than expected; the budget ends the list.
ChosenBlocks choose_blocks_alone(const Launched& launch, const Grid& grid, const BlockCostEstimate& estimate,
                                 double wanted) {
  const int warps = launch.warps();
  const auto on_own_sms = [&](double places, int warps_of_block) {
    constexpr double more = 3, fewest = 2;
    return blocks_on_own_sms(grid, static_cast<std::int64_t>(more * std::max(fewest, places)), warps_of_block, warps);
  };
  const double places = static_cast<double>(std::min(places_of_warps, grid.blocks));
  if (wanted >= places || !estimate.warps_alone || estimate.of_every_warp > 0.5)
    return wanted < 1.5 ? blocks_on_own_sms(grid, 1, warps, warps) : on_own_sms(wanted, warps);
  const double of_a_warp = (1 - estimate.of_every_warp) / warps;
  const double each = (wanted / places - estimate.of_every_warp) / of_a_warp;
  if (each >= 1) return on_own_sms(places, std::min(warps, static_cast<int>(each)));
  return on_own_sms(wanted / (estimate.of_every_warp + of_a_warp), 1);
}

// A sample of slices that takes `budget`, or all blocks if the slices contain them all.
ChosenBlocks choose_slices(const Grid& grid, const std::vector<Slice>& slices, const std::vector<Slice>& all,
                           double budget) {
  ChosenBlocks chosen{batches(grid, slices)};
  chosen.sampled = true;
  chosen.budget = budget;
  chosen.all_blocks = blocks_of(chosen.batches) == grid.blocks;
  if (chosen.all_blocks) chosen.batches = batches(grid, all);
  return chosen;
}

// Reduces the number of SMs in slices whose blocks are so expensive that they would exceed `budget`.
void shrink(std::vector<Slice>& slices, const Grid& grid, PilotSample& pilot, double budget, double cost_factor) {
  double work = 0;
  for (const Slice& s : slices) {
    const auto blocks = grid.blocks_of(s);
    const auto& middle = blocks[blocks.size() / 2];
    for (const std::size_t quarter : {1, 3})
      if (!middle.empty()) pilot.ask(middle[middle.size() * quarter / 4]);
    for (const auto& sm : blocks)
      for (const std::int64_t block : sm) work += pilot.work_at(block) * cost_factor;
  }
  constexpr double far_more = 1.25;
  if (work <= far_more * budget) return;
  for (Slice& s : slices) {
    const int sms = std::max(1, static_cast<int>(s.sms * budget / work));
    s.first_sm += (s.sms - sms) / 2;
    s.sms = sms;
  }
}

}  // namespace

bool all_fit(const Grid& grid, const PilotSample& pilot, const SimulateOptions& options, double budget,
             double cost_factor) {
  if (options.sample_blocks > 0) return options.sample_blocks >= grid.blocks;
  return pilot.mean().work * cost_factor * static_cast<double>(grid.blocks) <= all_at_most * budget;
}

ChosenBlocks choose_blocks(const Launched& launch, const Grid& grid, PilotSample& pilot, const SimulateOptions& options,
                           const GpuSpec& gpu, double budget, double cost_factor) {
  const BlockCostEstimate& estimate = pilot.mean();
  const bool planned = options.sample_blocks <= 0;
  const double each = estimate.work * cost_factor;
  const auto fitting = static_cast<int>(stream_limit_bytes / std::max(1.0, estimate.bytes * grid.resident));
  const std::vector<Slice> all = all_slices(grid, std::clamp(fitting, 1, grid.sms));
  if (all_fit(grid, pilot, options, budget, cost_factor))
    return {.batches = batches(grid, all), .budget = all_at_most * budget};
  if (options.sample_warps > 0) {
    const int warps = launch.warps();
    return blocks_on_own_sms(grid, options.sample_blocks,
                             estimate.warps_alone ? std::min(options.sample_warps, warps) : warps, warps);
  }
  const double wanted = planned_share * budget / each;
  if (planned && pilot.expensive()) {
    // Of two neighbouring SMs each asks another partition of L2.
    const std::int64_t neighbours = std::min<std::int64_t>(gpu.l2_partitions, grid.busy_sms());
    const double of_sm = each * static_cast<double>(grid.blocks_of_sm());
    const double fewest = static_cast<double>(std::min(fewest_places * neighbours, grid.busy_sms()));
    const double sms = std::min(std::max(fewest, wanted * each / of_sm), more_at_most * budget / of_sm);
    if (sms < static_cast<double>(neighbours)) {
      ChosenBlocks chosen = choose_blocks_alone(launch, grid, estimate, wanted);
      chosen.budget = budget;
      return chosen;
    }
    const auto blocks = static_cast<std::int64_t>(sms) * grid.blocks_of_sm();
    // The estimate of their cost is rough.
    constexpr double off = 2;
    return choose_slices(grid, sample_slices(grid, blocks, neighbours), all,
                         std::clamp(off * sms * of_sm, budget, more_at_most * budget));
  }
  std::vector<Slice> slices = sample_slices(grid, planned ? static_cast<std::int64_t>(wanted) : options.sample_blocks);
  if (planned) shrink(slices, grid, pilot, planned_share * budget, cost_factor);
  return choose_slices(grid, slices, all, budget);
}

}  // namespace warpspy
