// An axis of time for the warps of an SM, of what the caches saw of them.
#pragma once

#include "core/gpu/gpu_spec.hpp"
#include "core/run/sm_axis.hpp"
#include "core/run/warp_trace.hpp"
#include "kernels/product/product.hpp"
#include "profiling/simulated/memory.hpp"

namespace warpspy {

// The warps of the log begin together. Each issues what it asks for before it waits, on the scheduler that its number
// gives it, where the one that is ready for longest goes first; then it waits as long as the time model says that this
// takes (memory.hpp). What a warp does without memory is spread evenly over its loads. Bandwidth is not on this axis:
// where it limits, all of it takes longer.
SmAxis schedule_of(const SmLog& log, const GpuSpec& gpu, const LaunchShape& shape, const WarpPlace& watched);

}  // namespace warpspy
