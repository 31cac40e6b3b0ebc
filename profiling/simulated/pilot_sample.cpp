#include "profiling/simulated/pilot_sample.hpp"

#include <algorithm>
#include <iterator>

#include "profiling/simulated/sampling.hpp"

namespace warpspy {
namespace {

// A block that takes more than this share of the budget is expensive: fewer than a hundred of its kind can run.
constexpr double expensive_share = 0.01;

}  // namespace

PilotSample::PilotSample(const Driver& driver, const Launched& launch, const SimulateOptions& options, double budget)
    : product_(driver.product()),
      gpu_(driver.gpu()),
      launch_(launch),
      expensive_(expensive_share * options.budget),
      left_(budget) {
  constexpr std::int64_t most = 64;
  for (const std::int64_t block : spread_blocks(launch_.shape.grid, most))
    if (!ask(block)) break;
  for (const auto& [block, e] : at_) {
    const auto n = static_cast<double>(at_.size());
    mean_.work += e.work / n;
    mean_.bytes += e.bytes / n;
  }
  mean_.warps_alone = std::all_of(at_.begin(), at_.end(), [](const auto& e) { return e.second.warps_alone; });
  mean_.of_every_warp = at_.begin()->second.of_every_warp;
}

bool PilotSample::ask(std::int64_t block) {
  if (!at_.contains(block)) at_[block] = estimate(block);
  return left_ > 0;
}

double PilotSample::work_at(std::int64_t block) const {
  auto next = at_.lower_bound(block);
  if (next == at_.end() || (next != at_.begin() && block - std::prev(next)->first < next->first - block)) --next;
  return next->second.work;
}

BlockCostEstimate PilotSample::estimate(std::int64_t block) {
  const std::optional<BlockCostEstimate> from_one = one_warp(block);
  if (from_one && from_one->work > expensive_) return *from_one;
  const BlockStream stream = coalesce(try_block(product_, launch_.launch, launch_.first + block), gpu_);
  left_ -= stream.work;
  BlockCostEstimate e{stream.work, static_cast<double>(stream.bytes())};
  if (from_one) e.warps_alone = from_one->warps_alone, e.of_every_warp = from_one->of_every_warp;
  return e;
}

std::optional<BlockCostEstimate> PilotSample::one_warp(std::int64_t block) {
  const int warps = launch_.warps(), warp = warps / 2;
  simt::BlockTrace trace;
  BlockCostEstimate e;
  e.warps_alone = warps > 1 && try_warps(product_, launch_.launch, launch_.first + block, {warp, 1}, trace);
  if (trace.warps.empty()) return {};
  double steps = 0;
  for (const simt::WarpTrace& w : trace.warps) steps += static_cast<double>(w.warp_steps);
  const auto own = static_cast<double>(trace.warps[static_cast<std::size_t>(warp)].warp_steps);
  const double whole = std::max(steps, own * warps);
  const double of_whole = steps > 0 ? whole / steps : 1;
  e.of_every_warp = whole > 0 ? (steps - own) / whole : 0;
  const BlockStream stream = coalesce(trace, gpu_);
  left_ -= stream.work;
  e.bytes = static_cast<double>(stream.bytes()) * of_whole;
  e.work = stream.work * of_whole;
  return e;
}

}  // namespace warpspy
