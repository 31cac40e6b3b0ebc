#include "profiling/simulated/coalesce.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "profiling/simulated/banks.hpp"

namespace warpspy {
namespace {

// Collects the lines of one request, and finds a line that it already has in constant time.
class LineSet {
 public:
  explicit LineSet(std::vector<LineTouch>& touches) : touches_(touches) {}

  void begin() {
    first_ = static_cast<std::uint32_t>(touches_.size());
    ++stamp_;
  }

  void add(std::uint32_t line, std::uint32_t words) {
    // Neighbouring lanes mostly stay on a line.
    if (touches_.size() > first_ && touches_.back().line == line) {
      touches_.back().words |= words;
      return;
    }
    for (std::uint32_t at = (line * 0x9E3779B1u) >> 25;; at = (at + 1) & 127) {
      if (stamps_[at] != stamp_) {
        stamps_[at] = stamp_;
        slots_[at] = static_cast<std::uint32_t>(touches_.size());
        touches_.push_back({line, words});
        return;
      }
      if (touches_[slots_[at]].line != line) continue;
      touches_[slots_[at]].words |= words;
      return;
    }
  }

 private:
  std::vector<LineTouch>& touches_;
  std::uint32_t first_ = 0, stamp_ = 0;
  std::uint32_t stamps_[128] = {}, slots_[128] = {};  // up to 64 lines: 32 lanes that access two lines each
};

void add_lane(LineSet& lines, std::uint64_t address, std::uint32_t bytes) {
  if ((address + bytes) >> 39) throw Error("the modelled address space ends at 512 GiB", {}, "use a smaller matrix");
  std::uint64_t word = address >> 2;
  const std::uint64_t end = (address + bytes + 3) >> 2;
  while (word < end) {
    const auto in_line = static_cast<std::uint32_t>(word & (words_per_line - 1));
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(end - word, words_per_line - in_line));
    const std::uint32_t mask = count == 32 ? ~0u : ((1u << count) - 1) << in_line;
    lines.add(static_cast<std::uint32_t>(word >> 5), mask);
    word += count;
  }
}

// Adds the accesses of the lanes whose bits are set.
void add_lanes(LineSet& lines, const std::uint64_t* addresses, std::uint32_t which, std::uint32_t bytes) {
  lines.begin();
  for (; which; which &= which - 1) add_lane(lines, addresses[std::countr_zero(which)], bytes);
}

// Atomics: lanes that add to the same element do so in rounds, one lane per element and round. Each round requests its
// sectors anew, as an H200 counts them (docs/validation.md).
void add_rounds(LineSet& lines, const std::uint64_t* addresses, std::uint32_t lanes, std::uint32_t bytes) {
  for (std::uint32_t left = ~0u >> (32 - lanes), later = 0; left; left = later, later = 0) {
    for (std::uint32_t rest = left; rest; rest &= rest - 1) {
      const std::uint32_t lane = rest & -rest;
      for (std::uint32_t before = left & (lane - 1); before; before &= before - 1)
        if (addresses[std::countr_zero(before)] == addresses[std::countr_zero(lane)]) later |= lane;
    }
    add_lanes(lines, addresses, left & ~later, bytes);
  }
}

// For additions by compare-and-swap: the lanes that remain at the beginning of each round. Of the lanes with the same
// element, one succeeds per round.
std::vector<std::uint32_t> rounds_of_swaps(const std::uint64_t* addresses, std::uint32_t lanes) {
  std::vector<std::uint32_t> rounds;
  for (std::uint32_t left = ~0u >> (32 - lanes), later = 0; left; left = later, later = 0) {
    rounds.push_back(left);
    for (std::uint32_t rest = left; rest; rest &= rest - 1) {
      const std::uint32_t lane = rest & -rest;
      for (std::uint32_t before = left & (lane - 1); before; before &= before - 1)
        if (addresses[std::countr_zero(before)] == addresses[std::countr_zero(lane)]) later |= lane;
    }
  }
  return rounds;
}

// The smallest aligned segment of 32, 64 or 128 bytes that contains these words.
std::uint32_t segment_of(std::uint32_t words) {
  const std::uint32_t s = sectors_with(words);
  if (std::popcount(s) == 1) return words_of(s);
  if ((s & 0xCu) == 0) return words_of(0x3u);
  if ((s & 0x3u) == 0) return words_of(0xCu);
  return ~0u;
}

// Before compute capability 1.2: whether each active lane k of a half-warp accesses word k of an aligned segment.
// `active`: lanes of the half-warp.
bool in_lane_order(const std::uint64_t* addresses, std::uint32_t active, std::uint32_t bytes) {
  const auto first = static_cast<std::uint64_t>(std::countr_zero(active));
  const std::uint64_t base = addresses[0] - first * bytes;
  if (base % (16 * bytes) != 0) return false;
  for (std::uint32_t rest = active; rest; rest &= rest - 1)
    if (*addresses++ != base + static_cast<std::uint64_t>(std::countr_zero(rest)) * bytes) return false;
  return true;
}

Path path_of(const simt::Access& a, const GpuSpec& gpu) {
  if (a.op == simt::Op::store) return Path::store;
  if (a.op == simt::Op::atomic) return adds_natively(gpu.compute_capability, a.bytes) ? Path::atomic : Path::swap;
  if (a.op == simt::Op::swap) return Path::swap;
  if (a.op == simt::Op::exchange) return Path::exchange;
  if (a.policy == simt::CachePolicy::no_l1) return Path::l2;
  if (a.policy == simt::CachePolicy::read_only && gpu.texture_bytes_per_sm > 0) return Path::texture;
  return gpu.l1_caches_global || (a.policy == simt::CachePolicy::read_only && gpu.l1_bytes_per_sm > 0) ? Path::l1
                                                                                                       : Path::l2;
}

// Older GPUs ignore what L2 should keep.
simt::CachePolicy heard_by(const GpuSpec& gpu, simt::CachePolicy policy) {
  return simt::is_evict_last(policy) && gpu.compute_capability < keeps_shares_from ? simt::CachePolicy::plain : policy;
}

TrafficSum& sum_at(std::vector<TrafficSum>& sums, std::size_t index) {
  if (sums.size() <= index) sums.resize(index + 1);
  return sums[index];
}

}  // namespace

double work_of(const simt::BlockTrace& trace) {
  // Even a warp without steps costs its start and end.
  constexpr double start_of_warp = 32;
  double work = static_cast<double>(trace.shared_accesses);
  for (const simt::WarpTrace& w : trace.warps) work += static_cast<double>(w.lane_steps) + start_of_warp;
  return work;
}

namespace {

// Of one request.
TrafficSum sum_of(const simt::Access& a, std::uint32_t lanes, std::uint64_t sectors, simt::CachePolicy policy) {
  return {.requests = 1,
          .sectors = sectors,
          .bytes = std::uint64_t{lanes} * a.bytes,
          .lanes = lanes,
          .evict_first = static_cast<double>(sectors) * (1 - kept_by(policy)),
          .of_arrays = a.array < 64 ? std::uint64_t{1} << a.array : 0};
}

}  // namespace

BlockStream coalesce(const simt::BlockTrace& trace, const GpuSpec& gpu) {
  BlockStream out;
  out.block = trace.block;
  out.work = work_of(trace);
  out.warp_begin.push_back(0);
  const bool segments = gpu.coalesce_lanes < 32;
  LineSet lines(out.touches);
  bool behind = false;  // the next request is the first after a barrier

  const bool strict = segments && gpu.compute_capability < 12;
  std::uint32_t half = 0;  // the active lanes of the half-warp
  const auto add_lanes_of = [&](const simt::Access& a, Path path, const std::uint64_t* addresses, std::uint32_t which) {
    const auto first = static_cast<std::uint32_t>(out.touches.size());
    const auto lanes = static_cast<std::uint32_t>(std::popcount(which));
    if (strict && path != Path::texture && !in_lane_order(addresses, half, a.bytes)) {
      for (std::uint32_t rest = which; rest; rest &= rest - 1) add_lanes(lines, addresses, rest & -rest, a.bytes);
    } else if (is_atomic(path) && path != Path::swap && !segments)
      add_rounds(lines, addresses, lanes, a.bytes);
    else
      add_lanes(lines, addresses, which, a.bytes);
    std::uint64_t sectors = 0;
    const simt::CachePolicy policy = heard_by(gpu, a.policy);
    if (path == Path::texture) out.texture_bytes += std::uint64_t{lanes} * a.bytes;
    for (std::size_t t = first; t < out.touches.size(); ++t) {
      std::uint32_t& words = out.touches[t].words;
      if (segments && path != Path::texture) words = segment_of(words);
      sectors += static_cast<std::uint64_t>(std::popcount(sectors_with(words)));
    }
    out.requests.push_back({first, static_cast<std::uint16_t>(out.touches.size() - first),
                            static_cast<std::uint8_t>(a.array), path, true, std::exchange(behind, false), policy});
    const TrafficSum sum = sum_of(a, lanes, sectors, policy);
    sum_at(out.arrays, a.array) += sum;
    sum_at(out.sites, a.site) += sum;
  };
  const auto add_request = [&](const simt::Access& a, const std::uint64_t* addresses, std::uint32_t lanes) {
    const std::uint32_t all = ~0u >> (32 - lanes);
    const Path path = path_of(a, gpu);
    if (path != Path::swap) {
      add_lanes_of(a, path, addresses, all);
      return;
    }
    // First the load of the old value, then rounds until every lane has succeeded. All of it is one step of the trace.
    add_lanes_of(a, Path::l2, addresses, all);
    for (const std::uint32_t left : rounds_of_swaps(addresses, lanes)) {
      out.requests.back().last = false;
      add_lanes_of(a, Path::swap, addresses, left);
      ++out.steps_of_warp.back();
      ++out.warp_steps;
    }
  };

  for (const simt::WarpTrace& warp : trace.warps) {
    out.lane_steps += warp.lane_steps;
    out.warp_steps += warp.warp_steps;
    out.shared_steps += warp.shared_steps;
    const SharedAdditions additions = shared_additions_of(warp, banks_of(gpu));
    out.addition_rounds += additions.rounds;
    out.loops_of_warp.push_back(static_cast<std::uint32_t>(additions.loops));
    out.steps_of_warp.push_back(static_cast<std::uint32_t>(warp.warp_steps + warp.shared_steps));
    auto barrier = warp.barriers.begin();
    for (std::size_t i = 0; i < warp.accesses.size(); ++i) {
      const simt::Access& a = warp.accesses[i];
      behind = barrier != warp.barriers.end() && *barrier == i;
      while (barrier != warp.barriers.end() && *barrier == i) ++barrier;
      const auto lanes = static_cast<std::uint32_t>(std::popcount(a.active));
      const std::uint64_t* at = warp.addresses.data() + a.first;
      if (!segments) {
        if (lanes) add_request(a, at, lanes);
        continue;
      }
      const auto low = static_cast<std::uint32_t>(std::popcount(a.active & 0xFFFFu));
      half = a.active & 0xFFFFu;
      if (low) add_request(a, at, low);
      if (low && low < lanes) out.requests.back().last = false;
      half = a.active >> 16;
      if (low < lanes) add_request(a, at + low, lanes - low);
    }
    out.warp_begin.push_back(static_cast<std::uint32_t>(out.requests.size()));
  }
  return out;
}

}  // namespace warpspy
