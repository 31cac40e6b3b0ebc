#include "profiling/simulated/sm_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "profiling/simulated/time_model.hpp"

namespace warpspy {
namespace {

double waits_ns(SmWait wait, const GpuSpec& gpu) {
  Waits one;
  one.l1 = wait == SmWait::l1;
  one.l2 = wait == SmWait::l2;
  one.dram = wait == SmWait::dram;
  return waited_ns(one, gpu);
}

struct Group {
  std::uint32_t requests = 0;
  SmWait wait = SmWait::none;
};

// A warp that has not ended.
struct Going {
  std::vector<Group> groups;
  std::size_t next = 0;
  std::uint32_t inner = 0;  // steps without memory
  double ready_ns = 0;
  bool done() const { return next >= groups.size(); }
};

class Schedule {
 public:
  Schedule(const GpuSpec& gpu, const LaunchShape& shape) : gpu_(gpu) {
    const double rate = issue_rate(gpu);
    axis_.schedulers = std::max(1, static_cast<int>(std::lround(rate)));
    const double instructions = issued_on(shape, gpu).each_step;
    step_ns_ = instructions * axis_.schedulers / rate / gpu.clock_mhz * 1e3;
    constexpr int many = 1000;
    step_alone_ns_ = waited_ns({.instructions = static_cast<std::uint32_t>(many * instructions)}, gpu) / many;
  }

  SmAxis run(const SmLog& log, const WarpPlace& watched) {
    begin(log, watched);
    const auto schedulers = static_cast<std::size_t>(axis_.schedulers);
    for (std::size_t s = 0; s < schedulers; ++s) {
      double free_ns = 0;
      for (std::size_t w; (w = next_of(s, schedulers)) < going_.size();) free_ns = issue(w, free_ns);
    }
    axis_.cut = log.untold > 0;
    sum_up();
    return std::move(axis_);
  }

 private:
  void begin(const SmLog& log, const WarpPlace& watched) {
    for (std::size_t b = 0; b < log.blocks.size(); ++b)
      for (std::uint32_t w = 0; w < log.warps[b]; ++w) {
        if (log.blocks[b] == watched.block && static_cast<int>(w) == watched.warp)
          axis_.watched = static_cast<int>(axis_.warps.size());
        axis_.warps.push_back({log.blocks[b], static_cast<int>(w), {}});
      }
    going_.resize(axis_.warps.size());
    for (std::size_t w = 0; w < going_.size(); ++w) going_[w].inner = log.inner[w];
    for (const LoadGroup& g : log.groups) going_[g.warp].groups.push_back({g.requests, g.wait});
  }

  // Of a scheduler's warps that have not ended, the one that is ready first; if there is none, the number of warps.
  std::size_t next_of(std::size_t scheduler, std::size_t schedulers) const {
    std::size_t first = going_.size();
    for (std::size_t w = scheduler; w < going_.size(); w += schedulers)
      if (!going_[w].done() && (first == going_.size() || going_[w].ready_ns < going_[first].ready_ns)) first = w;
    return first;
  }

  // Returns when the scheduler is free again.
  double issue(std::size_t w, double free_ns) {
    Going& warp = going_[w];
    const Group group = warp.groups[warp.next++];
    const auto left = static_cast<std::uint32_t>(warp.groups.size() - warp.next + 1);
    const std::uint32_t inner = warp.inner / left + (warp.inner % left != 0);
    warp.inner -= inner;
    const double begin = std::max(free_ns, warp.ready_ns);
    const double steps = group.requests + inner;
    const double issued = begin + steps * step_ns_;
    warp.ready_ns = begin + steps * std::max(step_ns_, step_alone_ns_) + waits_ns(group.wait, gpu_);
    const SmWait wait = group.wait == SmWait::none && warp.ready_ns > issued ? SmWait::exchange : group.wait;
    axis_.warps[w].spans.push_back({static_cast<float>(begin), static_cast<float>(issued),
                                    static_cast<float>(warp.ready_ns), group.requests, wait});
    return issued;
  }

  // Spans of time in which some warp issues.
  std::vector<std::pair<double, double>> issuing_but(int warp) const {
    std::vector<std::pair<double, double>> all, joined;
    for (std::size_t w = 0; w < axis_.warps.size(); ++w)
      if (static_cast<int>(w) != warp)
        for (const SmSpan& s : axis_.warps[w].spans)
          all.emplace_back(static_cast<double>(s.begin_ns), static_cast<double>(s.issued_ns));
    std::sort(all.begin(), all.end());
    for (const auto& piece : all) {
      if (!joined.empty() && piece.first <= joined.back().second)
        joined.back().second = std::max(joined.back().second, piece.second);
      else
        joined.push_back(piece);
    }
    return joined;
  }

  void sum_up() {
    for (const SmWarp& w : axis_.warps)
      if (!w.spans.empty()) axis_.end_ns = std::max(axis_.end_ns, static_cast<double>(w.spans.back().end_ns));
    double issuing = 0;
    for (const auto& [from, to] : issuing_but(-1)) issuing += to - from;
    if (axis_.end_ns > 0) axis_.issuing = issuing / axis_.end_ns;
    if (axis_.watched < 0) return;
    const auto others = issuing_but(axis_.watched);
    double waited = 0, covered = 0;
    for (const SmSpan& s : axis_.warps[static_cast<std::size_t>(axis_.watched)].spans) {
      const double from = static_cast<double>(s.issued_ns), to = static_cast<double>(s.end_ns);
      waited += to - from;
      auto at = std::upper_bound(others.begin(), others.end(), std::pair{from, 0.0});
      if (at != others.begin()) --at;
      for (; at != others.end() && at->first < to; ++at)
        covered += std::max(0.0, std::min(to, at->second) - std::max(from, at->first));
    }
    if (waited > 0) axis_.hidden = covered / waited;
  }

  const GpuSpec& gpu_;
  double step_ns_ = 0, step_alone_ns_ = 0;  // time of a step on a scheduler; of a warp that runs alone
  std::vector<Going> going_;
  SmAxis axis_;
};

}  // namespace

SmAxis schedule_of(const SmLog& log, const GpuSpec& gpu, const LaunchShape& shape, const WarpPlace& watched) {
  return Schedule(gpu, shape).run(log, watched);
}

}  // namespace warpspy
