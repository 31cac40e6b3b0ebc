#include "profiling/simulated/idle_lanes.hpp"

#include <array>
#include <bit>

namespace warpspy {
namespace {

template <class Visit>
void each_lane(std::uint32_t lanes, Visit&& visit) {
  for (; lanes; lanes &= lanes - 1) visit(std::countr_zero(lanes));
}

// What is known of each step, in a pass from the first step to the last.
struct Seen {
  bool of_entries = false;  // it reads entries of the matrix, or x
  bool reads_slots = false;
  std::uint32_t same_row = 0;  // lanes whose entry is in the same row as the one before, or is their first
  std::uint32_t padding = 0;   // idle lanes that have just read the index of a padding slot
};

class Reasons {
 public:
  Reasons(const std::vector<ArrayUse>& uses, int threads, const LaterLanes& later, WarpTrace& trace)
      : uses_(uses), threads_(threads == 32 ? ~0u : (1u << threads) - 1), later_(later), trace_(trace) {}

  void run() {
    look_forward();
    decide_backward();
  }

 private:
  void look_forward() {
    seen_.resize(trace_.steps.size());
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      const WarpStep& step = trace_.steps[i];
      if (step.array < 0) continue;
      any_access_ |= step.active;
      const ArrayUse& use = uses_[static_cast<std::size_t>(step.array)];
      Seen& seen = seen_[i];
      seen.reads_slots = use.is_slots() && step.op == WarpOp::load;
      seen.of_entries = seen.reads_slots || (use.kind == ArrayUse::Kind::x && step.op == WarpOp::load);
      if (use.kind == ArrayUse::Kind::indices)
        look_at_indices(step);
      else
        in_indices_ = false;
      seen.padding = asked_indices_ & at_padding_ & ~step.active;
      if (seen.reads_slots) look_at_rows(step, seen);
    }
  }

  // Consecutive loads of indices belong together, since an unrolled loop issues several at once.
  void look_at_indices(const WarpStep& step) {
    if (!in_indices_) asked_indices_ = at_padding_ = 0;
    in_indices_ = true;
    asked_indices_ |= step.active;
    const LaneAccess* access = trace_.accesses.data() + step.first_access;
    each_lane(step.active, [&](int lane) { at_padding_ |= std::uint32_t{(access++)->padding} << lane; });
  }

  void look_at_rows(const WarpStep& step, Seen& seen) {
    const LaneAccess* access = trace_.accesses.data() + step.first_access;
    each_lane(step.active, [&](int lane) {
      const index_t row = (access++)->row;
      index_t& before = row_[static_cast<std::size_t>(lane)];
      if (before < 0 || row < 0 || row == before) seen.same_row |= 1u << lane;
      if (row >= 0) before = row;
    });
  }

  void decide_backward() {
    // Lanes that read entries later, and those whose next entry is in the same row.
    std::uint32_t any_later = later_.any, reads_later = later_.reads, goes_on = 0;
    each_lane(later_.reads, [&](int lane) {
      const index_t before = row_[static_cast<std::size_t>(lane)], next = later_.row[static_cast<std::size_t>(lane)];
      if (before < 0 || next < 0 || next == before) goes_on |= 1u << lane;
    });
    for (std::size_t i = trace_.steps.size(); i-- > 0;) {
      WarpStep& step = trace_.steps[i];
      const Seen& seen = seen_[i];
      for (int lane = 0; lane < 32; ++lane) {
        const std::uint32_t bit = 1u << lane;
        LaneState& state = step.lanes[static_cast<std::size_t>(lane)];
        if (step.active & bit)
          state = LaneState::active;
        else if (!(threads_ & bit))
          state = LaneState::no_thread;
        else if (!((any_access_ | later_.accesses) & bit))
          state = LaneState::no_work;
        else if (seen.of_entries)
          state = of_entry(seen, bit, reads_later, goes_on);
        else
          state = any_later & bit ? LaneState::branch : LaneState::left;
      }
      any_later |= step.active;
      if (!seen.reads_slots) continue;
      reads_later |= step.active;
      goes_on = (goes_on & ~step.active) | seen.same_row;
    }
  }

  static LaneState of_entry(const Seen& seen, std::uint32_t bit, std::uint32_t reads_later, std::uint32_t goes_on) {
    if (seen.padding & bit) return LaneState::padding;
    return reads_later & goes_on & bit ? LaneState::later : LaneState::ended;
  }

  const std::vector<ArrayUse>& uses_;
  std::uint32_t threads_;
  LaterLanes later_;
  WarpTrace& trace_;
  std::vector<Seen> seen_;
  std::uint32_t any_access_ = 0;
  std::array<index_t, 32> row_ = [] {
    std::array<index_t, 32> none{};
    none.fill(-1);
    return none;
  }();
  bool in_indices_ = false;
  std::uint32_t asked_indices_ = 0, at_padding_ = 0;
};

}  // namespace

void tell_idle_lanes(const std::vector<ArrayUse>& uses, int threads, const LaterLanes& later, WarpTrace& trace) {
  Reasons(uses, threads, later, trace).run();
}

}  // namespace warpspy
