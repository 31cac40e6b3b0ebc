// Lists the devices, and finds the device that a request means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

// Lists CUDA devices first, then simulated ones. Without a CUDA device the list begins with "cuda:0", which is not
// available.
std::vector<DeviceInfo> all_devices(const std::string& assets);

struct Chosen {
  const DeviceInfo* device = nullptr;
  std::string note;  // one line if "auto" had to choose a simulated GPU
};
// Returns the device for an id. "auto" is the first CUDA device of this machine that is available, or else the
// simulated H200. "cuda" means "cuda:0". Throws Error for an unknown device, listing the known ones, and for one that
// is not available.
Chosen choose_device(const std::string& id, const std::vector<DeviceInfo>& devices);

// The number in "cuda:N", 0 for "cuda"; nothing for another device.
std::optional<int> cuda_number(const std::string& id);

// Marks the device as not available, for this reason (one line). Returns the text for the user.
std::string mark_lost(std::vector<DeviceInfo>& devices, const std::string& id, const std::string& why);

}  // namespace warpspy
