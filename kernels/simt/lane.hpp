// simt.hpp for the host compiler: what one emulated lane does at a memory access and at a meeting of lanes.
#pragma once

#include <atomic>
#include <bit>
#include <cstring>
#include <source_location>

#include "kernels/simt/shadow.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy::simt::inline emulated {

using Where = std::source_location;

// One thread of a launch: its block, its place in the block, the block's size.
struct Thread {
  std::int64_t block;
  int thread, block_size;
};

// `size` elements in global memory: data on the host, `base` in the modelled address space, `id` into the launch's
// ArrayInfo list. A kernel's argument.
template <class T>
struct Array {
  T* data = nullptr;
  std::int64_t size = 0;
  std::uint64_t base = 0;
  std::uint16_t id = 0;
};

template <class T>
struct SharedArray {
  T* data = nullptr;
  std::int64_t size = 0;
  const char* name = "";
  SharedCell* cells = nullptr;  // who stored and loaded each element
};
#define SIMT_SHARED(T, name, count) \
  const ::warpspy::simt::SharedArray<T> name = ::warpspy::simt::detail::shared_array<T>(#name, count)
// `count` elements from byte `offset` on of the shared memory that the launch asked for.
#define SIMT_DYNAMIC_SHARED(T, name, offset, count) \
  const ::warpspy::simt::SharedArray<T> name = ::warpspy::simt::detail::dynamic_shared_array<T>(#name, offset, count)

namespace detail {

// One access of one lane, before lanes are merged into warp instructions.
struct LaneRecord {
  Where where;
  std::uint64_t address = 0;
  std::uint16_t array = 0;
  Op op = Op::load;
  CachePolicy policy = CachePolicy::plain;
  std::uint8_t bytes = 0;
};

// The records of one lane since its warp last met. begin is null while nothing is recorded.
struct LaneBuffer {
  LaneRecord* begin = nullptr;
  LaneRecord* cursor = nullptr;
  LaneRecord* end = nullptr;
  int lane = 0;      // in its warp
  bool dry = false;  // stores are recorded, not done
};
// The lane that this host thread executes now.
extern constinit thread_local LaneBuffer* current_lane;

enum class Meeting : std::uint8_t { shuffle, ballot, warp_barrier, block_barrier };
// What lanes see of each other at a meeting.
struct Met {
  std::uint64_t words[warp_size] = {};  // one per lane
  std::uint32_t lanes = 0;              // who came
  std::uint32_t votes = 0;              // whose word is not 0; of a ballot
};
// Waits until every lane of the warp (block) that has not left the kernel has come to the same place. The result is
// valid until the meeting after the next.
const Met& meet(Meeting kind, std::uint64_t word, Where where);

void grow(LaneBuffer& lane);
[[noreturn]] void out_of_bounds(std::uint16_t array, const char* what, std::int64_t index, std::int64_t size,
                                Where where);
[[noreturn]] void out_of_shared(const char* array, const char* what, std::int64_t index, std::int64_t size,
                                Where where);
[[noreturn]] void from_absent_lane(int lane, Where where);
[[noreturn]] void misaligned(std::uint16_t array, std::int64_t index, int n, Where where);
Shadow::Shared shared_memory(const char* name, std::size_t element_bytes, std::int64_t count, std::int64_t offset);
void require_dynamic_shared(const char* name, std::int64_t end_bytes);
// Throw Error on a race, load_shared and add_shared on what nobody stored (shadow.hpp).
void load_shared(SharedCell& cell, const char* name, std::int64_t index, Where where);
void add_shared(SharedCell& cell, const char* name, std::int64_t index, Where where);
void store_shared(SharedCell& cell, const char* name, std::int64_t index, Where where);
// The elements lie at [begin, end).
void touch(const GlobalAccess& access, const void* begin, const void* end, Where where);
// Does the addition, or puts it aside when the caller of the block wants to do it.
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
  // What no thread of the launch can write needs no order.
  if constexpr (!std::is_const_v<T>) touch({a.id, i, a.size, count, op}, a.data + i, a.data + i + count, where);
  LaneBuffer& lane = *current_lane;
  if (!lane.begin) return;
  if (lane.cursor == lane.end) [[unlikely]]
    grow(lane);
  *lane.cursor++ = {where,  a.base + static_cast<std::uint64_t>(i) * sizeof(T),
                    a.id,   op,
                    policy, static_cast<std::uint8_t>(sizeof(T) * static_cast<std::size_t>(count))};
}

template <class T>
inline T exchanged(T value, int source_in_group, int width, Where where) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  const int source = (current_lane->lane & ~(width - 1)) | source_in_group;
  const Met& met = meet(Meeting::shuffle, word, where);
  if (!(met.lanes >> source & 1)) [[unlikely]]
    from_absent_lane(source, where);
  std::memcpy(&value, met.words + source, sizeof(T));
  return value;
}

}  // namespace detail

template <class T>
inline std::remove_const_t<T> ld(const Array<T>& a, std::int64_t i, Where where = Where::current()) {
  detail::access(a, i, Op::load, CachePolicy::plain, "reads", where);
  return a.data[i];
}
// Fixed<policy> converts to its CachePolicy.
template <class T>
inline std::remove_const_t<T> ld(CachePolicy policy, const Array<T>& a, std::int64_t i,
                                 Where where = Where::current()) {
  if (policy == CachePolicy::constant) return constant_of<T>;
  detail::access(a, i, Op::load, policy, "reads", where);
  return a.data[i];
}
// Elements i .. i + n - 1 by one instruction; i must be a multiple of n.
template <int n, class T>
inline Pack<std::remove_const_t<T>, n> ld_pack(CachePolicy policy, const Array<T>& a, std::int64_t i,
                                               Where where = Where::current()) {
  Pack<std::remove_const_t<T>, n> pack;
  if (policy == CachePolicy::constant) {
    for (auto& v : pack.v) v = constant_of<T>;
    return pack;
  }
  if (i % n != 0) [[unlikely]]
    detail::misaligned(a.id, i, n, where);
  detail::access(a, i, Op::load, policy, "reads", where, n);
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
// Shared memory is checked, not recorded: it does not pass the L1's door.
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
// Done at once, also where additions to global memory are put aside: no other block sees it.
template <class T>
inline void atomic_add(const SharedArray<T>& a, std::int64_t i, std::type_identity_t<T> value,
                       Where where = Where::current()) {
  if (i < 0 || i >= a.size) detail::out_of_shared(a.name, "adds to", i, a.size, where);
  detail::add_shared(a.cells[i], a.name, i, where);
  a.data[i] += value;
}

// All lanes of the warp that have not left the kernel take part; `width` splits the warp into groups of 1, 2, 4 ... 32.
// A lane whose source would lie outside its group keeps its own value. Reading from a lane that has left is an Error.
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
// Bit i: lane i takes part and votes yes.
inline std::uint32_t ballot(bool vote, Where where = Where::current()) {
  return detail::meet(detail::Meeting::ballot, vote, where).votes;
}
inline void syncwarp(Where where = Where::current()) { detail::meet(detail::Meeting::warp_barrier, 0, where); }
inline void sync_block(Where where = Where::current()) { detail::meet(detail::Meeting::block_barrier, 0, where); }

}  // namespace warpspy::simt::inline emulated
