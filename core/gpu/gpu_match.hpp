// Finds the simulated GPU that describes a real GPU.
#pragma once

#include <string>
#include <vector>

#include "core/gpu/gpu_spec.hpp"

namespace warpspy {

// The description of the GPU that a driver calls `device_name`: "NVIDIA H200" finds h200, "Tesla V100-SXM2-16GB" finds
// v100. The name must contain the id, and the compute capability (90 = 9.0) must be the same. nullptr if no description
// fits.
const GpuSpec* spec_of_device(const std::string& device_name, int compute_capability,
                              const std::vector<GpuSpec>& specs);

}  // namespace warpspy
