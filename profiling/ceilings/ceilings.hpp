// Measures the largest bandwidths and rates of a CUDA device: the roofs of its roofline.
#pragma once

#include <cstddef>
#include <vector>

#include "core/gpu/bench_machine.hpp"
#include "core/gpu/measured_roofs.hpp"
#include "core/jobs/progress.hpp"
#include "profiling/ceilings/store.hpp"

namespace warpspy {

// About four seconds on CUDA device `ordinal`, which the calling thread uses from then on. Throws Error when the build
// has no CUDA, there is no such device or CUDA reports a failure, and Cancelled.
MeasuredRoofs measure_roofs(int ordinal, Progress& progress);

// Half a second on CUDA device `ordinal`, which the calling thread uses from then on. Throws as measure_roofs.
L2Bandwidth measure_l2(int ordinal, const Progress& progress);

// The device as the store knows it. Throws Error when there is none of that number.
DeviceKey device_key(int ordinal);

// Working sets of the curve: from 2 MB to eight times the L2 of `l2_bytes`, close together around it; none larger than
// half of `free_bytes`.
std::vector<std::size_t> curve_sizes(std::size_t l2_bytes, std::size_t free_bytes);

// L2 as a roof: the fastest point of the curve that is well within L2 (half of it, below the knee of one that has two
// partitions). nullptr when no point is.
const WorkingSetPoint* below_the_knee(const std::vector<WorkingSetPoint>& curve, double l2_bytes);

}  // namespace warpspy
