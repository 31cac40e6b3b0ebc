#include "profiling/simulated/pilot_sample.hpp"

#include <algorithm>
#include <iterator>

#include "profiling/simulated/coalesce.hpp"
#include "profiling/simulated/sampling.hpp"

namespace warpspy {
namespace {

// A block that takes more than this share of the budget is expensive: hardly a hundred of its kind can run.
constexpr double expensive_share = 0.01;

}  // namespace

std::vector<Launched> Launched::parts() const {
  std::vector<Launched> parts;
  std::vector<std::int64_t> ends = shape.parts;
  ends.push_back(shape.grid);
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    Launched& part = parts.emplace_back(*this);
    part.first = begin;
    part.shape.grid = end - begin;
    part.shape.parts.clear();
    part.shape.longest.clear();
    for (const LongestSegment& l : shape.longest)
      if (l.block >= begin && l.block < end) part.shape.longest.push_back({l.block - begin, l.entries});
    begin = end;
  }
  return parts;
}

BlockStream Launched::run(std::int64_t block, simt::WarpRange part, simt::Additions* later,
                          simt::BlockTrace* kept) const {
  simt::BlockTrace own;
  simt::BlockTrace& trace = kept ? *kept : own;
  trace.block = first + block;
  if (!part.count) {
    product.emulate_block(launch, first + block, &trace, later);
  } else {
    if (!product.emulate_part(launch, first + block, part, &trace, later)) {
      trace.warps.clear();
      product.emulate_block(launch, first + block, &trace, later);
    }
    const double work = work_of(trace);  // of all warps that ran
    trace.warps.erase(trace.warps.begin() + part.first + part.count, trace.warps.end());
    trace.warps.erase(trace.warps.begin(), trace.warps.begin() + part.first);
    BlockStream stream = coalesce(trace, gpu);
    stream.work = work;
    return stream;
  }
  return coalesce(trace, gpu);
}

PilotSample::PilotSample(const Launched& launch, const SimulateOptions& options, double budget)
    : launch_(launch), expensive_(expensive_share * options.budget), left_(budget) {
  constexpr std::int64_t most = 64;
  for (const std::int64_t block : spread_blocks(launch_.shape.grid, most))
    if (!ask(block)) break;
  for (const auto& [block, e] : at_) {
    const auto n = static_cast<double>(at_.size());
    mean_.work += e.work / n;
    mean_.bytes += e.bytes / n;
  }
  mean_.parts = std::all_of(at_.begin(), at_.end(), [](const auto& e) { return e.second.parts; });
  mean_.of_every_part = at_.begin()->second.of_every_part;
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
  simt::Additions never = simt::Additions::dry_run();  // these blocks run again
  const BlockStream stream = launch_.run(block, {}, &never);
  left_ -= stream.work;
  BlockCostEstimate e{stream.work, static_cast<double>(stream.bytes())};
  if (from_one) e.parts = from_one->parts, e.of_every_part = from_one->of_every_part;
  return e;
}

std::optional<BlockCostEstimate> PilotSample::one_warp(std::int64_t block) {
  const int warps = launch_.warps(), warp = warps / 2;
  simt::Additions never = simt::Additions::dry_run();
  simt::BlockTrace trace;
  trace.block = launch_.first + block;
  BlockCostEstimate e;
  e.parts = warps > 1 && launch_.product.emulate_part(launch_.launch, launch_.first + block, {warp, 1}, &trace, &never);
  if (trace.warps.empty()) return {};
  double steps = 0;
  for (const simt::WarpTrace& w : trace.warps) steps += static_cast<double>(w.warp_steps);
  const auto own = static_cast<double>(trace.warps[static_cast<std::size_t>(warp)].warp_steps);
  const double whole = std::max(steps, own * warps);
  const double of_whole = steps > 0 ? whole / steps : 1;
  e.of_every_part = whole > 0 ? (steps - own) / whole : 0;
  const BlockStream stream = coalesce(trace, launch_.gpu);
  left_ -= stream.work;
  e.bytes = static_cast<double>(stream.bytes()) * of_whole;
  e.work = stream.work * of_whole;
  return e;
}

}  // namespace warpspy
