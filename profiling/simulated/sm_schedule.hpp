// Puts the warps of an SM on an axis of time, from their requests to the caches.
#pragma once

#include "core/gpu/gpu_spec.hpp"
#include "core/run/sm_axis.hpp"
#include "core/run/warp_trace.hpp"
#include "kernels/product/product.hpp"
#include "profiling/simulated/memory.hpp"

namespace warpspy {

// The warps of the log begin together. A warp issues its requests up to the next wait, on the scheduler that its number
// decides; there the warp that has been ready longest goes first. Then it waits as long as the time model says
// (memory.hpp). Steps without memory are spread evenly over its loads. The axis ignores bandwidth; where bandwidth
// limits, everything takes longer.
SmAxis schedule_of(const SmLog& log, const GpuSpec& gpu, const LaunchShape& shape, const WarpPlace& watched);

}  // namespace warpspy
