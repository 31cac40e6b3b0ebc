// The CUDA devices of this machine, or the one line that says why there are none.
#pragma once

#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

struct CudaDevices {
  std::vector<DeviceInfo> list;  // "cuda:0", "cuda:1", ...
  std::string reason, remedy;    // set when the list is empty
};

// Asks the driver. Figures that it does not tell come from the data sheet of a simulated GPU of the same name, if there
// is one, and stay absent otherwise.
CudaDevices cuda_devices(const std::vector<GpuSpec>& data_sheets);

}  // namespace warpspy
