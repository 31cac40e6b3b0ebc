#include "kernels/simt/emulator.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>

#include "core/matrix/types.hpp"
#include "kernels/simt/merge.hpp"
#include "kernels/simt/stack.hpp"

namespace warpspy::simt {
namespace {

using detail::LaneBuffer;
using detail::LaneRecord;
using detail::Meeting;
using detail::Met;

// A lane buffer that grew beyond this is not kept for the next block.
constexpr std::ptrdiff_t kept_records = 1 << 15;

constexpr const char* name_of(Meeting m) {
  constexpr const char* names[] = {"shuffle", "ballot", "warp barrier", "block barrier"};
  return names[static_cast<int>(m)];
}

std::string place(const Where& w) { return std::string(base_name(w.file_name())) + ":" + std::to_string(w.line()); }

// Thrown through a lane that will never be waited for again, so that its stack can serve another.
struct Abandoned {};

// The machine that runs one block; one per host thread, its stacks and buffers recycled.
class Machine {
 public:
  Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() {
    ending_ = true;
    for (Stack& s : stacks_) switch_to(&s);
  }

  void run(Launch& launch, Block block, void (*lane)(const void*, Thread), const void* code, BlockTrace* trace,
           Additions* later) {
    launch_ = &launch;
    block_ = block;
    body_ = lane;
    code_ = code;
    trace_ = trace;
    later_ = later;
    error_ = nullptr;
    sites_.begin(launch.sites);
    shadow_.begin(launch, block.launch, block.number, sites_, !(later && later->dry()));
    const int warps = (block.size + warp_size - 1) / warp_size;
    warps_.assign(static_cast<std::size_t>(warps), {});
    lane_stack_.assign(static_cast<std::size_t>(warps * warp_size), nullptr);
    if (trace_) trace_->block = block.number, trace_->warps.resize(warps_.size());
    for (warp_ = 0; warp_ < warps; ++warp_) start_warp();
    while (!error_ && barrier_complete()) {
      shadow_.pass_block_barrier();
      for (warp_ = 0; warp_ < warps; ++warp_) resume_warp();
    }
    if (error_) abandon();
    if (trace_) trace_->shared_accesses += shadow_.shared_accesses();
    shadow_.end();
  }

  [[gnu::always_inline]] const Met& meet(Meeting kind, std::uint64_t word, const Where& where) {
    LaneBuffer* self = detail::current_lane;
    const int lane = self->lane;
    Met* const said = said_;
    said->words[lane] = word;
    arrive(lane, kind, where);
    stacks_of_warp_[lane] = running_;
    switch_to(next());
    detail::current_lane = self;
    if (error_) [[unlikely]]
      throw Abandoned{};
    return *said;
  }

  static int lane_now() { return detail::current_lane->lane; }
  const Launch& launch() const { return *launch_; }
  const Block& block() const { return block_; }
  Additions* later() const { return later_; }
  std::string thread_text() const {
    return "block " + std::to_string(block_.number) + ", thread " + std::to_string(thread());
  }

  int thread() const { return warp_ * warp_size + lane_now(); }
  Shadow& shadow() { return shadow_; }

  void grow(LaneBuffer& lane) {
    std::vector<LaneRecord>& memory = memory_[&lane - buffers_];
    const auto used = static_cast<std::size_t>(lane.cursor - lane.begin);
    memory.resize(std::max<std::size_t>(256, 2 * memory.size()));
    lane = {memory.data(), memory.data() + used, memory.data() + memory.size(), lane.lane, lane.dry};
  }

 private:
  // What a warp at a block barrier remembers.
  struct Warp {
    std::uint32_t live = 0;
    std::optional<Where> barrier;
  };

  // ---- warps -------------------------------------------------------------------------------------------------------
  void start_warp() {
    if (error_) return;
    stacks_of_warp_ = lane_stack_.data() + warp_ * warp_size;
    count_ = std::min(warp_size, block_.size - warp_ * warp_size);
    fresh_ = 0;
    from_.reset();
    live_ = count_ == warp_size ? ~0u : (1u << count_) - 1;
    released_ = 0;
    if (trace_) {
      WarpTrace& warp = trace_->warps[static_cast<std::size_t>(warp_)];
      warp.accesses.reserve(likely_accesses_);
      warp.addresses.reserve(likely_addresses_);
    }
    begin_warp();
    switch_to(free_stack());
    end_warp();
  }

  void resume_warp() {
    Warp& warp = warps_[static_cast<std::size_t>(warp_)];
    if (error_ || !warp.live) return;
    stacks_of_warp_ = lane_stack_.data() + warp_ * warp_size;
    live_ = released_ = warp.live;
    from_ = warp.barrier;
    begin_warp();
    switch_to(next());
    end_warp();
  }

  void begin_warp() {
    arrived_ = 0;
    shadow_.pass_warp_barrier();
    for (int lane = 0; lane < warp_size; ++lane) {
      const bool dry = later_ && later_->dry();
      if (!trace_) {
        buffers_[lane] = {nullptr, nullptr, nullptr, lane, dry};
        continue;
      }
      std::vector<LaneRecord>& memory = memory_[lane];
      if (memory.empty()) memory.resize(256);
      buffers_[lane] = {memory.data(), memory.data(), memory.data() + memory.size(), lane, dry};
    }
  }

  void end_warp() {
    Warp& warp = warps_[static_cast<std::size_t>(warp_)];
    warp.live = error_ ? arrived_ | released_ : live_;  // those that wait
    warp.barrier = live_ ? std::optional(where_) : std::nullopt;
    if (!trace_) return;
    const WarpTrace& seen = trace_->warps[static_cast<std::size_t>(warp_)];
    likely_accesses_ = seen.accesses.size();
    likely_addresses_ = seen.addresses.size();
    for (std::vector<LaneRecord>& memory : memory_)
      if (static_cast<std::ptrdiff_t>(memory.size()) > kept_records) std::vector<LaneRecord>().swap(memory);
  }

  // True when warps wait at a block barrier, all at the same one.
  bool barrier_complete() {
    const Warp* first = nullptr;
    for (const Warp& warp : warps_) {
      if (!warp.live) continue;
      if (!first) first = &warp;
      if (key_of(*warp.barrier) == key_of(*first->barrier)) continue;
      fail(Error("kernel " + launch_->kernel + ": warp " + std::to_string(first - warps_.data()) + " of block " +
                     std::to_string(block_.number) + " waits at a block barrier that warp " +
                     std::to_string(&warp - warps_.data()) + " never reaches: it waits at " + place(*warp.barrier),
                 place(*first->barrier), "let all threads of the block pass the same barrier"));
      return false;
    }
    return first != nullptr;
  }

  // ---- lanes -------------------------------------------------------------------------------------------------------
  void run_lane(int lane) {
    detail::current_lane = &buffers_[lane];
    try {
      body_(code_, {block_.number, warp_ * warp_size + lane, block_.size});
    } catch (const Abandoned&) {
    } catch (...) {
      error_ = std::current_exception();
    }
    live_ &= ~(1u << lane_now());
  }

  [[gnu::always_inline]] void arrive(int lane, Meeting kind, const Where& where) {
    if (!arrived_) {
      kind_ = kind;
      where_ = where;
    } else if (kind != kind_ || key_of(where) != key_of(where_)) [[unlikely]] {
      elsewhere(lane, kind, where);
    }
    arrived_ |= 1u << lane;
  }
  [[gnu::noinline]] void elsewhere(int lane, Meeting kind, const Where& where) {
    if (error_) return;
    fail(Error("kernel " + launch_->kernel + ": lanes of warp " + std::to_string(warp_) + " (block " +
                   std::to_string(block_.number) + ") wait for ever at a " + name_of(kind_) + " that lane " +
                   std::to_string(lane) + " never reaches: it waits at a " + name_of(kind) + ", " + place(where),
               place(where_), "let all lanes of the warp pass the same " + std::string(name_of(kind_))));
  }

  // The stack to run now: a fresh lane's, a released lane's, or the main one when the warp can go no further.
  [[gnu::always_inline]] Stack* next() {
    if (error_) return &main_;
    if (fresh_ < count_) return free_stack();
    while (!released_)
      if (!meeting_complete()) return &main_;
    const int lane = std::countr_zero(released_);
    released_ &= released_ - 1;
    return stacks_of_warp_[lane];
  }

  // Every lane has arrived or left. True: go on with those that arrived. False: the warp ended or is at a block
  // barrier.
  [[gnu::noinline]] bool meeting_complete() {
    flush();
    if (!live_ || kind_ == Meeting::block_barrier) return false;
    if (trace_) {
      WarpTrace& warp = trace_->warps[static_cast<std::size_t>(warp_)];
      warp.warp_steps += 1;
      warp.lane_steps += static_cast<std::uint64_t>(std::popcount(arrived_));
    }
    if (kind_ == Meeting::warp_barrier) shadow_.pass_warp_barrier();
    from_ = where_;
    said_->lanes = released_ = arrived_;
    if (kind_ == Meeting::ballot) count_votes();
    arrived_ = 0;
    said_ = said_ == both_ ? both_ + 1 : both_;
    return true;
  }

  void count_votes() {
    said_->votes = 0;
    for (std::uint32_t rest = arrived_; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (said_->words[lane]) said_->votes |= 1u << lane;
    }
  }

  void flush() {
    if (!trace_) return;
    // Between two shuffles of a reduction there is often nothing.
    const auto empty = [](const LaneBuffer& b) { return b.cursor == b.begin; };
    if (std::all_of(std::begin(buffers_), std::end(buffers_), empty)) return;
    std::array<LaneRecords, warp_size> records;
    for (int lane = 0; lane < warp_size; ++lane) {
      LaneBuffer& b = buffers_[lane];
      records[static_cast<std::size_t>(lane)] = {b.begin, b.cursor};
      b.cursor = b.begin;
    }
    merge_lanes(records, from_ ? &*from_ : nullptr, sites_, trace_->warps[static_cast<std::size_t>(warp_)]);
  }

  // ---- stacks ------------------------------------------------------------------------------------------------------
  Stack* free_stack() {
    if (free_.empty()) {
      Stack& made = stacks_.emplace_back();
      made.start(stacks_.size(), left_, [this, &made] {
        stack_main(made);
        left_ = &made;
        return running_ = &main_;  // it ends where it was asked to, from the main stack
      });
      return &made;
    }
    Stack* s = free_.back();
    free_.pop_back();
    return s;
  }

  void stack_main(Stack& self) {
    while (!ending_) {
      while (fresh_ < count_ && !error_) run_lane(fresh_++);
      Stack* to = next();
      free_.push_back(&self);
      switch_to(to);
    }
  }

  [[gnu::always_inline]] void switch_to(Stack* to) {
    if (to == running_) return;
    Stack* self = running_;
    left_ = self;
    running_ = to;
    self->switch_to(*to, left_);  // comes back with left_ set by whoever switched here
  }

  void fail(const Error& e) { error_ = std::make_exception_ptr(e); }

  // Ends the lanes that still wait, by an exception of their own, so that their stacks are free again.
  void abandon() {
    for (std::size_t w = 0; w < warps_.size(); ++w)
      for (std::uint32_t rest = warps_[w].live; rest; rest &= rest - 1)
        switch_to(lane_stack_[w * warp_size + static_cast<std::size_t>(std::countr_zero(rest))]);
    arrived_ = 0;
    std::rethrow_exception(std::exchange(error_, nullptr));
  }

  Launch* launch_ = nullptr;
  Block block_;
  void (*body_)(const void*, Thread) = nullptr;
  const void* code_ = nullptr;
  BlockTrace* trace_ = nullptr;
  Additions* later_ = nullptr;
  std::exception_ptr error_;

  int warp_ = 0, count_ = 0, fresh_ = 0;  // of the warp that runs: number, lanes, next lane to start
  std::uint32_t live_ = 0, arrived_ = 0, released_ = 0;
  Meeting kind_ = Meeting::shuffle;
  Where where_;
  std::optional<Where> from_;  // the meeting that the warp passed last
  Met both_[2];                // lanes may arrive at a meeting before all have read the words of the one before
  Met* said_ = both_;

  LaneBuffer buffers_[warp_size];
  std::array<std::vector<LaneRecord>, warp_size> memory_;
  std::size_t likely_accesses_ = 0, likely_addresses_ = 0;  // of the warp before
  std::vector<Warp> warps_;
  SiteCache sites_;
  Shadow shadow_;

  std::deque<Stack> stacks_;
  std::vector<Stack*> free_, lane_stack_;
  Stack** stacks_of_warp_ = nullptr;  // in lane_stack_
  Stack main_;
  Stack* running_ = &main_;
  Stack* left_ = nullptr;  // the one that was running before
  bool ending_ = false;
};

// The machine at work on this host thread; set by run_block.
constinit thread_local Machine* machine_now = nullptr;

}  // namespace

namespace emulated::detail {

constinit thread_local LaneBuffer* current_lane = nullptr;

const Met& meet(Meeting kind, std::uint64_t word, Where where) { return machine_now->meet(kind, word, where); }
void grow(LaneBuffer& lane) { machine_now->grow(lane); }
Shadow::Shared shared_memory(const char* name, std::size_t element_bytes, std::int64_t count, std::int64_t offset) {
  return machine_now->shadow().shared(name, element_bytes, count, offset);
}
void load_shared(SharedCell& cell, const char* name, std::int64_t index, Where where) {
  machine_now->shadow().load_shared(cell, name, index, machine_now->thread(), where);
}
void add_shared(SharedCell& cell, const char* name, std::int64_t index, Where where) {
  machine_now->shadow().add_shared(cell, name, index, machine_now->thread(), where);
}
void store_shared(SharedCell& cell, const char* name, std::int64_t index, Where where) {
  machine_now->shadow().store_shared(cell, name, index, machine_now->thread(), where);
}
void touch(const GlobalAccess& access, const void* begin, const void* end, Where where) {
  if (machine_now->shadow().global(access, machine_now->thread(), where) && machine_now->later())
    machine_now->later()->apply_to(begin, end);
}

template <class T>
void add_now_or_later(T* to, T value) {
  if (Additions* later = machine_now->later())
    later->add(to, value);
  else
    std::atomic_ref<T>(*to).fetch_add(value, std::memory_order_relaxed);
}
void add(float* to, float value) { add_now_or_later(to, value); }
void add(double* to, double value) { add_now_or_later(to, value); }
void add(std::int32_t* to, std::int32_t value) { add_now_or_later(to, value); }

void require_dynamic_shared(const char* name, std::int64_t end_bytes) {
  if (end_bytes <= machine_now->block().shared_bytes) return;
  throw Error("kernel " + machine_now->launch().kernel + ": shared " + name + " ends at byte " +
              std::to_string(end_bytes) + ", and the launch asked for " +
              std::to_string(machine_now->block().shared_bytes));
}
void misaligned(std::uint16_t array, std::int64_t index, int n, Where where) {
  const Launch& launch = machine_now->launch();
  throw Error("kernel " + launch.kernel + " reads " + std::to_string(n) + " elements of " + launch.arrays[array].name +
                  " at once from " + std::to_string(index) + ", which is no multiple of " + std::to_string(n) + " (" +
                  machine_now->thread_text() + ")",
              place(where));
}

void out_of_bounds(std::uint16_t array, const char* what, std::int64_t index, std::int64_t size, Where where) {
  const Launch& launch = machine_now->launch();
  throw Error("kernel " + launch.kernel + " " + what + " " + launch.arrays[array].name + "[" + std::to_string(index) +
                  "], outside its " + std::to_string(size) + " elements (" + machine_now->thread_text() + ")",
              place(where));
}
void out_of_shared(const char* array, const char* what, std::int64_t index, std::int64_t size, Where where) {
  throw Error("kernel " + machine_now->launch().kernel + " " + what + " shared " + array + "[" + std::to_string(index) +
                  "], outside its " + std::to_string(size) + " elements (" + machine_now->thread_text() + ")",
              place(where));
}
void from_absent_lane(int lane, Where where) {
  throw Error("kernel " + machine_now->launch().kernel + " shuffles from lane " + std::to_string(lane) +
                  ", which has left the kernel (" + machine_now->thread_text() + ")",
              place(where));
}

}  // namespace emulated::detail

void Additions::Addition::apply() const {
  if (type == Type::f32)
    *static_cast<float*>(to) += static_cast<float>(value);
  else if (type == Type::f64)
    *static_cast<double*>(to) += value;
  else
    *static_cast<std::int32_t*>(to) += static_cast<std::int32_t>(value);
}

void Additions::apply() {
  if (!dry_)
    for (const Addition& a : list_) a.apply();
  list_.clear();
}

void Additions::apply_to(const void* begin, const void* end) {
  if (dry_) return;
  const std::less<const void*> before;
  std::erase_if(list_, [&](const Addition& a) {
    if (before(a.to, begin) || !before(a.to, end)) return false;
    a.apply();
    return true;
  });
}

void run_block(Launch& launch, Block block, void (*lane)(const void*, Thread), const void* code, BlockTrace* trace,
               Additions* later) {
  static thread_local Machine m;
  machine_now = &m;
  m.run(launch, block, lane, code, trace, later);
}

}  // namespace warpspy::simt
