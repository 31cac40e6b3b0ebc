// Which machine a device is in, by its id: "cuda:0" is in this one, "cuda:0@gpubox" in another.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

// The name of its engine; "": this machine.
inline std::string host_of(const std::string& device) {
  const std::size_t at = device.find('@');
  return at == std::string::npos ? "" : device.substr(at + 1);
}

// The devices of a machine in a list of all, in the place of those that it had there. Real ones stand before those that
// are only modelled.
void put_devices(std::vector<DeviceInfo>& all, const std::string& host, const std::vector<DeviceInfo>& devices);

}  // namespace warpspy
