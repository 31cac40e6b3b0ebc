// simt.hpp for nvcc: every accessor is one instruction.
#pragma once

#include "kernels/simt/trace.hpp"

namespace warpspy::simt::inline on_gpu {

// One thread of a launch: its block, its place in the block, the block's size.
struct Thread {
  std::int64_t block;
  int thread, block_size;
};

// `size` elements in global memory. A kernel's argument.
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

// plain: ld.global; read_only: ld.global.nc (the texture path of older GPUs); streaming: .cs; no_l1: .cg
template <CachePolicy policy = CachePolicy::plain, class T, class I>
__device__ __forceinline__ std::remove_const_t<T> ld(const Array<T>& a, I i) {
  if constexpr (policy == CachePolicy::read_only) return __ldg(a.data + i);
  if constexpr (policy == CachePolicy::streaming) return __ldcs(a.data + i);
  if constexpr (policy == CachePolicy::no_l1) return __ldcg(a.data + i);
  return a.data[i];
}
template <class T, class I>
__device__ __forceinline__ void st(const Array<T>& a, I i, T value) {
  a.data[i] = value;
}
template <class T, class I>
__device__ __forceinline__ void atomic_add(const Array<T>& a, I i, T value) {
  atomicAdd(a.data + i, value);
}
template <class T, class I>
__device__ __forceinline__ T ld(const SharedArray<T>& a, I i) {
  return a.data[i];
}
template <class T, class I>
__device__ __forceinline__ void st(const SharedArray<T>& a, I i, T value) {
  a.data[i] = value;
}

// All lanes of the warp that have not left the kernel take part; `width` splits the warp into groups of 1, 2, 4 ... 32.
template <class T>
__device__ __forceinline__ T shfl_down(T value, int delta, int width = warp_size) {
  return __shfl_down_sync(0xffffffffu, value, delta, width);
}
template <class T>
__device__ __forceinline__ T shfl_xor(T value, int mask, int width = warp_size) {
  return __shfl_xor_sync(0xffffffffu, value, mask, width);
}
__device__ __forceinline__ std::uint32_t ballot(bool vote) { return __ballot_sync(0xffffffffu, vote); }
__device__ __forceinline__ void syncwarp() { __syncwarp(); }
__device__ __forceinline__ void sync_block() { __syncthreads(); }

}  // namespace warpspy::simt::inline on_gpu
