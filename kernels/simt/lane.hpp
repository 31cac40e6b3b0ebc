// simt.hpp for the host compiler: what one emulated lane does at a memory access and at a meeting of lanes.
#pragma once

#include <atomic>
#include <bit>
#include <cstring>
#include <source_location>

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
};
#define SIMT_SHARED(T, name, count) \
  const ::warpspy::simt::SharedArray<T> name = ::warpspy::simt::detail::shared_array<T>(#name, count)

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
  int lane = 0;  // in its warp
};
// The lane that this host thread executes now.
extern constinit thread_local LaneBuffer* current_lane;

enum class Meeting : std::uint8_t { shuffle, ballot, warp_barrier, block_barrier };
// What lanes see of each other at a meeting: one word per lane, valid until the meeting after the next.
struct Met {
  const std::uint64_t* words;
  std::uint32_t lanes;  // who came
  int lane;             // who asks
};
// Waits until every lane of the warp (block) that has not left the kernel has come to the same place.
Met meet(Meeting kind, std::uint64_t word, Where where);

void grow(LaneBuffer& lane);
[[noreturn]] void out_of_bounds(std::uint16_t array, const char* what, std::int64_t index, std::int64_t size,
                                Where where);
[[noreturn]] void out_of_shared(const char* array, const char* what, std::int64_t index, std::int64_t size,
                                Where where);
[[noreturn]] void from_absent_lane(int lane, Where where);
void* shared_bytes(const char* name, std::size_t bytes);

template <class T>
SharedArray<T> shared_array(const char* name, std::int64_t count) {
  return {static_cast<T*>(shared_bytes(name, sizeof(T) * static_cast<std::size_t>(count))), count, name};
}

template <class T>
inline void access(const Array<T>& a, std::int64_t i, Op op, CachePolicy policy, const char* what, Where where) {
  if (static_cast<std::uint64_t>(i) >= static_cast<std::uint64_t>(a.size)) [[unlikely]]
    out_of_bounds(a.id, what, i, a.size, where);
  LaneBuffer& lane = *current_lane;
  if (!lane.begin) return;
  if (lane.cursor == lane.end) [[unlikely]]
    grow(lane);
  *lane.cursor++ = {where, a.base + static_cast<std::uint64_t>(i) * sizeof(T), a.id, op, policy, sizeof(T)};
}

template <class T>
inline T exchanged(T value, int source_in_group, int width, Where where) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  const Met met = meet(Meeting::shuffle, word, where);
  const int source = (met.lane & ~(width - 1)) | source_in_group;
  if (!(met.lanes >> source & 1)) [[unlikely]]
    from_absent_lane(source, where);
  std::memcpy(&value, met.words + source, sizeof(T));
  return value;
}

}  // namespace detail

template <CachePolicy policy = CachePolicy::plain, class T>
inline std::remove_const_t<T> ld(const Array<T>& a, std::int64_t i, Where where = Where::current()) {
  detail::access(a, i, Op::load, policy, "reads", where);
  return a.data[i];
}
template <class T>
inline void st(const Array<T>& a, std::int64_t i, std::type_identity_t<T> value, Where where = Where::current()) {
  detail::access(a, i, Op::store, CachePolicy::plain, "writes", where);
  a.data[i] = value;
}
// Blocks may run on several host threads, so this is atomic on the host too.
template <class T>
inline void atomic_add(const Array<T>& a, std::int64_t i, std::type_identity_t<T> value,
                       Where where = Where::current()) {
  detail::access(a, i, Op::atomic, CachePolicy::plain, "adds to", where);
  std::atomic_ref<T>(a.data[i]).fetch_add(value, std::memory_order_relaxed);
}
// Shared memory is checked, not recorded: it does not pass the L1's door.
template <class T>
inline T ld(const SharedArray<T>& a, std::int64_t i, Where where = Where::current()) {
  if (i < 0 || i >= a.size) detail::out_of_shared(a.name, "reads", i, a.size, where);
  return a.data[i];
}
template <class T>
inline void st(const SharedArray<T>& a, std::int64_t i, std::type_identity_t<T> value, Where where = Where::current()) {
  if (i < 0 || i >= a.size) detail::out_of_shared(a.name, "writes", i, a.size, where);
  a.data[i] = value;
}

// All lanes of the warp that have not left the kernel take part; `width` splits the warp into groups of 1, 2, 4 ... 32.
// A lane whose source would lie outside its group keeps its own value. Reading from a lane that has left is an Error.
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
  const detail::Met met = detail::meet(detail::Meeting::ballot, vote, where);
  std::uint32_t votes = 0;
  for (int lane = 0; lane < warp_size; ++lane)
    if ((met.lanes >> lane & 1) && met.words[lane]) votes |= 1u << lane;
  return votes;
}
inline void syncwarp(Where where = Where::current()) { detail::meet(detail::Meeting::warp_barrier, 0, where); }
inline void sync_block(Where where = Where::current()) { detail::meet(detail::Meeting::block_barrier, 0, where); }

}  // namespace warpspy::simt::inline emulated
