// A warp without the run around it: by itself, in caches that are empty.
#pragma once

#include "core/gpu/gpu_spec.hpp"
#include "core/run/warp_trace.hpp"
#include "kernels/product/product.hpp"
#include "profiling/simulated/warp_watch.hpp"

namespace warpspy {

// Keeps the warp's block in the watch; of its warps only this one asks the caches. Nothing that it stores counts.
// Throws the emulator's Error.
void watch_alone(EmulatedProduct& product, const GpuSpec& gpu, const WarpPlace& place, WarpWatch& watch);

}  // namespace warpspy
