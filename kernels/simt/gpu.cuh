// simt.hpp for nvcc: most functions are one instruction.
#pragma once

#include <type_traits>

#include "kernels/simt/trace.hpp"

namespace warpspy::simt::inline on_gpu {

// One thread of a launch: the number of its block, its number in the block, and the block's size.
struct Thread {
  std::int64_t block;
  int thread, block_size;
};

// `size` elements in global memory, as a kernel's argument.
template <class T>
struct Array {
  T* data;
  std::int64_t size;
};

template <class T>
struct SharedArray {
  T* data;
};
#define SIMT_SHARED(T, name, count)   \
  __shared__ T name##_storage[count]; \
  const ::warpspy::simt::SharedArray<T> name { name##_storage }
// `count` elements of the launch's dynamic shared memory, from byte `offset` on.
#define SIMT_DYNAMIC_SHARED(T, name, offset, count)                    \
  extern __shared__ __align__(16) unsigned char simt_dynamic_shared[]; \
  const ::warpspy::simt::SharedArray<T> name { reinterpret_cast<T*>(simt_dynamic_shared + (offset)) }

// A source location. It is empty here, since only the emulator uses it.
struct Where {
  __device__ __forceinline__ static constexpr Where current() { return {}; }
};

namespace detail {

// The operand that tells L2 which share of a load's lines to evict last: createpolicy.fractional, from compute
// capability 8.0 on.
__device__ __forceinline__ std::uint64_t l2_policy(float share) {
  std::uint64_t policy = 0;
#if __CUDA_ARCH__ >= 800
  asm("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, %1;" : "=l"(policy) : "f"(share));
#endif
  return policy;
}

// Loads 4, 8 or 16 bytes that no thread of the launch writes by one instruction, with an L2 policy. In L1 it behaves
// like a streaming load. Smaller loads are rare and plain; so are all loads on GPUs without L2 policies.
template <class E>
__device__ __forceinline__ E load_evict_last(std::uint64_t policy, const E* at) {
#if __CUDA_ARCH__ >= 800
  if constexpr (sizeof(E) == 4) {
    std::uint32_t w;
    asm("ld.global.cs.nc.L2::cache_hint.b32 %0, [%1], %2;" : "=r"(w) : "l"(at), "l"(policy));
    return *reinterpret_cast<const E*>(&w);
  } else if constexpr (sizeof(E) == 8) {
    std::uint64_t w;
    asm("ld.global.cs.nc.L2::cache_hint.b64 %0, [%1], %2;" : "=l"(w) : "l"(at), "l"(policy));
    return *reinterpret_cast<const E*>(&w);
  } else if constexpr (sizeof(E) == 16) {
    ulonglong2 w;
    asm("ld.global.cs.nc.L2::cache_hint.v2.b64 {%0, %1}, [%2], %3;" : "=l"(w.x), "=l"(w.y) : "l"(at), "l"(policy));
    return *reinterpret_cast<const E*>(&w);
  }
#endif
  return *at;
}

// plain: ld.global; read_only: ld.global.nc (the texture path of older GPUs); streaming: .cs; no_l1: .cg
template <CachePolicy policy, class E>
__device__ __forceinline__ E load(const E* at) {
  if constexpr (policy == CachePolicy::read_only) return __ldg(at);
  if constexpr (policy == CachePolicy::streaming) return __ldcs(at);
  if constexpr (policy == CachePolicy::no_l1) return __ldcg(at);
  return *at;
}

// The vector type with which one instruction loads a Pack.
template <class T, int n>
struct PackWord;
template <>
struct PackWord<float, 2> {
  using type = float2;
};
template <>
struct PackWord<float, 4> {
  using type = float4;
};
template <>
struct PackWord<double, 2> {
  using type = double2;
};
template <>
struct PackWord<std::uint8_t, 2> {
  using type = uchar2;
};
template <>
struct PackWord<std::uint8_t, 4> {
  using type = uchar4;
};
template <>
struct PackWord<std::uint8_t, 8> {
  using type = uint2;
};
template <>
struct PackWord<std::uint16_t, 2> {
  using type = ushort2;
};
template <>
struct PackWord<std::uint16_t, 4> {
  using type = ushort4;
};
template <>
struct PackWord<std::uint16_t, 8> {
  using type = uint4;
};
template <>
struct PackWord<std::int32_t, 2> {
  using type = int2;
};
template <>
struct PackWord<std::int32_t, 4> {
  using type = int4;
};
template <>
struct PackWord<std::int64_t, 2> {
  using type = longlong2;
};

}  // namespace detail

template <class T, class I>
__device__ __forceinline__ std::remove_const_t<T> ld(const Array<T>& a, I i, Where = {}) {
  return a.data[i];
}
template <CachePolicy policy, class T, class I>
__device__ __forceinline__ std::remove_const_t<T> ld(Fixed<policy>, const Array<T>& a, I i, Where = {}) {
  if constexpr (is_constant(policy))
    return constant_of<T>;
  else
    return detail::load<policy>(static_cast<const std::remove_const_t<T>*>(a.data + i));
}
template <class T, class I>
__device__ __forceinline__ std::remove_const_t<T> ld(EvictLast kept, const Array<T>& a, I i, Where = {}) {
  return detail::load_evict_last(kept.wish, static_cast<const std::remove_const_t<T>*>(a.data + i));
}
// The policy is the same in the whole launch, so the branch does not split a warp.
template <class T, class I>
__device__ __forceinline__ std::remove_const_t<T> ld(CachePolicy policy, const Array<T>& a, I i, Where = {}) {
  const std::remove_const_t<T>* at = a.data + i;
  if (is_evict_last(policy))
    return ld(EvictLast{evict_last_share(policy), detail::l2_policy(evict_last_share(policy))}, a, i);
  switch (policy) {
    case CachePolicy::read_only:
      return detail::load<CachePolicy::read_only>(at);
    case CachePolicy::streaming:
      return detail::load<CachePolicy::streaming>(at);
    case CachePolicy::no_l1:
      return detail::load<CachePolicy::no_l1>(at);
    case CachePolicy::constant:
      return constant_of<T>;
    default:
      return *at;
  }
}
// Elements i to i + n - 1 by one instruction; i must be a multiple of n.
template <int n, CachePolicy policy, class T, class I>
__device__ __forceinline__ Pack<std::remove_const_t<T>, n> ld_pack(Fixed<policy>, const Array<T>& a, I i, Where = {}) {
  using Value = std::remove_const_t<T>;
  Pack<Value, n> pack;
  if constexpr (is_constant(policy)) {
    pack = constant_pack<Value, n>();
  } else if constexpr (n == 1) {
    pack.v[0] = detail::load<policy>(static_cast<const Value*>(a.data + i));
  } else {
    using Word = typename detail::PackWord<Value, n>::type;
    const Word word = detail::load<policy>(reinterpret_cast<const Word*>(a.data + i));
    pack = *reinterpret_cast<const Pack<Value, n>*>(&word);
  }
  return pack;
}
template <int n, class T, class I>
__device__ __forceinline__ Pack<std::remove_const_t<T>, n> ld_pack(EvictLast kept, const Array<T>& a, I i, Where = {}) {
  using Value = std::remove_const_t<T>;
  using Word = Pack<Value, n>;
  return detail::load_evict_last(kept.wish, reinterpret_cast<const Word*>(a.data + i));
}
template <int n, class T, class I>
__device__ __forceinline__ Pack<std::remove_const_t<T>, n> ld_pack(CachePolicy policy, const Array<T>& a, I i,
                                                                   Where = {}) {
  if (is_evict_last(policy))
    return ld_pack<n>(EvictLast{evict_last_share(policy), detail::l2_policy(evict_last_share(policy))}, a, i);
  switch (policy) {
    case CachePolicy::read_only:
      return ld_pack<n>(Fixed<CachePolicy::read_only>{}, a, i);
    case CachePolicy::streaming:
      return ld_pack<n>(Fixed<CachePolicy::streaming>{}, a, i);
    case CachePolicy::no_l1:
      return ld_pack<n>(Fixed<CachePolicy::no_l1>{}, a, i);
    case CachePolicy::constant:
      return ld_pack<n>(Fixed<CachePolicy::constant>{}, a, i);
    default:
      return ld_pack<n>(Fixed<CachePolicy::plain>{}, a, i);
  }
}
template <class T, class I>
__device__ __forceinline__ void st(const Array<T>& a, I i, std::type_identity_t<T> value, Where = {}) {
  a.data[i] = value;
}
template <class T, class I>
__device__ __forceinline__ void atomic_add(const Array<T>& a, I i, std::type_identity_t<T> value, Where = {}) {
  atomicAdd(a.data + i, value);
}
// Adds by compare-and-swap, as on GPUs without this atomic addition (CUDA C++ Programming Guide, atomicAdd). Its load
// bypasses L1, which may hold an old value.
template <class I>
__device__ __forceinline__ void swap_add(const Array<double>& a, I i, double value, Where = {}) {
  auto* at = reinterpret_cast<unsigned long long*>(a.data + i);
  unsigned long long old = *static_cast<volatile unsigned long long*>(at), assumed;
  do {
    assumed = old;
    old = atomicCAS(at, assumed,
                    static_cast<unsigned long long>(
                        __double_as_longlong(value + __longlong_as_double(static_cast<long long>(assumed)))));
  } while (assumed != old);
}
template <class T, class I>
__device__ __forceinline__ T ld(const SharedArray<T>& a, I i, Where = {}) {
  return a.data[i];
}
template <class T, class I>
__device__ __forceinline__ void st(const SharedArray<T>& a, I i, std::type_identity_t<T> value, Where = {}) {
  a.data[i] = value;
}
// Elements i to i + n - 1, at most 16 bytes, by one instruction; i must be a multiple of n.
template <int n, class T, class I>
__device__ __forceinline__ Pack<T, n> ld_pack(const SharedArray<T>& a, I i, Where = {}) {
  using Word = typename detail::PackWord<T, n>::type;
  const Word word = *reinterpret_cast<const Word*>(a.data + i);
  return *reinterpret_cast<const Pack<T, n>*>(&word);
}
template <int n, class T, class I>
__device__ __forceinline__ void st_pack(const SharedArray<T>& a, I i, const Pack<T, n>& pack, Where = {}) {
  using Word = typename detail::PackWord<T, n>::type;
  *reinterpret_cast<Word*>(a.data + i) = *reinterpret_cast<const Word*>(&pack);
}
template <class T, class I>
__device__ __forceinline__ void atomic_add(const SharedArray<T>& a, I i, std::type_identity_t<T> value, Where = {}) {
  atomicAdd(a.data + i, value);
}

// All lanes of the warp that have not left the kernel take part; `width` splits the warp into groups of 1, 2, 4 ... 32.
template <class T>
__device__ __forceinline__ T shfl(T value, int source, int width = warp_size, Where = {}) {
  return __shfl_sync(0xffffffffu, value, source, width);
}
template <class T>
__device__ __forceinline__ T shfl_up(T value, int delta, int width = warp_size, Where = {}) {
  return __shfl_up_sync(0xffffffffu, value, delta, width);
}
template <class T>
__device__ __forceinline__ T shfl_down(T value, int delta, int width = warp_size, Where = {}) {
  return __shfl_down_sync(0xffffffffu, value, delta, width);
}
template <class T>
__device__ __forceinline__ T shfl_xor(T value, int mask, int width = warp_size, Where = {}) {
  return __shfl_xor_sync(0xffffffffu, value, mask, width);
}
template <class A, class B>
__device__ __forceinline__ Pair<A, B> shfl_pair(A first, B second, int source, Where = {}) {
  return {shfl(first, source), shfl(second, source)};
}
// Lane 0 of each group gets the group's sum; the other lanes get intermediate sums.
template <class T>
__device__ __forceinline__ T sum_down(T value, int width = warp_size, Where = {}) {
  for (int d = width / 2; d > 0; d /= 2) value += shfl_down(value, d, width);
  return value;
}
// Every lane gets the sum of all lanes.
template <class T>
__device__ __forceinline__ T sum_xor(T value, Where = {}) {
  for (int d = warp_size / 2; d > 0; d /= 2) value += shfl_xor(value, d);
  return value;
}
// Adds up the parts of a sum that `parts` warps of any blocks bring (2 to most_parts). Part `index` is lane 0's `sum`.
// The last warp to come gets the sum, in an order that does not depend on who came when, and the result true. The
// others get false and need not wait. Other data that those warps wrote may not be visible yet.
//
// The parts meet in slots `first`, `first` + 1, ..., and counter `first` counts them. Every bit of both must be set
// before, as in fresh scratch memory, and is set again afterwards. No part has this bit pattern, since a NaN is
// replaced by the usual one.
template <class T, class I>
__device__ __forceinline__ bool last_of_all(const Array<T>& slots, const Array<std::int32_t>& counters, I first,
                                            int index, int parts, T& sum, int lane, Where = {}) {
  using Word = std::conditional_t<sizeof(T) == 4, unsigned int, unsigned long long>;
  constexpr Word nobody = ~Word{0}, nan = sizeof(T) == 4 ? Word{0x7fc00000} : Word{0x7ff} << 52 | Word{1} << 51;
  Word* const at = reinterpret_cast<Word*>(slots.data + first);
  const Word mine = sum == sum ? *reinterpret_cast<const Word*>(&sum) : nan;
  if (parts == 2) {  // one atomic both tells who comes last and returns the other part
    Word other = nobody;
    if (lane == 0) {
      other = atomicExch(at, mine);
      if (other != nobody) *at = nobody;
    }
    other = __shfl_sync(0xffffffffu, other, 0);
    if (other == nobody) return false;
    sum = shfl(sum, 0) + *reinterpret_cast<const T*>(&other);
    return true;
  }
  int last = 0;
  if (lane == 0) {
    *const_cast<volatile Word*>(at + index) = mine;
    // Counts from 0 again after parts - 1, and after the pattern with all bits set.
    last = atomicInc(reinterpret_cast<unsigned int*>(counters.data + first), static_cast<unsigned int>(parts - 1)) ==
           static_cast<unsigned int>(parts - 2);
  }
  if (!__shfl_sync(0xffffffffu, last, 0)) return false;
  // All parts are on their way, but may arrive later than their count: those that are not there yet are loaded again.
  const bool has_low = lane < parts, has_high = lane + warp_size < parts;
  Word low = nobody, high = nobody;
  do {
    if (has_low && low == nobody) low = atomicExch(at + lane, nobody);
    if (has_high && high == nobody) high = atomicExch(at + lane + warp_size, nobody);
  } while ((has_low && low == nobody) || (has_high && high == nobody));
  T own = has_low ? *reinterpret_cast<const T*>(&low) : T{0};
  if (has_high) own += *reinterpret_cast<const T*>(&high);
  sum = sum_xor(own);
  return true;
}
// `lane` is this lane's number in its group of `width` lanes. Each of the first `stride` lanes gets the sum of `count`
// values, its own and those of lanes `stride` apart.
template <class T>
__device__ __forceinline__ T sum_strided(T value, int lane, int stride, int count, int width = warp_size, Where = {}) {
  SIMT_UNROLL
  for (int s = warp_size / 2; s > 0; s /= 2) {
    if (s >= count || s * stride >= width) continue;
    const T other = shfl_down(value, s * stride);
    if (lane / stride + s < count) value += other;
  }
  return value;
}
// Every lane gets the sum of its segment up to and including itself. Bit i of `heads` is set if lane i begins a
// segment; bit 0 must be set.
template <class T>
__device__ __forceinline__ T sum_segments(T value, int lane, std::uint32_t heads, Where = {}) {
  const std::uint32_t up_to_here = heads << (warp_size - 1 - lane);
  for (int d = 1; d < warp_size; d *= 2) {
    const T before = shfl_up(value, d);
    // None of the d lanes up to this one begins a segment.
    if (up_to_here >> (warp_size - d) == 0) value += before;
  }
  return value;
}
__device__ __forceinline__ std::uint32_t ballot(bool vote, Where = {}) { return __ballot_sync(0xffffffffu, vote); }
__device__ __forceinline__ int count_bits(std::uint32_t bits) { return __popc(bits); }
// Waits once until the previous launch has ended and its writes are visible. Where launches overlap (programmatic
// dependent launch, from compute capability 9.0 on), a block may start earlier and load what no launch writes.
// Otherwise this costs one instruction.
class PreviousLaunch {
 public:
  __device__ __forceinline__ void await() {
    if (ended_) return;
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    ended_ = true;
  }

 private:
  bool ended_ = false;
};
// From now on the next launch may start, if it may overlap with this one. It then only waits for free places on the
// SMs.
__device__ __forceinline__ void let_next_launch_begin() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
__device__ __forceinline__ void syncwarp(Where = {}) { __syncwarp(); }
__device__ __forceinline__ void sync_block(Where = {}) { __syncthreads(); }

}  // namespace warpspy::simt::inline on_gpu
