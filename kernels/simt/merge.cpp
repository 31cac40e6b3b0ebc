#include "kernels/simt/merge.hpp"

#include <algorithm>

namespace warpspy::simt {
namespace {

using detail::LaneRecord;

// The same instruction has the same place and the same array (two accesses of a macro may share a place).
bool same(const LaneRecord& a, const LaneRecord& b) {
  return key_of(a.where) == key_of(b.where) && a.array == b.array && a.op == b.op;
}

// The order of the instructions between two collectives, and the loops among them. It is only built if lanes diverge.
class Order {
 public:
  static constexpr std::size_t max_loops = 32;

  Order(std::span<const LaneRecords> lanes, const LaneRecord* start) {
    number_instructions(lanes, start);
    find_loops(lanes, start);
  }

  int rank(const LaneRecord& r) {
    Slot& slot = cache_[(key_of(r.where) >> 3) % cache_.size()];
    if (slot.record && same(*slot.record, r)) return slot.rank;
    const auto at = std::find_if(instructions_.begin(), instructions_.end(), [&](auto* i) { return same(*i, r); });
    slot = {&r, static_cast<int>(at - instructions_.begin())};
    return slot.rank;
  }
  // The loops that contain the instruction, as bits: the outermost is the lowest bit.
  std::uint32_t loops_of(int rank) const { return member_[static_cast<std::size_t>(rank)]; }
  // Loops strictly inside loop `l`.
  std::uint32_t inside(int l) const { return inside_[static_cast<std::size_t>(l)]; }

 private:
  struct Slot {
    const LaneRecord* record = nullptr;
    int rank = 0;
  };
  struct Loop {
    int first, last;
  };

  void number_instructions(std::span<const LaneRecords> lanes, const LaneRecord* start) {
    if (start) instructions_.push_back(start);
    for (LaneRecords lane : lanes) {
      for (const LaneRecord& r : lane) {
        Slot& slot = cache_[(key_of(r.where) >> 3) % cache_.size()];
        if (slot.record && same(*slot.record, r)) continue;
        slot.record = &r;
        if (std::none_of(instructions_.begin(), instructions_.end(), [&](auto* i) { return same(*i, r); }))
          instructions_.push_back(&r);
      }
    }
    cache_.fill({});
    std::stable_sort(instructions_.begin(), instructions_.end(),
                     [](auto* a, auto* b) { return a->where.line() < b->where.line(); });
  }

  void find_loops(std::span<const LaneRecords> lanes, const LaneRecord* start) {
    std::vector<int> last_of(instructions_.size(), -1);  // for each loop, by its first instruction
    for (LaneRecords lane : lanes) {
      int previous = start ? rank(*start) : -1;
      for (const LaneRecord& r : lane) {
        const int now = rank(r);
        if (now <= previous) last_of[now] = std::max(last_of[now], previous);
        previous = now;
      }
    }
    // A loop that ends inside a later loop contains that loop as a whole.
    for (std::size_t first = last_of.size(); first-- > 0;)
      for (int inner = static_cast<int>(first) + 1; inner <= last_of[first]; ++inner)
        last_of[first] = std::max(last_of[first], last_of[inner]);
    std::vector<Loop> loops;
    for (std::size_t first = 0; first < last_of.size() && loops.size() < max_loops; ++first)
      if (last_of[first] >= 0) loops.push_back({static_cast<int>(first), last_of[first]});
    member_.assign(instructions_.size(), 0);
    inside_.assign(loops.size(), 0);
    for (std::size_t l = 0; l < loops.size(); ++l) {
      for (int i = loops[l].first; i <= loops[l].last; ++i) member_[i] |= 1u << l;
      for (std::size_t m = l + 1; m < loops.size() && loops[m].first <= loops[l].last; ++m) inside_[l] |= 1u << m;
    }
  }

  std::vector<const LaneRecord*> instructions_;  // in order
  std::vector<std::uint32_t> member_, inside_;
  std::array<Slot, 64> cache_{};
};

// The position of one lane.
struct Head {
  int rank = 0;
  std::uint32_t loops = 0;
  std::array<std::uint32_t, Order::max_loops> rounds{};
};

// <0, 0, >0: a is before, at, after b.
int compare(const Head& a, const Head& b) {
  for (std::uint32_t common = a.loops & b.loops; common; common &= common - 1) {
    const int l = std::countr_zero(common);
    if (a.rounds[l] != b.rounds[l]) return a.rounds[l] < b.rounds[l] ? -1 : 1;
  }
  return a.rank - b.rank;
}

class Merger {
 public:
  Merger(std::span<const LaneRecords> lanes, const Where* from, SiteCache& sites, WarpTrace& warp)
      : lanes_(lanes), sites_(sites), warp_(warp) {
    if (from) start_ = {.where = *from, .array = no_array}, has_start_ = true;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      next_[lane] = lanes_[lane].data();
      end_[lane] = next_[lane] + lanes_[lane].size();
      if (!lanes_[lane].empty()) live_ |= 1u << lane;
    }
  }

  void run() {
    merge_convergent();
    if (live_) merge_divergent();
  }

 private:
  // Lanes at the same position.
  struct Group {
    std::uint32_t lanes;
    Head head;
  };

  // Merges the instructions that all lanes with records left have in common, up to the first where they differ. It
  // compares a few at a time, lane after lane, since a lane's records are neighbours in memory.
  void merge_convergent() {
    constexpr std::ptrdiff_t most = 16;
    std::array<std::uint64_t, most * warp_size> addresses;
    while (live_) {
      const LaneRecord* const head = next_[std::countr_zero(live_)];
      const int lanes = std::popcount(live_);
      std::ptrdiff_t common = most;
      std::uint64_t* out = addresses.data();
      for (std::uint32_t rest = live_; rest; rest &= rest - 1, ++out) {
        const int lane = std::countr_zero(rest);
        const LaneRecord* const own = next_[lane];
        common = std::min(common, end_[lane] - own);
        std::ptrdiff_t i = 0;
        for (; i < common && same(own[i], head[i]); ++i) out[i * lanes] = own[i].address;
        common = i;
      }
      if (common == 0) return;
      const std::size_t first = warp_.addresses.size();
      warp_.addresses.insert(warp_.addresses.end(), addresses.data(), addresses.data() + common * lanes);
      for (std::ptrdiff_t i = 0; i < common; ++i) issued(head[i], live_, first + static_cast<std::size_t>(i * lanes));
      advance(live_, common);
    }
  }

  // Merges the rest after lanes have diverged. Their history so far is the same, so all count rounds from 0 at the last
  // common instruction. Loops are found in the whole stretch.
  void merge_divergent() {
    const LaneRecord* start = has_start_ ? &start_ : nullptr;
    Order order(lanes_, start);
    Group all{live_, {}};
    const auto lane = static_cast<std::size_t>(std::countr_zero(live_));
    const LaneRecord* before = next_[lane] == lanes_[lane].data() ? start : next_[lane] - 1;
    if (before) all.head.rank = order.rank(*before), all.head.loops = order.loops_of(all.head.rank);
    groups_.reserve(warp_size);
    groups_.push_back(all);
    part(0, order);
    while (!groups_.empty()) {
      const std::size_t best = earliest();
      const std::uint32_t chosen = groups_[best].lanes;
      const LaneRecord head = *next_[std::countr_zero(chosen)];
      const std::size_t first = warp_.addresses.size();
      for (std::uint32_t rest = chosen; rest; rest &= rest - 1)
        warp_.addresses.push_back(next_[std::countr_zero(rest)]->address);
      issued(head, chosen, first);
      advance(chosen, 1);
      groups_[best].lanes &= live_;
      if (groups_[best].lanes)
        part(best, order);
      else
        remove(best);
    }
  }

  // Returns the group that is earliest; groups at the same position join it.
  std::size_t earliest() {
    std::size_t best = 0;
    for (std::size_t g = 1; g < groups_.size();) {
      const int order = compare(groups_[g].head, groups_[best].head);
      if (order == 0) {
        groups_[best].lanes |= groups_[g].lanes;
        remove(g);
        continue;
      }
      if (order < 0) best = g;
      ++g;
    }
    return best;
  }

  // The group's lanes advance to their next records. Lanes that continue elsewhere than the first lane become new
  // groups.
  void part(std::size_t group, Order& order) {
    std::uint32_t rest = groups_[group].lanes;
    const LaneRecord& to = *next_[std::countr_zero(rest)];
    const std::uint32_t with_first = lanes_at(to, rest);
    for (rest &= ~with_first; rest;) {
      const LaneRecord& elsewhere = *next_[std::countr_zero(rest)];
      Group parted{lanes_at(elsewhere, rest), groups_[group].head};
      step(parted.head, order, order.rank(elsewhere));
      rest &= ~parted.lanes;
      groups_.push_back(parted);
    }
    groups_[group].lanes = with_first;
    step(groups_[group].head, order, order.rank(to));
  }

  // The lanes whose next record is this instruction.
  std::uint32_t lanes_at(const LaneRecord& instruction, std::uint32_t lanes) const {
    std::uint32_t there = 0;
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      there |= std::uint32_t{same(*next_[lane], instruction)} << lane;
    }
    return there;
  }

  void remove(std::size_t group) {
    groups_[group] = groups_.back();
    groups_.pop_back();
  }

  static void step(Head& head, const Order& order, int to) {
    const std::uint32_t loops = order.loops_of(to);
    const std::uint32_t common = loops & head.loops;
    if (to <= head.rank && common) {
      const int innermost = 31 - std::countl_zero(common);
      ++head.rounds[innermost];
      for (std::uint32_t in = order.inside(innermost); in; in &= in - 1) head.rounds[std::countr_zero(in)] = 0;
    }
    head.rank = to;
    head.loops = loops;
  }

  void advance(std::uint32_t lanes, std::ptrdiff_t records) {
    for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      next_[lane] += records;
      if (next_[lane] == end_[lane]) live_ &= ~(1u << lane);
    }
  }

  void issued(const LaneRecord& head, std::uint32_t active, std::size_t first) {
    warp_.accesses.push_back({sites_.id_of(head.where), head.array, head.op, head.policy, head.bytes, active,
                              static_cast<std::uint32_t>(first)});
    warp_.warp_steps += 1;
    warp_.lane_steps += static_cast<std::uint64_t>(std::popcount(active));
  }

  static constexpr std::uint16_t no_array = 0xffff;

  std::span<const LaneRecords> lanes_;
  LaneRecord start_;  // the collective, as an instruction among the others
  bool has_start_ = false;
  SiteCache& sites_;
  WarpTrace& warp_;
  std::array<const LaneRecord*, warp_size> next_, end_;  // for lanes that have records
  std::uint32_t live_ = 0;
  std::vector<Group> groups_;
};

}  // namespace

void merge_lanes(std::span<const LaneRecords> lanes, const Where* from, SiteCache& sites, WarpTrace& warp) {
  Merger(lanes, from, sites, warp).run();
}

}  // namespace warpspy::simt
