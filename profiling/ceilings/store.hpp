// Measured roofs between sessions: one small JSON file per device, beside the copies of matrices in the user's cache
// folder.
#pragma once

#include <optional>
#include <string>

#include "core/gpu/measured_roofs.hpp"

namespace warpspy {

// Which device, as the driver tells it.
struct DeviceKey {
  std::string name, uuid;
  std::string driver;  // "13.0": the newest CUDA that it runs
};

// `folder`/roofs-<uuid>.json, or -<name> where the driver tells no uuid; "" without a folder.
std::string roofs_path(const std::string& folder, const DeviceKey& device);

struct StoredRoofs {
  std::optional<MeasuredRoofs> roofs;
  std::string why_not;  // one line: none are there, they are damaged, or of another device or driver
};
// Never throws.
StoredRoofs load_roofs(const std::string& folder, const DeviceKey& device);

// Written aside and renamed. Throws Error when the file cannot be written, naming it.
void save_roofs(const std::string& folder, const DeviceKey& device, const MeasuredRoofs& roofs);

// cache_folder(), or "" where nothing is to be kept (WARPSPY_CACHE=off).
std::string roofs_folder();

}  // namespace warpspy
