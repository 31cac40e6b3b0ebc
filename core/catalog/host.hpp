// Finds the machine of a device from the device's id: "cuda:0" is in this machine, "cuda:0@gpubox" in the machine
// gpubox.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"

namespace warpspy {

// The name of the device's engine; "" for this machine.
inline std::string host_of(const std::string& device) {
  const std::size_t at = device.find('@');
  return at == std::string::npos ? "" : device.substr(at + 1);
}

// Replaces the devices of one machine in the list of all devices. Real devices stand before modelled ones.
void put_devices(std::vector<DeviceInfo>& all, const std::string& host, const std::vector<DeviceInfo>& devices);

}  // namespace warpspy
