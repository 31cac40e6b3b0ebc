// The machine behind run_block (emulator.hpp). It runs lanes on their stacks and warps in order, and makes lanes wait
// for each other. Only emulator.cpp includes this file.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/types.hpp"
#include "kernels/simt/convergence.hpp"
#include "kernels/simt/emulator.hpp"
#include "kernels/simt/merge.hpp"
#include "kernels/simt/shared_recorder.hpp"
#include "kernels/simt/stack.hpp"

namespace warpspy::simt {

using detail::Collective;
using detail::CollectiveState;
using detail::Completion;
using detail::LaneBuffer;
using detail::LaneRecord;

// A lane's buffer with more records than this is freed after the block.
inline constexpr std::ptrdiff_t kept_records = 1 << 15;

constexpr const char* name_of(Collective m) {
  constexpr const char* names[] = {"shuffle", "ballot", "warp barrier", "block barrier"};
  return names[static_cast<int>(m)];
}

// A collective's kind and source location in one word, which is never 0. The location is a pointer, which has fewer
// than 56 bits.
constexpr int place_bits = 56;
inline std::uint64_t place_of(Collective kind, const Where& where) {
  return key_of(where) | static_cast<std::uint64_t>(kind) << place_bits;
}
inline Collective kind_of(std::uint64_t place) { return static_cast<Collective>(place >> place_bits); }
inline Where where_of(std::uint64_t place) {
  return std::bit_cast<Where>(static_cast<std::uintptr_t>(place & ((std::uint64_t{1} << place_bits) - 1)));
}

constexpr std::uint32_t up_to(int lane) { return lane == 32 ? ~0u : (1u << lane) - 1; }

inline std::string text_of(const Where& w) {
  return std::string(base_name(w.file_name())) + ":" + std::to_string(w.line());
}

// An exception that ends a lane for which nobody will wait, so that its stack can run another lane.
struct Abandoned {};

// The machine that runs one block. Each host thread has one, and it uses its stacks and buffers again.
class Machine {
 public:
  Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() {
    ending_ = true;
    for (const auto& s : stacks_) switch_to(main_, *s);
  }

  bool run(Launch& launch, Block block, void (*lane)(const void*, Thread), const void* code, BlockTrace* trace,
           Additions* later) {
    launch_ = &launch;
    block_ = block;
    body_ = lane;
    code_ = code;
    trace_ = trace;
    later_ = later;
    error_ = nullptr;
    try {
      return run_warps();
    } catch (...) {
      // After any exception, even if memory ran out, lanes that still wait give their stacks back.
      forget_long_records();
      abandon([](int) { return true; });
      throw;
    }
  }

  [[gnu::always_inline]] void arrive(std::uint64_t place, std::uint64_t word, const Completion* completion) {
    LaneBuffer& self = *detail::current_lane;
    arriving_->words[self.lane] = word;
    if (place == place_ && self.next) [[likely]] {
      detail::current_lane = self.next;
      switch_to(*self.stack, *self.next->stack);
    } else {
      Stack* const stack = self.stack;
      switch_to(*stack, *after(self, place, completion));
    }
  }

  static int lane_now() { return detail::current_lane->lane; }
  const Launch& launch() const { return *launch_; }
  const Block& block() const { return block_; }
  Additions* later() const { return later_; }
  std::string thread_text(int lane = lane_now()) const {
    return "block " + std::to_string(block_.number) + ", thread " + std::to_string(warp_ * warp_size + lane);
  }

  // Records an access to shared memory if there is a ConvergenceLog.
  void note_shared(const char* name, std::int64_t index, Op op, Where where) {
    if (!shared_.asked()) [[likely]]
      return;
    const LaneBuffer& lane = *detail::current_lane;
    shared_.keep(shadow_, name, index, op, where, static_cast<std::uint32_t>(lane.cursor - lane.begin));
  }

  int thread() const { return warp_ * warp_size + lane_now(); }
  Shadow& shadow() { return shadow_; }

  void grow(LaneBuffer& lane) {
    std::vector<LaneRecord>& memory = memory_[lane.lane];
    const auto used = static_cast<std::size_t>(lane.cursor - lane.begin);
    memory.resize(std::max<std::size_t>(256, 2 * memory.size()));
    lane.begin = memory.data();
    lane.cursor = lane.begin + used;
    lane.end = lane.begin + memory.size();
  }

 private:
  // The state of a warp that waits at a block barrier.
  struct Warp {
    std::uint32_t live = 0;
    std::uint32_t awaiting = 0;  // lanes that have not awaited the previous launch
    std::optional<Where> barrier = {};
  };

  bool run_warps() {
    detail::last_collective = completed_;
    sites_.begin(launch_->sites);
    const int warps = (block_.size + warp_size - 1) / warp_size;
    shadow_.begin(*launch_, block_.launch, block_.number, static_cast<std::size_t>(warps * warp_size), sites_,
                  !(later_ && later_->dry()));
    warps_.assign(static_cast<std::size_t>(warps), Warp{.awaiting = block_.awaits ? ~0u : 0u});
    lane_stack_.assign(static_cast<std::size_t>(warps * warp_size), nullptr);
    if (trace_) trace_->block = block_.number, trace_->warps.resize(warps_.size());
    log_ = trace_ ? ConvergenceLog::current() : nullptr;
    if (log_) log_->warps.assign(warps_.size(), {});
    shared_.begin(log_, warps_.size());
    const bool ended = block_.warps.count ? run_some() : run_all();
    if (trace_) tell_shared_accesses();
    forget_long_records();
    shadow_.end();
    return ended;
  }

  bool run_all() {
    start_warps(0, static_cast<int>(warps_.size()));
    while (pass_barrier()) resume_warps();
    return true;
  }

  // Runs only the chosen warps. Whether the kernel has a block barrier is known when they have reached it, or their
  // end.
  bool run_some() {
    const int first = block_.warps.first, end = first + block_.warps.count;
    start_warps(first, end);
    if (!any_waits()) return true;
    start_warps(0, first);
    start_warps(end, static_cast<int>(warps_.size()));
    pass_barrier();
    abandon([&](int warp) { return warp < first || warp >= end; });
    resume_warps();
    if (!any_waits()) return true;
    abandon([](int) { return true; });
    return false;
  }

  bool any_waits() const {
    return std::any_of(warps_.begin(), warps_.end(), [](const Warp& w) { return w.live != 0; });
  }

  // ---- warps -------------------------------------------------------------------------------------------------------
  void start_warps(int first, int end) {
    for (warp_ = first; warp_ < end; ++warp_) start_warp();
    stop_at_error();
  }
  void resume_warps() {
    for (warp_ = 0; warp_ < static_cast<int>(warps_.size()); ++warp_) resume_warp();
    stop_at_error();
  }
  // Returns false if no warp waits at a barrier.
  bool pass_barrier() {
    const bool complete = barrier_complete();
    stop_at_error();
    if (complete) shadow_.pass_block_barrier();
    return complete;
  }

  void start_warp() {
    if (error_) return;
    count_ = std::min(warp_size, block_.size - warp_ * warp_size);
    fresh_ = 0;
    from_.reset();
    live_ = up_to(count_);
    if (trace_) {
      WarpTrace& warp = trace_->warps[static_cast<std::size_t>(warp_)];
      warp.accesses.reserve(likely_accesses_);
      warp.addresses.reserve(likely_addresses_);
    }
    begin_warp();
    switch_to(main_, *free_stack());
    end_warp();
  }

  void resume_warp() {
    Warp& warp = warps_[static_cast<std::size_t>(warp_)];
    if (error_ || !warp.live) return;
    live_ = warp.live;
    from_ = warp.barrier;
    begin_warp();
    link_lanes();
    detail::current_lane = &first_lane();
    switch_to(main_, *detail::current_lane->stack);
    end_warp();
  }

  void begin_warp() {
    place_ = 0;
    shadow_.pass_warp_barrier();
    const bool dry = later_ && later_->dry();
    const std::uint32_t awaiting = warps_[static_cast<std::size_t>(warp_)].awaiting;
    for (int lane = 0; lane < warp_size; ++lane) {
      LaneBuffer& b = lanes_[lane];
      b = {.lane = lane,
           .dry = dry,
           .awaiting = (awaiting >> lane & 1) != 0,
           .stack = lane_stack_[static_cast<std::size_t>(warp_ * warp_size + lane)]};
      if (!trace_) continue;
      std::vector<LaneRecord>& memory = memory_[lane];
      if (memory.empty()) memory.resize(256);
      b.begin = b.cursor = memory.data();
      b.end = b.begin + memory.size();
    }
    linked_ = 0;
  }

  void end_warp() {
    Warp& warp = warps_[static_cast<std::size_t>(warp_)];
    warp.live = live_ & up_to(fresh_);  // the lanes that wait
    warp.barrier = live_ ? std::optional(where_of(place_)) : std::nullopt;
    for (int lane = 0; warp.awaiting && lane < warp_size; ++lane)
      if (!lanes_[lane].awaiting) warp.awaiting &= ~(1u << lane);
    if (!trace_) return;
    const WarpTrace& seen = trace_->warps[static_cast<std::size_t>(warp_)];
    likely_accesses_ = seen.accesses.size();
    likely_addresses_ = seen.addresses.size();
  }

  void forget_long_records() {
    for (std::vector<LaneRecord>& memory : memory_)
      if (static_cast<std::ptrdiff_t>(memory.size()) > kept_records) std::vector<LaneRecord>().swap(memory);
  }

  // Whether all warps wait at the same block barrier.
  bool barrier_complete() {
    const Warp* first = nullptr;
    for (const Warp& warp : warps_) {
      if (!warp.live) continue;
      if (!first) first = &warp;
      if (key_of(*warp.barrier) == key_of(*first->barrier)) continue;
      fail(Error("kernel " + launch_->kernel + ": warp " + std::to_string(first - warps_.data()) + " of block " +
                     std::to_string(block_.number) + " waits at a block barrier that warp " +
                     std::to_string(&warp - warps_.data()) + " never reaches: it waits at " + text_of(*warp.barrier),
                 text_of(*first->barrier), "let all threads of the block pass the same barrier"));
      return false;
    }
    return first != nullptr;
  }

  // ---- lanes -------------------------------------------------------------------------------------------------------
  void run_lane(int lane, Stack& stack) {
    detail::current_lane = &lanes_[lane];
    lanes_[lane].stack = lane_stack_[static_cast<std::size_t>(warp_ * warp_size + lane)] = &stack;
    try {
      body_(code_, {block_.number, warp_ * warp_size + lane, block_.size});
    } catch (const Abandoned&) {
    } catch (...) {
      error_ = std::current_exception();
    }
    live_ &= ~(1u << lane_now());
  }

  // The stack that runs next in rare cases: after the first or the last lane to arrive, while not all lanes of the warp
  // have started, or after a lane that waits at another place than the lanes before it.
  [[gnu::noinline]] Stack* after(LaneBuffer& self, std::uint64_t place, const Completion* completion) {
    if (!place_)
      place_ = place, completion_ = completion;
    else if (place != place_)
      elsewhere(self.lane, place);
    return next();
  }

  [[gnu::noinline]] void elsewhere(int lane, std::uint64_t place) {
    if (error_) return;
    const std::string kind = name_of(kind_of(place_));
    fail(Error("kernel " + launch_->kernel + ": lanes of warp " + std::to_string(warp_) + " (block " +
                   std::to_string(block_.number) + ") wait for ever at a " + kind + " that lane " +
                   std::to_string(lane) + " never reaches: it waits at a " + name_of(kind_of(place)) + ", " +
                   text_of(where_of(place)),
               text_of(where_of(place_)), "let all lanes of the warp pass the same " + kind));
  }

  // The stack that runs next: of a new lane, of a lane that waits, or the main stack if the warp cannot continue.
  Stack* next() {
    if (error_ || abandoning_) return &main_;
    if (fresh_ < count_) return free_stack();
    LaneBuffer* lane = detail::current_lane->next;
    if (!lane) {
      if (!collective_complete()) return &main_;
      link_lanes();
      lane = &first_lane();
    }
    detail::current_lane = lane;
    return lane->stack;
  }

  LaneBuffer& first_lane() { return lanes_[std::countr_zero(live_)]; }

  // Links each lane that has not left to the next such lane.
  void link_lanes() {
    if (linked_ == live_) return;
    linked_ = live_;
    LaneBuffer* after = nullptr;
    for (int lane = warp_size - 1; lane >= 0; --lane) {
      lanes_[lane].next = after;
      if (live_ >> lane & 1) after = &lanes_[lane];
    }
  }

  // Called when every lane has arrived or left. Returns true if the lanes that arrived continue; false if the warp has
  // ended or waits at a block barrier.
  [[gnu::noinline]] bool collective_complete() {
    flush();
    const Collective kind = kind_of(place_);
    if (live_ && kind == Collective::block_barrier) tell_barrier();
    if (!live_ || kind == Collective::block_barrier) return false;
    completed_ = std::exchange(arriving_, completed_);
    detail::last_collective = completed_;
    completed_->lanes = live_;
    int steps = 1;
    if (kind == Collective::warp_barrier) shadow_.pass_warp_barrier();
    if (kind == Collective::ballot) count_votes();
    if (completion_) steps = completion_->run(*completed_, completion_->how);
    if (trace_) {
      WarpTrace& warp = trace_->warps[static_cast<std::size_t>(warp_)];
      warp.warp_steps += static_cast<std::uint64_t>(steps);
      warp.lane_steps += static_cast<std::uint64_t>(steps * std::popcount(live_));
    }
    if (steps > 0) tell_convergence(kind, steps);
    from_ = where_of(place_);
    place_ = 0;
    return true;
  }

  void tell_barrier() {
    tell_convergence(Collective::block_barrier, 0);
    if (!trace_) return;
    WarpTrace& warp = trace_->warps[static_cast<std::size_t>(warp_)];
    warp.barriers.push_back(static_cast<std::uint32_t>(warp.accesses.size()));
  }

  void tell_convergence(Collective kind, int steps) {
    if (!log_) return;
    static_assert(static_cast<int>(Collective::block_barrier) == static_cast<int>(ConvergenceKind::block_barrier));
    const Where where = where_of(place_);
    const auto warp = static_cast<std::size_t>(warp_);
    log_->warps[warp].push_back({.kind = static_cast<ConvergenceKind>(kind),
                                 .steps = static_cast<std::uint16_t>(steps),
                                 .site = {base_name(where.file_name()), static_cast<int>(where.line())},
                                 .lanes = live_,
                                 .accesses = static_cast<std::uint32_t>(trace_->warps[warp].accesses.size())});
  }

  void tell_shared_accesses() {
    const std::vector<std::uint32_t>& of_thread = shadow_.shared_accesses();
    for (std::size_t t = 0; t < of_thread.size(); ++t) {
      std::uint64_t& most = trace_->warps[t / warp_size].shared_steps;
      most = std::max<std::uint64_t>(most, of_thread[t]);
      trace_->shared_accesses += of_thread[t];
    }
    std::vector<std::vector<std::int32_t>>& additions = shadow_.additions();
    for (std::size_t t = 0; t < additions.size(); ++t) {
      if (additions[t].empty()) continue;
      WarpTrace& warp = trace_->warps[t / warp_size];
      warp.shared_additions.resize(warp_size);
      warp.shared_additions[t % warp_size] = std::move(additions[t]);
      warp.addition_bytes = shadow_.addition_bytes();
    }
  }

  void count_votes() {
    completed_->votes = 0;
    for (std::uint32_t rest = live_; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (completed_->words[lane]) completed_->votes |= 1u << lane;
    }
  }

  void flush() {
    if (!trace_) return;
    const auto warp = static_cast<std::size_t>(warp_);
    const std::vector<Access>& accesses = trace_->warps[warp].accesses;
    const std::size_t first = accesses.size();
    flush_records();
    if (shared_.asked()) shared_.flush(warp, accesses, first, from_ ? &*from_ : nullptr, sites_, launch_->sites);
  }

  void flush_records() {
    // Between two shuffles of a reduction there are often no records.
    const auto empty = [](const LaneBuffer& b) { return b.cursor == b.begin; };
    if (std::all_of(std::begin(lanes_), std::end(lanes_), empty)) return;
    std::array<LaneRecords, warp_size> records;
    for (int lane = 0; lane < warp_size; ++lane) {
      LaneBuffer& b = lanes_[lane];
      records[static_cast<std::size_t>(lane)] = {b.begin, b.cursor};
      b.cursor = b.begin;
    }
    merge_lanes(records, from_ ? &*from_ : nullptr, sites_, trace_->warps[static_cast<std::size_t>(warp_)]);
  }

  // ---- stacks ------------------------------------------------------------------------------------------------------
  Stack* free_stack() {
    if (free_.empty()) {
      const std::size_t number = stacks_.size() + 1;
      stacks_.reserve(number), free_.reserve(number);  // so that giving a stack back never allocates memory
      auto made = std::make_unique<Stack>();
      made->start(number, left_, [this, self = made.get()] {
        stack_main(*self);
        left_ = self;
        return &main_;  // the stack ends where the destructor switched to it, on the main stack
      });
      return stacks_.emplace_back(std::move(made)).get();  // only a stack that has started can be ended
    }
    Stack* s = free_.back();
    free_.pop_back();
    return s;
  }

  void stack_main(Stack& self) {
    while (!ending_) {
      while (fresh_ < count_ && !error_) run_lane(fresh_++, self);
      Stack* to = &main_;
      try {
        to = next();
      } catch (...) {  // out of memory for the warp's records; this stack has no other handler
        error_ = std::current_exception();
      }
      free_.push_back(&self);
      switch_to(self, *to);
    }
  }

  [[gnu::always_inline]] void switch_to(Stack& from, Stack& to) {
    if (&from == &to) return;
    left_ = &from;
    from.switch_to(to, left_);  // whoever switches back here has set left_
  }

  void fail(const Error& e) { error_ = std::make_exception_ptr(e); }

  void stop_at_error() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

  // Ends the waiting lanes of these warps by an exception of their own. So their stacks can be used again.
  template <class Which>
  void abandon(const Which& which) {
    detail::last_collective = nullptr;
    abandoning_ = true;
    fresh_ = count_;  // no more lanes start
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      if (!which(static_cast<int>(w))) continue;
      for (std::uint32_t rest = std::exchange(warps_[w].live, 0); rest; rest &= rest - 1)
        switch_to(main_, *lane_stack_[w * warp_size + static_cast<std::size_t>(std::countr_zero(rest))]);
    }
    abandoning_ = false;
    detail::last_collective = completed_;
  }

  Launch* launch_ = nullptr;
  Block block_;
  void (*body_)(const void*, Thread) = nullptr;
  const void* code_ = nullptr;
  BlockTrace* trace_ = nullptr;
  ConvergenceLog* log_ = nullptr;
  Additions* later_ = nullptr;
  std::exception_ptr error_;

  int warp_ = 0, count_ = 0, fresh_ = 0;  // the running warp: its number, its lanes, the next lane to start
  std::uint32_t live_ = 0;                // lanes that have not left the kernel
  std::uint32_t linked_ = 0;              // value of live_ when link_lanes() last ran
  std::uint64_t place_ = 0;               // the collective at which lanes arrive; 0 before the first lane has arrived
  const Completion* completion_ = nullptr;
  std::optional<Where> from_;  // the collective that the warp passed last
  CollectiveState both_[2];    // two states, since lanes may arrive at a collective while others have not read the
                               // words of the previous one
  CollectiveState *arriving_ = both_, *completed_ = both_ + 1;

  LaneBuffer lanes_[warp_size];
  std::array<std::vector<LaneRecord>, warp_size> memory_;
  SharedRecorder shared_;
  std::size_t likely_accesses_ = 0, likely_addresses_ = 0;  // numbers of the previous warp, to reserve memory
  std::vector<Warp> warps_;
  SiteCache sites_;
  Shadow shadow_;

  std::vector<std::unique_ptr<Stack>> stacks_;
  std::vector<Stack*> free_, lane_stack_;
  Stack main_;
  Stack* left_ = nullptr;  // the stack that ran before this one
  bool ending_ = false, abandoning_ = false;
};

}  // namespace warpspy::simt
