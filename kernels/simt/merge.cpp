#include "kernels/simt/merge.hpp"

#include <algorithm>

namespace warpspy::simt {
namespace {

using detail::LaneRecord;

// The same instruction: the same place and the same array (two accesses of a macro may share a place).
bool same(const LaneRecord& a, const LaneRecord& b) {
  return key_of(a.where) == key_of(b.where) && a.array == b.array && a.op == b.op;
}

// The order of the instructions of one stretch and the loops among them; built only where lanes diverge.
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
  // Loops that contain the instruction, as bits: the outermost lowest.
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
    std::vector<int> last_of(instructions_.size(), -1);  // by first instruction of the loop
    for (LaneRecords lane : lanes) {
      int previous = start ? rank(*start) : -1;
      for (const LaneRecord& r : lane) {
        const int now = rank(r);
        if (now <= previous) last_of[now] = std::max(last_of[now], previous);
        previous = now;
      }
    }
    // A loop that ends inside a later one contains that one whole.
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

// Where one lane stands.
struct Head {
  int rank = 0;
  std::uint32_t loops = 0;
  std::array<std::uint32_t, Order::max_loops> rounds{};
};

// <0, 0, >0: a stands before, with, behind b.
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
    while (live_ && together()) {
    }
    if (live_) apart();
  }

 private:
  // One instruction for all lanes with records left; false (and nothing done) where they stand at different ones.
  bool together() {
    const LaneRecord head = *next_[std::countr_zero(live_)];
    const std::size_t first = warp_.addresses.size();
    warp_.addresses.resize(first + static_cast<std::size_t>(std::popcount(live_)));
    std::uint64_t* out = warp_.addresses.data() + first;
    for (std::uint32_t rest = live_; rest; rest &= rest - 1) {
      const LaneRecord& r = *next_[std::countr_zero(rest)];
      if (!same(r, head)) {
        warp_.addresses.resize(first);
        return false;
      }
      *out++ = r.address;
    }
    issued(head, live_, first);
    for (std::uint32_t rest = live_; rest; rest &= rest - 1) advance(std::countr_zero(rest));
    return true;
  }

  // The rest, once lanes have parted. Their history up to here is the same, so all may count rounds from 0 at the last
  // instruction that they had in common; loops are read from the whole stretch.
  void apart() {
    const LaneRecord* start = has_start_ ? &start_ : nullptr;
    Order order(lanes_, start);
    std::array<Head, warp_size> heads;
    for (std::uint32_t rest = live_; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const LaneRecord* before = next_[lane] == lanes_[lane].data() ? start : next_[lane] - 1;
      if (before) heads[lane].rank = order.rank(*before), heads[lane].loops = order.loops_of(heads[lane].rank);
      step(heads[lane], order, order.rank(*next_[lane]));
    }
    while (live_) {
      const std::uint32_t chosen = earliest(heads);
      const LaneRecord head = *next_[std::countr_zero(chosen)];
      const std::size_t first = warp_.addresses.size();
      for (std::uint32_t rest = chosen; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        warp_.addresses.push_back(next_[lane]->address);
        advance(lane);
        if (live_ >> lane & 1) step(heads[lane], order, order.rank(*next_[lane]));
      }
      issued(head, chosen, first);
    }
  }

  std::uint32_t earliest(const std::array<Head, warp_size>& heads) const {
    int best = std::countr_zero(live_);
    std::uint32_t chosen = 1u << best;
    for (std::uint32_t rest = live_ & (live_ - 1); rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const int order = compare(heads[lane], heads[best]);
      if (order > 0) continue;
      if (order < 0) best = lane, chosen = 0;
      chosen |= 1u << lane;
    }
    return chosen;
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

  void advance(int lane) {
    if (++next_[lane] == end_[lane]) live_ &= ~(1u << lane);
  }

  void issued(const LaneRecord& head, std::uint32_t active, std::size_t first) {
    warp_.accesses.push_back({sites_.id_of(head.where), head.array, head.op, head.policy, head.bytes, active,
                              static_cast<std::uint32_t>(first)});
    warp_.warp_steps += 1;
    warp_.lane_steps += static_cast<std::uint64_t>(std::popcount(active));
  }

  static constexpr std::uint16_t no_array = 0xffff;

  std::span<const LaneRecords> lanes_;
  LaneRecord start_;  // the meeting, as an instruction among the others
  bool has_start_ = false;
  SiteCache& sites_;
  WarpTrace& warp_;
  std::array<const LaneRecord*, warp_size> next_{}, end_{};
  std::uint32_t live_ = 0;
};

}  // namespace

void merge_lanes(std::span<const LaneRecords> lanes, const Where* from, SiteCache& sites, WarpTrace& warp) {
  Merger(lanes, from, sites, warp).run();
}

}  // namespace warpspy::simt
