#include "kernels/simt/emulator.hpp"

#include <deque>
#include <map>
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

  void run(Launch& launch, std::int64_t block, void (*lane)(const void*, Thread), const void* code, BlockTrace* trace) {
    launch_ = &launch;
    block_ = block;
    body_ = lane;
    code_ = code;
    trace_ = trace;
    error_ = nullptr;
    shared_.clear();
    sites_.begin(launch.sites);
    const int warps = (launch.block_size + warp_size - 1) / warp_size;
    warps_.assign(static_cast<std::size_t>(warps), {});
    lane_stack_.assign(static_cast<std::size_t>(warps * warp_size), nullptr);
    if (trace_) trace_->block = block, trace_->warps.resize(warps_.size());
    for (warp_ = 0; warp_ < warps; ++warp_) start_warp();
    while (!error_ && barrier_complete())
      for (warp_ = 0; warp_ < warps; ++warp_) resume_warp();
    if (error_) abandon();
  }

  [[gnu::always_inline]] detail::Met meet(Meeting kind, std::uint64_t word, const Where& where) {
    LaneBuffer* self = detail::current_lane;
    const int lane = lane_now();
    const unsigned parity = parity_;
    words_[parity][lane] = word;
    arrive(lane, kind, where);
    Stack*& waiting = lane_stack_[static_cast<std::size_t>(warp_ * warp_size + lane)];
    waiting = running_;
    switch_to(next());
    waiting = nullptr;
    detail::current_lane = self;
    if (error_) [[unlikely]]
      throw Abandoned{};
    return {words_[parity], came_[parity], lane};
  }

  static int lane_now() { return detail::current_lane->lane; }
  const Launch& launch() const { return *launch_; }
  std::string thread_text() const {
    return "block " + std::to_string(block_) + ", thread " + std::to_string(warp_ * warp_size + lane_now());
  }

  void* shared(const char* name, std::size_t bytes) {
    std::vector<std::uint64_t>& memory = shared_[name];
    if (memory.empty()) memory.assign((bytes + 7) / 8 + 1, ~std::uint64_t{0});  // NaN in f32 and f64
    return memory.data();
  }

  void grow(LaneBuffer& lane) {
    std::vector<LaneRecord>& memory = memory_[&lane - buffers_];
    const auto used = static_cast<std::size_t>(lane.cursor - lane.begin);
    memory.resize(std::max<std::size_t>(256, 2 * memory.size()));
    lane = {memory.data(), memory.data() + used, memory.data() + memory.size(), lane.lane};
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
    count_ = std::min(warp_size, launch_->block_size - warp_ * warp_size);
    fresh_ = 0;
    from_.reset();
    live_ = count_ == warp_size ? ~0u : (1u << count_) - 1;
    begin_warp();
    switch_to(free_stack());
    end_warp();
  }

  void resume_warp() {
    Warp& warp = warps_[static_cast<std::size_t>(warp_)];
    if (error_ || !warp.live) return;
    live_ = released_ = warp.live;
    from_ = warp.barrier;
    begin_warp();
    switch_to(next());
    end_warp();
  }

  void begin_warp() {
    arrived_ = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
      if (!trace_) {
        buffers_[lane] = {nullptr, nullptr, nullptr, lane};
        continue;
      }
      std::vector<LaneRecord>& memory = memory_[lane];
      if (memory.empty()) memory.resize(256);
      buffers_[lane] = {memory.data(), memory.data(), memory.data() + memory.size(), lane};
    }
  }

  void end_warp() {
    Warp& warp = warps_[static_cast<std::size_t>(warp_)];
    warp.live = live_;
    warp.barrier = live_ ? std::optional(where_) : std::nullopt;
    if (!trace_) return;
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
                     std::to_string(block_) + " waits at a block barrier that warp " +
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
      body_(code_, {block_, warp_ * warp_size + lane, launch_->block_size});
    } catch (const Abandoned&) {
    } catch (...) {
      error_ = std::current_exception();
    }
    live_ &= ~(1u << lane_now());
  }

  void arrive(int lane, Meeting kind, const Where& where) {
    if (!arrived_) {
      kind_ = kind;
      where_ = where;
    } else if (kind != kind_ || key_of(where) != key_of(where_)) {
      if (!error_)
        fail(Error("kernel " + launch_->kernel + ": lanes of warp " + std::to_string(warp_) + " (block " +
                       std::to_string(block_) + ") wait for ever at a " + name_of(kind_) + " that lane " +
                       std::to_string(lane) + " never reaches: it waits at a " + name_of(kind) + ", " + place(where),
                   place(where_), "let all lanes of the warp pass the same " + std::string(name_of(kind_))));
    }
    arrived_ |= 1u << lane;
  }

  // The stack to run now: a fresh lane's, a released lane's, or the main one when the warp can go no further.
  [[gnu::always_inline]] Stack* next() {
    if (error_) return &main_;
    if (fresh_ < count_) return free_stack();
    while (!released_)
      if (!meeting_complete()) return &main_;
    const int lane = std::countr_zero(released_);
    released_ &= released_ - 1;
    detail::current_lane = &buffers_[lane];
    return lane_stack_[static_cast<std::size_t>(warp_ * warp_size + lane)];
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
    from_ = where_;
    came_[parity_] = released_ = arrived_;
    arrived_ = 0;
    parity_ ^= 1;
    return true;
  }

  void flush() {
    if (!trace_) return;
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
      made.start(stacks_.size(), [this, &made](boost::context::fiber&& from) {
        made.entered(*left_, std::move(from));
        stack_main(made);
        running_ = std::exchange(left_, &made);
        return running_->leave_for_good();
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
    for (Stack* waiting : std::vector(lane_stack_))
      if (waiting) switch_to(waiting);
    released_ = arrived_ = 0;
    std::rethrow_exception(std::exchange(error_, nullptr));
  }

  Launch* launch_ = nullptr;
  std::int64_t block_ = 0;
  void (*body_)(const void*, Thread) = nullptr;
  const void* code_ = nullptr;
  BlockTrace* trace_ = nullptr;
  std::exception_ptr error_;

  int warp_ = 0, count_ = 0, fresh_ = 0;  // of the warp that runs: number, lanes, next lane to start
  std::uint32_t live_ = 0, arrived_ = 0, released_ = 0;
  Meeting kind_ = Meeting::shuffle;
  Where where_;
  std::optional<Where> from_;  // the meeting that the warp passed last
  unsigned parity_ = 0;        // lanes may arrive at a meeting before all have read the words of the one before
  std::uint64_t words_[2][warp_size] = {};
  std::uint32_t came_[2] = {};

  LaneBuffer buffers_[warp_size];
  std::array<std::vector<LaneRecord>, warp_size> memory_;
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> shared_;
  std::vector<Warp> warps_;
  SiteCache sites_;

  std::deque<Stack> stacks_;
  std::vector<Stack*> free_, lane_stack_;
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

Met meet(Meeting kind, std::uint64_t word, Where where) { return machine_now->meet(kind, word, where); }
void grow(LaneBuffer& lane) { machine_now->grow(lane); }
void* shared_bytes(const char* name, std::size_t bytes) { return machine_now->shared(name, bytes); }

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

void run_block(Launch& launch, std::int64_t block, void (*lane)(const void*, Thread), const void* code,
               BlockTrace* trace) {
  static thread_local Machine m;
  machine_now = &m;
  m.run(launch, block, lane, code, trace);
}

}  // namespace warpspy::simt
