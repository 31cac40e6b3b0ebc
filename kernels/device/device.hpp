// Functions on CUDA devices for the rest of the program. They need no CUDA header, and exist in builds without CUDA
// too.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

class DeviceArrays;  // device_arrays.hpp
class Format;

// One CUDA device as the driver describes it. 0: the driver does not say.
struct DeviceProperties {
  int ordinal = 0;
  std::string name;             // "NVIDIA H200"
  std::string pci_bus_id = {};  // "0000:3B:00.0"
  int compute_capability = 0;   // 90 = 9.0
  int sm_count = 0;
  double clock_mhz = 0, memory_clock_mhz = 0;
  int memory_bus_bits = 0;
  std::size_t memory_bytes = 0, l2_bytes = 0, shared_bytes_per_sm = 0, shared_bytes_per_block = 0;
  int max_threads_per_sm = 0, max_blocks_per_sm = 0, max_threads_per_block = 0, registers_per_sm = 0;
  std::string uuid = {};                          // "GPU-xxxxxxxx-xxxx-..."; as nvidia-smi prints it
  std::string no_code = {}, no_code_remedy = {};  // one line each if this build has no code for the device
};

struct DeviceProbe {
  bool available = false;
  std::string reason;  // one line when not available: what is missing
  std::string remedy;
  int driver_version = 0, runtime_version = 0;  // 13000 = 13.0; 0 if there is none
  std::vector<DeviceProperties> devices;
};

// After this failure nothing runs on the device until the program is started again, since every later CUDA call returns
// the same error.
struct DeviceLost : Error {
  using Error::Error;
};

// Looks for CUDA devices, also those for which this build has no code. Never throws; the first call in a process
// creates no context.
DeviceProbe probe_devices();

// Chooses the device that later products of this host thread use. Throws Error if no device has that number, or there
// is no code for it.
void use_device(int ordinal);

// Throws an Error that names both sizes if `bytes` do not fit into the free memory of the current device.
void require_on_device(const std::string& what, double bytes);

// An array of a format that was made on the device, under the name that it has in Format::arrays().
struct ThereArray {
  std::string name;
  std::shared_ptr<void> memory;  // on the device
  std::size_t bytes = 0;
};

// Returns the arrays of a format on the device, for ProductInputs::kept; all products of the format share them. Arrays
// in `made` were made on the device. The others are copied when a product first asks for them. Returns nullptr without
// CUDA. Throws Error if an array in `made` has another size than the host's.
std::shared_ptr<DeviceArrays> kept_on_device(std::shared_ptr<const Format> format, std::vector<ThereArray> made = {});
// Copies all arrays of the format that are not yet on the device.
void copy_to_device(DeviceArrays& arrays);
// Returns a further copy of all arrays on the device, for a product that must not share them. Arrays that a kernel made
// from the format on the host are not made again.
std::shared_ptr<DeviceArrays> copied_on_device(const DeviceArrays& arrays);
// Shares the format's arrays, but not the arrays that kernels have prepared from them.
std::shared_ptr<DeviceArrays> unprepared_on_device(const DeviceArrays& arrays);

}  // namespace warpspy
