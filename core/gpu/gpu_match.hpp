// Which of the simulated GPUs a real one is.
#pragma once

#include <string>
#include <vector>

#include "core/gpu/gpu_spec.hpp"

namespace warpspy {

// The description of the GPU that a driver calls `device_name`: "NVIDIA H200" finds h200, "Tesla V100-SXM2-16GB" finds
// v100. By the id in the name, and the compute capability (90 = 9.0). nullptr when there is none.
const GpuSpec* spec_of_device(const std::string& device_name, int compute_capability,
                              const std::vector<GpuSpec>& specs);

}  // namespace warpspy
