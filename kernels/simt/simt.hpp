// The layer that lets one kernel source compile for the GPU and for the emulator.
//
// A kernel is a small struct whose fields are its arguments and whose `SIMT_DEVICE void operator()(simt::Thread t)
// const` is what one thread does. It touches memory only through
//     ld(array, i)   ld(policy, array, i)   ld_pack<4>(policy, array, i)   st(array, i, value)
//     atomic_add(array, i, value)   swap_add(array, i, value)   SIMT_SHARED(T, name, count)   SIMT_DYNAMIC_SHARED(T,
//     name, offset, count)
// (ld, st and atomic_add are for shared arrays too, which also have ld_pack<4>(array, i) and st_pack(array, i, pack))
// adds up what warps of several blocks have, without waiting, through
//     last_of_all(slots, counters, first, index, parts, sum, lane)
// and meets other lanes only through
//     shfl  shfl_up  shfl_down  shfl_xor  ballot  syncwarp  sync_block        (count_bits is arithmetic)
// and sequences of these: shfl_pair  sum_down  sum_xor  sum_strided  sum_segments, at which emulated lanes wait once
// Where launches may overlap, PreviousLaunch::await() comes before a thread's first touch of x, y or scratch; code that
// calls it says `static constexpr bool awaits_previous = true`, for others it is called before they begin.
// `policy` is a CachePolicy, or Fixed<CachePolicy::...> or EvictLast where the compiler knows what to make of it.
// Compiled by nvcc these are single instructions, or the sequence of them; compiled by the host compiler they run in
// the emulator, which checks every index and records every access.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/simt/trace.hpp"

// All code that differs between the two compilers, kernels included, is in an inline namespace of this name. So the
// linker never mixes the two versions of a type.
#if defined(__CUDACC__)
#define SIMT_TARGET on_gpu
#define SIMT_DEVICE __device__ __forceinline__
// Before a loop that must be unrolled because its counter is an index of registers.
#define SIMT_UNROLL _Pragma("unroll")
// Before a loop of unknown length: the loads of four rounds are in flight together.
#define SIMT_UNROLL_BY_4 _Pragma("unroll 4")
// Before a loop that is unrolled by hand and that lanes leave at different times. If the compiler unrolled it too,
// lanes with different numbers of rounds left would run apart, and each group would issue its own requests.
#define SIMT_NO_UNROLL _Pragma("unroll 1")
#else
#define SIMT_TARGET emulated
#define SIMT_DEVICE
#define SIMT_UNROLL
#define SIMT_UNROLL_BY_4
#define SIMT_NO_UNROLL
#endif

namespace warpspy::simt {

template <CachePolicy policy>
using Fixed = std::integral_constant<CachePolicy, policy>;
// One of the kept_* policies, if only the launch knows which: the share of an array's lines that L2 is to keep.
struct EvictLast {
  float share;
  std::uint64_t wish = 0;  // on a GPU: the operand that tells L2 (l2_wish); the launch computes it
};

// Whether the code of a launch calls PreviousLaunch::await() itself.
template <class Code>
constexpr bool awaits_previous = requires { Code::awaits_previous; };

// `n` neighbouring elements, aligned so that one instruction loads them all.
template <class T, int n>
struct alignas(sizeof(T) * n) Pack {
  T v[n];
};

// Whether a policy is `constant`: a policy that the compiler knows, or one chosen at run time (trace.hpp).
template <CachePolicy policy>
SIMT_ANYWHERE constexpr bool is_constant(Fixed<policy>) {
  return is_constant(policy);
}
SIMT_ANYWHERE constexpr bool is_constant(EvictLast) { return false; }
// Tells what a `constant` load returns: an index that always exists, or a value that keeps sums finite.
template <class T>
constexpr std::remove_const_t<T> constant_of = std::is_integral_v<T> ? 0 : 1;
template <class T, int n>
SIMT_ANYWHERE constexpr Pack<T, n> constant_pack() {
  Pack<T, n> pack{};
  for (T& v : pack.v) v = constant_of<T>;
  return pack;
}

// The two values that shfl_pair returns.
template <class A, class B>
struct Pair {
  A first;
  B second;
};

}  // namespace warpspy::simt

#if defined(__CUDACC__)
#include "kernels/simt/gpu.cuh"
#else
#include "kernels/simt/lane.hpp"
#endif
