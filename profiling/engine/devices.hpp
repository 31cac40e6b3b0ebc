// Lists the devices, and finds the device that a request means.
#pragma once

#include <cstdint>
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

// The GPUs of a run over so many parts. "cuda:0+cuda:1" names one for each part, and may name a GPU more than once.
// "cuda", "cuda:N" and "auto" mean that GPU and those behind it in the list. A simulated GPU, and any device of one
// part, stands alone. Throws Error as choose_device(), and if there are not as many GPUs as parts.
struct ChosenTogether {
  std::vector<const DeviceInfo*> gpus;
  std::string note;  // as Chosen::note
};
ChosenTogether choose_together(const std::string& id, std::uint64_t parts, const std::vector<DeviceInfo>& devices);
// Whether an id names several GPUs.
inline bool are_together(const std::string& id) { return id.find('+') != std::string::npos; }

// The number in "cuda:N", 0 for "cuda"; nothing for another device.
std::optional<int> cuda_number(const std::string& id);

// Marks the device as not available, for this reason (one line). Returns the text for the user.
std::string mark_lost(std::vector<DeviceInfo>& devices, const std::string& id, const std::string& why);

}  // namespace warpspy
