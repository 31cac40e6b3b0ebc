// The same functions in a build without CUDA.
#if !defined(WARPSPY_HAVE_CUDA)
#include "core/base/types.hpp"
#include "kernels/device/device.hpp"

namespace warpspy {

DeviceProbe probe_devices() {
  return {.available = false,
          .reason = "built without CUDA",
          .remedy = "install the CUDA toolkit (12.0 or later; 12.6 for counters) and build again",
          .devices = {}};
}

std::shared_ptr<DeviceArrays> kept_on_device(std::shared_ptr<const Format>, std::vector<ThereArray>) { return nullptr; }
void require_on_device(const std::string&, double) {}
void copy_to_device(DeviceArrays&) {}
std::shared_ptr<DeviceArrays> copied_on_device(const DeviceArrays&) { return nullptr; }
std::shared_ptr<DeviceArrays> unprepared_on_device(const DeviceArrays&) { return nullptr; }

void use_device(int) { throw Error("built without CUDA", {}, probe_devices().remedy); }

}  // namespace warpspy
#endif
