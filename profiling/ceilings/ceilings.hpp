// Measures the largest bandwidths and rates of a CUDA device: the roofs of its roofline.
#pragma once

#include <cstddef>
#include <vector>

#include "core/gpu/bench_machine.hpp"
#include "core/gpu/measured_roofs.hpp"
#include "core/jobs/progress.hpp"
#include "profiling/ceilings/store.hpp"

namespace warpspy {

// Measures all roofs of CUDA device `ordinal`, which takes about four seconds. The calling thread uses that device from
// then on. Throws Error when the build has no CUDA, there is no such device or CUDA reports a failure, and Cancelled.
MeasuredRoofs measure_roofs(int ordinal, Progress& progress);

// Measures the bandwidth of L2 only, which takes half a second. The calling thread uses CUDA device `ordinal` from then
// on. Throws as measure_roofs() does.
L2Bandwidth measure_l2(int ordinal, const Progress& progress);

// Returns the key under which a device's roofs are stored. Throws Error if no device has that number.
DeviceKey device_key(int ordinal);

// The working sets for which the read bandwidth is measured. They go from 2 MB to eight times the size of L2 and lie
// close together around it. None is larger than half of `free_bytes`.
std::vector<std::size_t> curve_sizes(std::size_t l2_bytes, std::size_t free_bytes);

// Returns the fastest point of the curve whose working set lies well within L2: the bandwidth of L2. It must be at most
// half of L2, since an L2 with two partitions becomes slower beyond that. nullptr if there is no such point.
const WorkingSetPoint* below_the_knee(const std::vector<WorkingSetPoint>& curve, double l2_bytes);

}  // namespace warpspy
