// Lists the CUDA devices of this machine. If there are none, one line tells why.
#pragma once

#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

struct CudaDevices {
  std::vector<DeviceInfo> list;  // "cuda:0", "cuda:1", ...
  std::string reason, remedy;    // set when the list is empty
};

// Asks the driver for the devices. Numbers that the driver does not give come from the simulated GPU of the same name;
// if there is none, they stay absent.
CudaDevices cuda_devices(const std::vector<GpuSpec>& data_sheets);

}  // namespace warpspy
