// The host compiler's version of simt.hpp. It says what one emulated lane does at a memory access, and at a collective
// operation (one in which lanes wait for each other).
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <source_location>
#include <type_traits>
#include <utility>

#include "kernels/simt/shadow.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy::simt {

class Stack;

inline namespace emulated {

using Where = std::source_location;

// One thread of a launch: the number of its block, its number in the block, and the block's size.
struct Thread {
  std::int64_t block;
  int thread, block_size;
};

// An array of `size` elements in global memory, as a kernel's argument. `data` lies on the host, `base` is the address
// in the modelled memory. `id` is an index into the launch's list of ArrayInfo, which has the role too.
template <class T>
struct Array {
  T* data = nullptr;
  std::int64_t size = 0;
  std::uint64_t base = 0;
  std::uint16_t id = 0;
  Role role = Role::matrix;
};

template <class T>
struct SharedArray {
  T* data = nullptr;
  std::int64_t size = 0;
  const char* name = "";
  SharedCell* cells = nullptr;  // for each element, which threads stored and loaded it
};
#define SIMT_SHARED(T, name, count) \
  const ::warpspy::simt::SharedArray<T> name = ::warpspy::simt::detail::shared_array<T>(#name, count)
// Declares an array of `count` elements in the launch's dynamic shared memory, from byte `offset` on.
#define SIMT_DYNAMIC_SHARED(T, name, offset, count) \
  const ::warpspy::simt::SharedArray<T> name = ::warpspy::simt::detail::dynamic_shared_array<T>(#name, offset, count)

namespace detail {

// One access of one lane. merge.hpp merges such records into instructions of warps.
struct LaneRecord {
  Where where;
  std::uint64_t address = 0;
  std::uint16_t array = 0;
  Op op = Op::load;
  CachePolicy policy = CachePolicy::plain;
  std::uint8_t bytes = 0;
};

// A lane, and its records since the last collective of its warp. begin is null while nothing is recorded.
struct LaneBuffer {
  LaneRecord* begin = nullptr;
  LaneRecord* cursor = nullptr;
  LaneRecord* end = nullptr;
  int lane = 0;            // its number in the warp
  bool dry = false;        // stores are recorded but not done
  bool silent = false;     // its accesses are not recorded
  bool awaiting = false;   // it has not awaited the previous launch yet
  Stack* stack = nullptr;  // the stack on which it runs
  // The lane that runs when this one waits. Null for the last lane, and before all lanes have arrived once.
  LaneBuffer* next = nullptr;
};
// The lane that this host thread executes now.
extern constinit thread_local LaneBuffer* current_lane;

// Tells where lanes wait for each other.
enum class Collective : std::uint8_t { shuffle, ballot, warp_barrier, block_barrier };
// The data that lanes exchange at a collective.
struct CollectiveState {
  std::uint64_t words[warp_size] = {};  // the value that each lane brings
  std::uint32_t lanes = 0;              // lanes that arrived
  std::uint32_t votes = 0;              // for a ballot: lanes whose word is not 0
  int reader = -1, exited = -1;         // for a sum: the first lane that read from a lane that had left, and the lane
                                        // that had left
};
// The function that the last lane to arrive applies to the words of all lanes. It returns how many instructions of the
// warp that was.
struct Completion {
  int (*run)(CollectiveState&, const void* how);
  const void* how;
};
// The last collective, as its lanes see it when they continue. nullptr after an error: then no lane may continue.
extern constinit thread_local const CollectiveState* last_collective;
void arrive(Collective kind, std::uint64_t word, Where where, const Completion* completion);
[[noreturn]] void abandon_lane();
// Waits until every lane of the warp (or block) that has not left the kernel has come to the same place. The result is
// valid until the next collective.
//
// It has two parts: the first one ends with the switch to another lane, and execution comes back right there. The
// processor mispredicts the return of a lane only when another lane switches to it for the first time.
[[gnu::always_inline]] inline const CollectiveState& arrive_and_wait(Collective kind, std::uint64_t word, Where where,
                                                                     const Completion* completion = nullptr) {
  arrive(kind, word, where, completion);
  if (!last_collective) [[unlikely]]
    abandon_lane();
  return *last_collective;
}

void grow(LaneBuffer& lane);
[[noreturn]] void out_of_bounds(std::uint16_t array, const char* what, std::int64_t index, std::int64_t size,
                                Where where);
[[noreturn]] void out_of_shared(const char* array, const char* what, std::int64_t index, std::int64_t size,
                                Where where);
[[noreturn]] void from_exited_lane(int reader, int lane, Where where);
[[noreturn]] void misaligned(std::uint16_t array, std::int64_t index, int n, Where where);
Shadow::Shared shared_memory(const char* name, std::size_t element_bytes, std::int64_t count, std::int64_t offset);
void require_dynamic_shared(const char* name, std::int64_t end_bytes);
// All throw Error on a race (shadow.hpp). load_shared and add_shared also do so if nobody has stored the element.
void load_shared(SharedCell& cell, const char* name, std::int64_t index, Where where);
void add_shared(SharedCell& cell, const char* name, std::int64_t index, std::size_t bytes, Where where);
void store_shared(SharedCell& cell, const char* name, std::int64_t index, Where where);
// Checks an access to global memory; [begin, end) are the bytes of the elements.
void touch(const GlobalAccess& access, const void* begin, const void* end, Where where);
[[noreturn]] void touched_too_early(std::uint16_t array, Where where);
// Puts `value` into slots[index]. If the slots now have all parts of the sum, returns true and sets `value` to the sum
// of all.
bool last_of_all(float* slots, std::int32_t* counter, int index, int parts, float& value);
bool last_of_all(double* slots, std::int32_t* counter, int index, int parts, double& value);
template <class T>
struct Part {
  T* slots;
  std::int32_t* counter;
  int index, parts;
  bool dry, silent;
};
// Does the atomic addition, or keeps it for later if the caller of run_block() asked for that.
void add(float* to, float value);
void add(double* to, double value);
void add(std::int32_t* to, std::int32_t value);

template <class T>
SharedArray<T> shared_array(const char* name, std::int64_t count, std::int64_t offset = -1) {
  const Shadow::Shared memory = shared_memory(name, sizeof(T), count, offset);
  return {static_cast<T*>(memory.data), count, name, memory.cells};
}

template <class T>
SharedArray<T> dynamic_shared_array(const char* name, std::int64_t offset, std::int64_t count) {
  require_dynamic_shared(name, offset + static_cast<std::int64_t>(sizeof(T)) * count);
  return shared_array<T>(name, count, offset);
}

template <class T>
inline void access(const Array<T>& a, std::int64_t i, Op op, CachePolicy policy, const char* what, Where where,
                   int count = 1) {
  if (static_cast<std::uint64_t>(i) > static_cast<std::uint64_t>(a.size) - static_cast<std::uint64_t>(count) ||
      a.size < count) [[unlikely]]
    out_of_bounds(a.id, what, i, a.size, where);
  LaneBuffer& lane = *current_lane;
  if (lane.awaiting && !never_written(a.role)) [[unlikely]]
    touched_too_early(a.id, where);
  // An array that no thread of the launch can write needs no check of order.
  if constexpr (!std::is_const_v<T>)
    if (!lane.dry) touch({a.id, i, a.size, count, op}, a.data + i, a.data + i + count, where);
  if (!lane.begin || lane.silent) return;
  if (lane.cursor == lane.end) [[unlikely]]
    grow(lane);
  // Each field is stored alone. A whole record would first be built on the stack, and its copy would wait for those
  // narrow stores.
  LaneRecord& record = *lane.cursor++;
  record.where = where;
  record.address = a.base + static_cast<std::uint64_t>(i) * sizeof(T);
  record.array = a.id;
  record.op = op;
  record.policy = policy;
  record.bytes = static_cast<std::uint8_t>(sizeof(T) * static_cast<std::size_t>(count));
}

template <class T>
inline std::uint64_t word_of(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  return word;
}
template <class T>
inline T value_of(std::uint64_t word) {
  T value;
  std::memcpy(&value, &word, sizeof(T));
  return value;
}

template <class T>
inline T exchanged(T value, int source_in_group, int width, Where where, const Completion* completion = nullptr) {
  const int lane = current_lane->lane, source = (lane & ~(width - 1)) | source_in_group;
  const CollectiveState& state = arrive_and_wait(Collective::shuffle, word_of(value), where, completion);
  if (!(state.lanes >> source & 1)) [[unlikely]]
    from_exited_lane(lane, source, where);
  return value_of<T>(state.words[source]);
}

// The values of all lanes during a sum. The last lane to arrive computes what all lanes would compute with several
// shuffles. So lanes wait once per sum and not once per shuffle.
template <class T>
class Sums {
 public:
  explicit Sums(CollectiveState& state) : state_(state) {
    for (int lane = 0; lane < warp_size; ++lane) values_[lane] = value_of<T>(state.words[lane]);
    state.reader = -1;
  }
  // A shuffle: each lane reads from lane source(lane), and adds the value if take(lane).
  template <class Source, class Take>
  void add(const Source& source, const Take& take) {
    ++steps_;
    if (state_.lanes != ~0u) [[unlikely]]
      look_for_exited(source);
    T before[warp_size];
    std::copy_n(values_, warp_size, before);
    for (int lane = 0; lane < warp_size; ++lane)
      if (take(lane)) values_[lane] += before[source(lane)];
  }
  int finish() {
    for (int lane = 0; lane < warp_size; ++lane) state_.words[lane] = word_of(values_[lane]);
    return steps_;
  }

 private:
  template <class Source>
  void look_for_exited(const Source& source) {
    for (int lane = 0; lane < warp_size && state_.reader < 0; ++lane)
      if (state_.lanes >> lane & 1 && !(state_.lanes >> source(lane) & 1))
        state_.reader = lane, state_.exited = source(lane);
  }

  CollectiveState& state_;
  T values_[warp_size];
  int steps_ = 0;
};

// Returns the lane's value after all_steps(Sums<T>&), which must be the same function for all lanes.
template <class T, class AllSteps>
[[gnu::always_inline]] inline T summed(T value, Where where, const AllSteps& all_steps) {
  const Completion completion{[](CollectiveState& state, const void* how) {
                                Sums<T> sums(state);
                                (*static_cast<const AllSteps*>(how))(sums);
                                return sums.finish();
                              },
                              &all_steps};
  const CollectiveState& state = arrive_and_wait(Collective::shuffle, word_of(value), where, &completion);
  if (state.reader >= 0) [[unlikely]]
    from_exited_lane(state.reader, state.exited, where);
  return value_of<T>(state.words[current_lane->lane]);
}

constexpr auto every_lane = [](int) { return true; };

}  // namespace detail

template <class T>
inline std::remove_const_t<T> ld(const Array<T>& a, std::int64_t i, Where where = Where::current()) {
  detail::access(a, i, Op::load, CachePolicy::plain, "reads", where);
  return a.data[i];
}
// `policy` may also be a Fixed<policy>, which converts to its CachePolicy.
template <class T>
inline std::remove_const_t<T> ld(CachePolicy policy, const Array<T>& a, std::int64_t i,
                                 Where where = Where::current()) {
  if (is_constant(policy)) return constant_of<T>;
  detail::access(a, i, Op::load, policy, "reads", where);
  return a.data[i];
}
// Accesses elements i to i + n - 1 by one instruction; i must be a multiple of n.
template <int n, class T>
inline Pack<std::remove_const_t<T>, n> ld_pack(CachePolicy policy, const Array<T>& a, std::int64_t i,
                                               Where where = Where::current()) {
  if (is_constant(policy)) return constant_pack<std::remove_const_t<T>, n>();
  if (i % n != 0) [[unlikely]]
    detail::misaligned(a.id, i, n, where);
  detail::access(a, i, Op::load, policy, "reads", where, n);
  Pack<std::remove_const_t<T>, n> pack;
  for (int k = 0; k < n; ++k) pack.v[k] = a.data[i + k];
  return pack;
}
template <class T>
inline void st(const Array<T>& a, std::int64_t i, std::type_identity_t<T> value, Where where = Where::current()) {
  detail::access(a, i, Op::store, CachePolicy::plain, "writes", where);
  if (!detail::current_lane->dry) a.data[i] = value;
}
template <class T>
inline void atomic_add(const Array<T>& a, std::int64_t i, std::type_identity_t<T> value,
                       Where where = Where::current()) {
  detail::access(a, i, Op::atomic, CachePolicy::plain, "adds to", where);
  detail::add(a.data + i, value);
}
// Adds to an element by compare-and-swap.
template <class T>
inline void swap_add(const Array<T>& a, std::int64_t i, std::type_identity_t<T> value, Where where = Where::current()) {
  detail::access(a, i, Op::swap, CachePolicy::plain, "adds to", where);
  detail::add(a.data + i, value);
}
// Accesses to shared memory are checked but not recorded, since they do not use the L1 cache.
template <class T>
inline T ld(const SharedArray<T>& a, std::int64_t i, Where where = Where::current()) {
  if (i < 0 || i >= a.size) detail::out_of_shared(a.name, "reads", i, a.size, where);
  detail::load_shared(a.cells[i], a.name, i, where);
  return a.data[i];
}
template <class T>
inline void st(const SharedArray<T>& a, std::int64_t i, std::type_identity_t<T> value, Where where = Where::current()) {
  if (i < 0 || i >= a.size) detail::out_of_shared(a.name, "writes", i, a.size, where);
  detail::store_shared(a.cells[i], a.name, i, where);
  a.data[i] = value;
}
// Accesses elements i to i + n - 1 by one instruction; i must be a multiple of n.
template <int n, class T>
inline Pack<T, n> ld_pack(const SharedArray<T>& a, std::int64_t i, Where where = Where::current()) {
  Pack<T, n> pack;
  for (int k = 0; k < n; ++k) pack.v[k] = ld(a, i + k, where);
  return pack;
}
template <int n, class T>
inline void st_pack(const SharedArray<T>& a, std::int64_t i, const Pack<T, n>& pack, Where where = Where::current()) {
  for (int k = 0; k < n; ++k) st(a, i + k, pack.v[k], where);
}
// An addition to shared memory is never kept for later, as one to global memory may be: no other block sees it.
template <class T>
inline void atomic_add(const SharedArray<T>& a, std::int64_t i, std::type_identity_t<T> value,
                       Where where = Where::current()) {
  if (i < 0 || i >= a.size) detail::out_of_shared(a.name, "adds to", i, a.size, where);
  detail::add_shared(a.cells[i], a.name, i, sizeof(T), where);
  a.data[i] += value;
}

// A shuffle: each lane reads the value of another lane. All lanes of the warp that have not left the kernel take part;
// `width` splits the warp into groups of 1, 2, 4 ... 32. A lane whose source would lie outside its group keeps its own
// value. Reading from a lane that has left is an Error.
template <class T>
inline T shfl(T value, int source, int width = warp_size, Where where = Where::current()) {
  return detail::exchanged(value, source & (width - 1), width, where);
}
template <class T>
inline T shfl_up(T value, int delta, int width = warp_size, Where where = Where::current()) {
  const int own = detail::current_lane->lane & (width - 1);
  return detail::exchanged(value, own >= delta ? own - delta : own, width, where);
}
template <class T>
inline T shfl_down(T value, int delta, int width = warp_size, Where where = Where::current()) {
  const int own = detail::current_lane->lane & (width - 1);
  return detail::exchanged(value, own + delta < width ? own + delta : own, width, where);
}
template <class T>
inline T shfl_xor(T value, int mask, int width = warp_size, Where where = Where::current()) {
  const int own = detail::current_lane->lane & (width - 1);
  return detail::exchanged(value, (own ^ mask) < width ? own ^ mask : own, width, where);
}
// Shuffles two values of one lane. The GPU needs two shuffles; here lanes wait once if both values fit into a word.
template <class A, class B>
[[gnu::always_inline]] inline Pair<A, B> shfl_pair(A first, B second, int source, Where where = Where::current()) {
  if constexpr (sizeof(Pair<A, B>) <= 8) {
    constexpr detail::Completion two{[](detail::CollectiveState&, const void*) { return 2; }, nullptr};
    return detail::exchanged(Pair<A, B>{first, second}, source & (warp_size - 1), warp_size, where, &two);
  } else {
    first = shfl(first, source, warp_size, where);
    return {first, shfl(second, source, warp_size, where)};
  }
}
// Sums over lanes (gpu.cuh says over which lanes). On a GPU each is a sequence of shuffles and additions; here lanes
// wait only once. All arguments but the value must be the same for all lanes.
template <class T>
[[gnu::always_inline]] inline T sum_down(T value, int width = warp_size, Where where = Where::current()) {
  if (width == 1) return value;
  return detail::summed(value, where, [width](detail::Sums<T>& sums) {
    for (int d = width / 2; d > 0; d /= 2)
      sums.add([=](int lane) { return (lane & (width - 1)) + d < width ? lane + d : lane; }, detail::every_lane);
  });
}
template <class T>
[[gnu::always_inline]] inline T sum_xor(T value, Where where = Where::current()) {
  return detail::summed(value, where, [](detail::Sums<T>& sums) {
    for (int d = warp_size / 2; d > 0; d /= 2) sums.add([=](int lane) { return lane ^ d; }, detail::every_lane);
  });
}
// Adds up the parts of a sum that `parts` warps of any blocks bring (2 to most_parts). The last warp to come gets the
// sum, in an order that does not depend on who came when, and the result true. Afterwards slots `first`, `first` + 1,
// ... and counter `first` can be used again: all their bits are set, as at first.
//
// Which block comes last depends on the host's threads, but a trace must not. So the trace shows the warp with the last
// part as the last to come. Therefore this call, and what follows from its result, must be the last thing that a warp
// does. A warp that has the last part but does not come last continues without effect. A warp that comes last without
// the last part continues unrecorded.
template <class T>
inline bool last_of_all(const Array<T>& slots, const Array<std::int32_t>& counters, std::int64_t first, int index,
                        int parts, T& sum, int, Where where = Where::current()) {
  detail::LaneBuffer& lane = *detail::current_lane;
  const bool upper = index == parts - 1, pair = parts == 2;
  if (lane.lane == 0) {
    detail::access(slots, first + (pair ? 0 : index), pair ? Op::exchange : Op::atomic, CachePolicy::plain, "adds to",
                   where);
    if (!pair) detail::access(counters, first, Op::exchange, CachePolicy::plain, "counts in", where);
    if (pair && upper) detail::access(slots, first, Op::atomic, CachePolicy::plain, "adds to", where);
  }
  const detail::Part<T> part{slots.data + first, counters.data + first, index, parts, lane.dry, lane.silent};
  const detail::Completion bring{
      [](detail::CollectiveState& state, const void* how) {
        const auto& own = *static_cast<const detail::Part<T>*>(how);
        T all = detail::value_of<T>(state.words[0]);
        state.votes = !own.dry && detail::last_of_all(own.slots, own.counter, own.index, own.parts, all) ? 1 : 0;
        state.words[0] = detail::word_of(all);
        return own.silent ? 0 : 1;
      },
      &part};
  const detail::CollectiveState& state =
      detail::arrive_and_wait(detail::Collective::shuffle, detail::word_of(sum), where, &bring);
  const bool last = state.votes != 0;
  sum = detail::value_of<T>(state.words[0]);
  if (!lane.dry && last != upper) (last ? lane.silent : lane.dry) = true;
  if (!upper) return last;
  if (pair) return true;
  for (int k = lane.lane; k < parts; k += warp_size)
    detail::access(slots, first + k, Op::exchange, CachePolicy::plain, "takes", where);
  const detail::Completion add_up{[](detail::CollectiveState&, const void*) { return 5; }, nullptr};
  detail::arrive_and_wait(detail::Collective::shuffle, detail::word_of(sum), where, &add_up);
  return true;
}
template <class T>
[[gnu::always_inline]] inline T sum_strided(T value, int, int stride, int count, int width = warp_size,
                                            Where where = Where::current()) {
  if (stride >= width || count <= 1) return value;
  return detail::summed(value, where, [=](detail::Sums<T>& sums) {
    for (int s = warp_size / 2; s > 0; s /= 2)
      if (s < count && s * stride < width)
        sums.add([=](int lane) { return lane + s * stride < warp_size ? lane + s * stride : lane; },
                 [=](int lane) { return lane % width / stride + s < count; });
  });
}
template <class T>
[[gnu::always_inline]] inline T sum_segments(T value, int, std::uint32_t heads, Where where = Where::current()) {
  return detail::summed(value, where, [heads](detail::Sums<T>& sums) {
    constexpr int bits = 32;  // bits of the mask, whatever the width of a warp
    for (int d = 1; d < warp_size; d *= 2)
      sums.add([=](int lane) { return lane >= d ? lane - d : lane; },
               [=](int lane) { return heads << (bits - 1 - lane) >> (bits - d) == 0; });
  });
}
// A vote: bit i of the result is set if lane i takes part and votes yes.
inline std::uint32_t ballot(bool vote, Where where = Where::current()) {
  return detail::arrive_and_wait(detail::Collective::ballot, vote, where).votes;
}
inline int count_bits(std::uint32_t bits) { return std::popcount(bits); }
// In the emulator launches never overlap. But each access is checked, so that the kernel is also right on a GPU where
// they overlap.
class PreviousLaunch {
 public:
  void await() { detail::current_lane->awaiting = false; }
};
inline void syncwarp(Where where = Where::current()) {
  detail::arrive_and_wait(detail::Collective::warp_barrier, 0, where);
}
inline void sync_block(Where where = Where::current()) {
  detail::arrive_and_wait(detail::Collective::block_barrier, 0, where);
}

}  // namespace emulated
}  // namespace warpspy::simt
