#include "profiling/simulated/warp_steps.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "profiling/simulated/array_uses.hpp"
#include "profiling/simulated/banks.hpp"
#include "profiling/simulated/idle_lanes.hpp"

namespace warpspy {
namespace {

constexpr SectorSource told_as[] = {SectorSource::l1, SectorSource::l2, SectorSource::dram_first,
                                    SectorSource::dram_again};

WarpOp op_of(simt::Op op) { return simt::is_atomic(op) ? WarpOp::atomic : static_cast<WarpOp>(op); }
WarpOp op_of(simt::ConvergenceKind kind) {
  return static_cast<WarpOp>(static_cast<int>(WarpOp::exchange) + static_cast<int>(kind));
}

class Teller {
 public:
  Teller(const BlockRun& block, const LineWatch& lines, const TracedProduct& traced, const GpuSpec& gpu,
         std::size_t most, WarpTrace& to)
      : block_(block),
        lines_(lines),
        warp_(block.trace.warps[static_cast<std::size_t>(to.place.warp)]),
        meetings_(block.convergence_points[static_cast<std::size_t>(to.place.warp)]),
        shared_(block.shared.warps[static_cast<std::size_t>(to.place.warp)]),
        t_(traced),
        gpu_(gpu),
        most_(most),
        to_(to),
        uses_(uses_of(traced.product, traced.format)),
        request_(block.stream.warp_begin[static_cast<std::size_t>(to.place.warp)]) {}

  void run(const Progress& progress) {
    for (const simt::ArrayInfo& a : t_.product.arrays()) to_.arrays.push_back({.name = a.name});
    find_element_sizes();
    for (std::size_t a = 0; a < to_.arrays.size(); ++a) {
      const auto seen = element_sizes_.find(static_cast<std::uint16_t>(a));
      to_.array_places.push_back({uses_[a].base, seen == element_sizes_.end() ? 4 : seen->second});
    }
    to_.shared_accesses = warp_.shared_steps;
    to_.steps_in_all = warp_.accesses.size() + meetings_.size() + shared_.size();
    for (const simt::SharedLog::Array& a : block_.shared.arrays) to_.shared_arrays.push_back(a.name);
    for (std::size_t a = 0; a < warp_.accesses.size(); ++a) {
      tell_between(a);
      if (a % 4096 == 0) progress.check();
      tell(warp_.accesses[a]);
    }
    tell_between(warp_.accesses.size());
    to_.steps.shrink_to_fit(), to_.accesses.shrink_to_fit(), to_.requested.shrink_to_fit();
    for (std::size_t lane = 0; lane < 32; ++lane) add_gap(lane, {}, true);
    find_entries(progress);
    const int launch_threads = t_.product.launches()[static_cast<std::size_t>(to_.place.launch)].block;
    const int threads = std::clamp(launch_threads - 32 * to_.place.warp, 0, 32);
    for (std::size_t lane = 0; lane < 32; ++lane) later_.row[lane] = first_untold_[lane].access.row;
    tell_idle_lanes(uses_, threads, later_, to_);
    add_untold(threads);
    for (WarpStep& s : to_.steps) to_.ledger += ledger_of(s);
    for (std::size_t s = 0; s < to_.lines.size(); ++s) to_.lines[s].name = to_.sites[s].name();
  }

 private:
  // For arrays of unknown element size, uses what a lane requests at least.
  void find_element_sizes() {
    for (const simt::Access& a : warp_.accesses) {
      std::uint64_t& element = element_sizes_[a.array];
      element = element == 0 ? a.bytes : std::min<std::uint64_t>(element, a.bytes);
    }
    for (auto& [array, element] : element_sizes_)
      if (uses_[array].element > 0) element = uses_[array].element;
  }

  std::uint16_t site_of(const simt::Site& site) {
    const auto at = std::find_if(to_.sites.begin(), to_.sites.end(),
                                 [&](const auto& s) { return s.line == site.line && s.file == site.file; });
    if (at != to_.sites.end()) return static_cast<std::uint16_t>(at - to_.sites.begin());
    to_.sites.push_back({site.file, site.line, {}});
    to_.lines.emplace_back();
    return static_cast<std::uint16_t>(to_.sites.size() - 1);
  }

  bool full() const { return to_.steps.size() >= most_; }

  // Steps that are only counted and not stored: those that read entries, those that read x, and all others.
  struct Untold {
    std::uint64_t steps = 0;
    std::array<std::uint64_t, 32> active{};      // of these steps, those in which each lane is active
    std::array<std::uint64_t, 32> idle_until{};  // and those that were idle until their last read
    std::uint64_t idle(std::size_t lane) const { return steps - active[lane]; }
    void mark(std::size_t lane) { idle_until[lane] = idle(lane); }
  };

  // An entry, or the index of one, that a lane reads. Later a walk over all slots finds which entry it is.
  struct Read {
    LaneAccess access{.element = -1};
    std::int16_t array = -1;  // -1: none
  };

  // A lane is idle in counted steps, between two entries that it reads or after the last.
  struct Gap {
    std::size_t lane = 0, before = 0;  // how many of its earlier reads (befores) it had made by then
    Read after;
    bool last = false;
    std::uint64_t idle = 0;
    std::uint64_t skipping = 0;          // until the next indices; a lane whose own were padding skips them
    std::size_t first = 0, indices = 0;  // that it read last, into indices_
  };
  // Each limit is about 25 MB.
  static constexpr std::size_t kMostGaps = std::size_t{1} << 17, kMostBefores = std::size_t{1} << 14;

  // What a lane has read so far.
  struct Reader {
    // All earlier reads, since several slots of padding may follow one another, and padding has no known row. Without
    // padding, only the reads before gaps.
    std::vector<Read> befores;
    Read last;
    std::vector<Read> indices;  // of the consecutive loads in which it took part last
    int row = -1;               // these loads
    bool others_read = false;   // the next ones have begun
    std::uint64_t until = 0;    // how often it was idle when they did
  };

  // Consecutive loads of indices belong together, as in idle_lanes.cpp.
  void note_indices(std::int16_t array) {
    const bool indices = uses_[static_cast<std::size_t>(array)].kind == ArrayUse::Kind::indices;
    if (indices && !in_indices_) {
      ++row_of_loads_;
      for (std::size_t lane = 0; lane < 32; ++lane)
        if (Reader& r = readers_[lane]; !r.others_read) r.others_read = true, r.until = untold_[of_entries].idle(lane);
    }
    in_indices_ = indices;
  }

  void add_gap(std::size_t lane, const Read& after, bool last) {
    Reader& r = readers_[lane];
    const Untold& entries = untold_[of_entries];
    const std::uint64_t idle = entries.idle(lane) - entries.idle_until[lane];
    if (idle == 0) return;
    if (gaps_.size() >= kMostGaps || r.befores.size() >= kMostBefores) {
      if (!last) gaps_left_out_ += idle;
      return;
    }
    if (!has_padding_) r.befores.push_back(r.last);
    const std::uint64_t until = r.others_read ? std::max(r.until, entries.idle_until[lane]) : entries.idle(lane);
    Gap gap{lane, r.befores.size(), after, last, idle, until - entries.idle_until[lane], indices_.size(), 0};
    if (gap.skipping > 0) {
      indices_.insert(indices_.end(), r.indices.begin(), r.indices.end());
      gap.indices = r.indices.size();
    }
    gaps_.push_back(gap);
  }

  // After the step was counted, if it was.
  void read(std::size_t lane, index_t element, std::int16_t array, bool told) {
    const Read now{{.element = element}, array};
    if (!told && (later_.reads >> lane & 1) == 0) first_untold_[lane] = now;
    if (!told) later_.reads |= 1u << lane;
    add_gap(lane, now, false);
    Reader& r = readers_[lane];
    r.last = now;
    if (has_padding_ && r.befores.size() < kMostBefores) r.befores.push_back(now);
    if (uses_[static_cast<std::size_t>(array)].kind == ArrayUse::Kind::indices) {
      if (r.row != row_of_loads_) r.indices.clear(), r.row = row_of_loads_, r.others_read = false;
      r.indices.push_back(now);
    }
    if (!told) untold_[of_entries].mark(lane);
  }

  void count(std::uint32_t active, std::uint64_t times, const ArrayUse* loaded = nullptr) {
    const bool of_entry = loaded && (loaded->is_slots() || loaded->kind == ArrayUse::Kind::x);
    Untold& kind = untold_[of_entry ? of_entries : of_others];
    later_.any |= active;
    kind.steps += times;
    for (; active; active &= active - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(active));
      kind.active[lane] += times;
      untold_[of_others].mark(lane);
    }
  }

  // Counted steps get the same reasons for idle lanes as stored steps; none if there are too many gaps to examine all.
  void add_untold(int threads) {
    std::uint32_t ever = later_.accesses;
    for (const WarpStep& s : to_.steps)
      if (s.array >= 0) ever |= s.active;
    const auto add = [&](LaneState state, std::uint64_t n) { to_.ledger.lanes[static_cast<std::size_t>(state)] += n; };
    for (const Untold& kind : untold_) {
      to_.ledger.instructions += kind.steps;
      const bool entries = &kind == &untold_[of_entries];
      for (int lane = 0; lane < 32; ++lane) {
        const auto l = static_cast<std::size_t>(lane);
        add(LaneState::active, kind.active[l]);
        if (lane >= threads)
          add(LaneState::no_thread, kind.idle(l));
        else if ((ever >> lane & 1) == 0)
          add(LaneState::no_work, kind.idle(l));
        else if (entries)
          add(LaneState::ended, kind.idle(l) - kind.idle_until[l]);
        else
          add(LaneState::left, kind.idle(l) - kind.idle_until[l]), add(LaneState::branch, kind.idle_until[l]);
      }
    }
    for (const Gap& g : gaps_) {
      const auto own = std::span(indices_).subspan(g.first, g.indices);
      const bool skips = std::any_of(own.begin(), own.end(), [](const Read& r) { return r.access.padding; });
      const std::uint64_t padding = skips ? g.skipping : 0;
      add(LaneState::padding, padding);
      const auto befores = std::span(readers_[g.lane].befores).first(g.before) | std::views::reverse;
      const auto known = std::ranges::find_if(befores, [](const Read& r) { return r.access.row >= 0; });
      const index_t before = known == befores.end() ? -1 : (*known).access.row, after = g.after.access.row;
      if (g.last)
        to_.ledger.lanes[static_cast<std::size_t>(LaneState::ended)] -= padding;  // their counts have been added
      else
        add(before < 0 || after < 0 || before == after ? LaneState::later : LaneState::ended, g.idle - padding);
    }
    add(LaneState::unknown, gaps_left_out_);
  }

  // Records collectives and accesses to shared memory that come before a memory instruction.
  void tell_between(std::size_t access) {
    while (true) {
      const bool meets = meeting_ < meetings_.size() && meetings_[meeting_].accesses <= access;
      const bool shares = next_shared_ < shared_.size() && shared_[next_shared_].accesses <= access;
      if (shares && shared_[next_shared_].convergence_points <= meeting_)
        tell(shared_[next_shared_++]);
      else if (meets)
        tell(meetings_[meeting_++]);
      else
        return;
    }
  }

  void tell(const simt::SharedAccess& a) {
    const std::uint16_t site = site_of(a.site);
    if (full()) return count(a.active, 0);
    WarpStep step;
    step.op = a.op == simt::Op::load    ? WarpOp::shared_load
              : a.op == simt::Op::store ? WarpOp::shared_store
                                        : WarpOp::shared_atomic;
    step.site = site;
    step.shared = static_cast<std::int16_t>(a.array);
    step.times = 0;
    step.active = a.active;
    const simt::SharedLog::Array& array = block_.shared.arrays[a.array];
    step.bytes = static_cast<std::uint8_t>(array.element_bytes);
    const std::span elements(block_.shared.elements.data() + a.first,
                             static_cast<std::size_t>(std::popcount(a.active)));
    std::vector<std::int64_t> neighbours(elements.size());
    std::iota(neighbours.begin(), neighbours.end(), 0);
    const int banks = banks_of(gpu_);
    step.wavefronts = bank_wavefronts(elements, a.active, array.element_bytes, a.op == simt::Op::atomic, banks);
    step.ideal_wavefronts = bank_wavefronts(neighbours, a.active, array.element_bytes, false, banks);
    step.first_access = static_cast<std::uint32_t>(to_.accesses.size());
    step.first_line = static_cast<std::uint32_t>(to_.requested.size());
    for (const std::int64_t e : elements) to_.accesses.push_back({.element = e});
    to_.steps.push_back(step);
  }

  void tell(const simt::ConvergencePoint& m) {
    const std::uint16_t site = site_of(m.site);
    if (full()) return count(m.lanes, m.steps);
    WarpStep step;
    step.op = op_of(m.kind);
    step.site = site;
    step.times = m.steps;
    step.active = m.lanes;
    step.first_access = static_cast<std::uint32_t>(to_.accesses.size());
    step.first_line = static_cast<std::uint32_t>(to_.requested.size());
    to_.steps.push_back(step);
  }

  void tell(const simt::Access& a) {
    const bool told = !full();
    WarpStep step;
    step.op = op_of(a.op);
    step.site = site_of(t_.product.sites()[a.site]);
    step.array = static_cast<std::int16_t>(a.array);
    step.bytes = a.bytes;
    step.active = a.active;
    step.used_bytes = used_bytes(a);
    step.first_access = static_cast<std::uint32_t>(to_.accesses.size());
    step.first_line = static_cast<std::uint32_t>(to_.requested.size());
    const bool halves = gpu_.coalesce_lanes < 32 && (a.active & 0xFFFFu) && (a.active >> 16);
    step.requests = halves ? 2 : 1;
    for (int r = 0; r < step.requests; ++r) add_lines(block_.stream.requests[request_++], step);
    const std::uint64_t* address = warp_.addresses.data() + a.first;
    const std::uint64_t base = uses_[a.array].base, element = element_sizes_[a.array];
    const auto element_of = [&](int i) { return static_cast<index_t>((address[i] - base) / element); };
    if (told)
      for (int i = 0; i < std::popcount(a.active); ++i) to_.accesses.push_back({.element = element_of(i)});
    const WarpTraffic traffic = traffic_of(to_, step);
    to_.arrays[a.array] += traffic;
    to_.lines[step.site] += traffic;
    note_indices(step.array);
    if (told) {
      to_.steps.push_back(step);
    } else {
      to_.requested.resize(step.first_line);
      later_.accesses |= a.active;
      count(a.active, 1, a.op == simt::Op::load ? &uses_[a.array] : nullptr);
    }
    if (a.op != simt::Op::load || !uses_[a.array].is_slots()) return;
    int i = 0;
    for (std::uint32_t lanes = a.active; lanes; lanes &= lanes - 1)
      read(static_cast<std::size_t>(std::countr_zero(lanes)), element_of(i++), step.array, told);
  }

  std::uint32_t used_bytes(const simt::Access& a) const {
    const auto first = warp_.addresses.begin() + a.first;
    std::vector<std::uint64_t> at(first, first + std::popcount(a.active));
    std::sort(at.begin(), at.end());
    return static_cast<std::uint32_t>(std::unique(at.begin(), at.end()) - at.begin()) * a.bytes;
  }

  void add_lines(const MemoryRequest& r, WarpStep& step) {
    const bool sent = r.path == Path::store || is_atomic(r.path);
    for (std::uint32_t t = r.first; t < r.first + r.touches; ++t, ++step.lines) {
      const LineTouch& touch = block_.stream.touches[t];
      WarpLine line{
          .line = touch.line, .words = touch.words, .sectors = static_cast<std::uint8_t>(sectors_with(touch.words))};
      for (std::size_t s = 0; s < 4; ++s)
        line.from[s] = sent ? SectorSource::written : told_as[block_.served[t] >> 2 * s & 3];
      if (const auto why = lines_.why_again.find(&block_.served[t]); why != lines_.why_again.end() && came_again(line))
        line.l2_evictor = evictor_of(why->second);
      if (const auto why = lines_.why_l1.find(&block_.served[t]); why != lines_.why_l1.end() && !sent) {
        line.l1_first = why->second.first & line.sectors;
        line.l1_again = why->second.again & line.sectors;
        if (line.l1_again) line.l1_evictor = evictor_of(why->second.by);
      }
      to_.requested.push_back(line);
    }
  }

  static LineEvictor evictor_of(const LineWatch::Evictor& e) {
    if (e.block < 0) return {};
    return {static_cast<std::int16_t>(e.array), e.warp, e.block};
  }

  static bool came_again(const WarpLine& line) {
    for (std::size_t s = 0; s < 4; ++s)
      if ((line.sectors >> s & 1) && line.from[s] == SectorSource::dram_again) return true;
    return false;
  }

  // A walk over all slots finds which entry a slot holds. x has an element per column and y one per row; in a
  // transposed product it is the reverse.
  void find_entries(const Progress& progress) {
    std::vector<std::pair<std::pair<int, index_t>, LaneAccess*>> slots;
    const bool transposed = t_.operation == Operation::transposed_product;
    for (const WarpStep& step : to_.steps) {
      if (step.array < 0) continue;
      const ArrayUse& use = uses_[static_cast<std::size_t>(step.array)];
      const auto lanes = static_cast<std::size_t>(std::popcount(step.active));
      for (std::size_t i = 0; i < lanes; ++i) {
        LaneAccess& access = to_.accesses[step.first_access + i];
        if (use.kind == ArrayUse::Kind::x) (transposed ? access.row : access.column) = access.element;
        if (use.is_slots()) slots.push_back({{use.part, access.element}, &access});
      }
    }
    const auto look_up = [&](Read& r) {
      if (r.array < 0) return;
      slots.push_back({{uses_[static_cast<std::size_t>(r.array)].part, r.access.element}, &r.access});
    };
    for (Gap& g : gaps_) look_up(g.after);
    for (Reader& lane : readers_)
      for (Read& r : lane.befores) look_up(r);
    for (Read& r : indices_) look_up(r);
    for (Read& r : first_untold_) look_up(r);
    if (slots.empty()) return;
    std::sort(slots.begin(), slots.end());
    const std::pair<int, index_t> first = slots.front().first, last = slots.back().first;
    std::size_t next = 0, seen = 0;
    std::pair<int, index_t> before{};
    t_.format.for_each_slot([&](const Slot& slot) {
      if (++seen % 65536 == 0) progress.check();
      const std::pair<int, index_t> here{slot.part, slot.position};
      if (here < first || last < here) return;  // nearly all of them
      // Formats that store half of a matrix do not visit their slots in order.
      if (here < before)
        next = static_cast<std::size_t>(
            std::lower_bound(slots.begin(), slots.end(), here,
                             [](const auto& s, const std::pair<int, index_t>& at) { return s.first < at; }) -
            slots.begin());
      before = here;
      while (next < slots.size() && slots[next].first < here) ++next;
      for (; next < slots.size() && slots[next].first == here; ++next) {
        LaneAccess& access = *slots[next].second;
        if (access.entry || access.padding) continue;  // of two entries in a slot, only the first is shown
        access.entry = !slot.padding();
        access.padding = slot.padding();
        if (access.padding) continue;
        access.row = slot.row, access.column = slot.column, access.value = slot.value;
      }
    });
  }

  const BlockRun& block_;
  const LineWatch& lines_;
  const simt::WarpTrace& warp_;
  const std::vector<simt::ConvergencePoint>& meetings_;
  const std::vector<simt::SharedAccess>& shared_;
  std::size_t meeting_ = 0, next_shared_ = 0;  // numbers of the next collective and access
  const TracedProduct& t_;
  const GpuSpec& gpu_;
  std::size_t most_;
  WarpTrace& to_;
  std::vector<ArrayUse> uses_;
  std::map<std::uint16_t, std::uint64_t> element_sizes_;
  std::uint32_t request_;  // the next one of the warp
  LaterLanes later_;
  std::array<Reader, 32> readers_{};
  std::array<Read, 32> first_untold_{};
  const bool has_padding_ = t_.format.size().padding > 0;
  std::vector<Read> indices_;  // of gaps
  int row_of_loads_ = 0;
  bool in_indices_ = false;
  std::vector<Gap> gaps_;
  std::uint64_t gaps_left_out_ = 0;  // idle lanes in gaps beyond the number that is kept
  static constexpr std::size_t of_entries = 0, of_others = 1;
  std::array<Untold, 2> untold_{};  // instructions that are only counted
};

}  // namespace

void tell_steps(const BlockRun& block, const LineWatch& lines, const TracedProduct& traced, const GpuSpec& gpu,
                std::size_t most, WarpTrace& to, const Progress& progress) {
  Teller(block, lines, traced, gpu, most, to).run(progress);
}

}  // namespace warpspy
