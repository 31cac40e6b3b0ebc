// The layer that lets one kernel source compile for the GPU and for the emulator.
//
// A kernel is a small struct whose fields are its arguments and whose `SIMT_DEVICE void operator()(simt::Thread t)
// const` is what one thread does. It touches memory only through
//     ld(array, i)   ld<CachePolicy::read_only>(array, i)   st(array, i, value)   atomic_add(array, i, value)
//     SIMT_SHARED(T, name, count)
// and meets other lanes only through
//     shfl_down  shfl_xor  ballot  syncwarp  sync_block
// Compiled by nvcc these are single instructions; compiled by the host compiler they run in the emulator, which checks
// every index and records every access.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/simt/trace.hpp"

// Everything that differs between the two compilers lives in an inline namespace of this name, kernels included, so
// that the two versions of a type never meet in the linker.
#if defined(__CUDACC__)
#define SIMT_TARGET on_gpu
#define SIMT_DEVICE __device__ __forceinline__
#else
#define SIMT_TARGET emulated
#define SIMT_DEVICE
#endif

namespace warpspy::simt {

constexpr int warp_size = 32;

}  // namespace warpspy::simt

#if defined(__CUDACC__)
#include "kernels/simt/gpu.cuh"
#else
#include "kernels/simt/lane.hpp"
#endif
