// Keeps measured roofs between sessions, in one small JSON file per device. The files lie beside the copies of matrices
// in the user's cache folder.
#pragma once

#include <optional>
#include <string>

#include "core/gpu/measured_roofs.hpp"

namespace warpspy {

// Identifies a device, by what the driver says.
struct DeviceKey {
  std::string name, uuid;
  std::string driver;  // "13.0": the newest CUDA that it runs
};

// The file of a device's roofs: `folder`/roofs-<uuid>.json, or roofs-<name>.json if the driver gives no uuid. ""
// without a folder.
std::string roofs_path(const std::string& folder, const DeviceKey& device);

struct StoredRoofs {
  std::optional<MeasuredRoofs> roofs;
  std::string why_not;  // one line: there are none, they are damaged, or they are from another device or driver
};
// Never throws.
StoredRoofs load_roofs(const std::string& folder, const DeviceKey& device);

// The file is written under another name and renamed. Throws Error, with the file's name, if it cannot be written.
void save_roofs(const std::string& folder, const DeviceKey& device, const MeasuredRoofs& roofs);

// The folder of the files: cache_folder(), or "" if nothing may be kept (WARPSPY_CACHE=off).
std::string roofs_folder();

}  // namespace warpspy
