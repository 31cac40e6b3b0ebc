// Which machine a device is in, by its id: "cuda:0" is in this one, "cuda:0@gpubox" in another.
#pragma once

#include <cstddef>
#include <string>

namespace warpspy {

// The name of its engine; "": this machine.
inline std::string host_of(const std::string& device) {
  const std::size_t at = device.find('@');
  return at == std::string::npos ? "" : device.substr(at + 1);
}

}  // namespace warpspy
