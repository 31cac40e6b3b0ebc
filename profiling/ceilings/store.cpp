#include "profiling/ceilings/store.hpp"

#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "core/base/regular_file.hpp"
#include "core/base/target.hpp"
#include "core/io/cache.hpp"

namespace warpspy {

namespace fs = std::filesystem;

std::string roofs_folder() {
  const char* chosen = std::getenv("WARPSPY_CACHE");
  return chosen && std::string(chosen) == "off" ? "" : cache_folder();
}

std::string roofs_path(const std::string& folder, const DeviceKey& device) {
  if (folder.empty()) return {};
  std::string name;
  for (const char c : device.uuid.empty() ? device.name : device.uuid)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return folder + "/roofs-" + name + ".json";
}

StoredRoofs load_roofs(const std::string& folder, const DeviceKey& device) {
  const std::string path = roofs_path(folder, device);
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
  MeasuredRoofs roofs;
  try {
    const auto text = path.empty() ? std::nullopt : read_file_if_there(path, kMostBytes, {"file of roofs", ""});
    if (!text) return {{}, "the roofs of " + device.name + " have not been measured yet"};
    roofs = measured_roofs_from_json(*text);
  } catch (const Error& e) {
    return {{}, path + ": " + e.reason};
  }
  if (roofs.uuid != device.uuid || roofs.device != device.name)
    return {{}, path + ": the roofs kept there are those of another device (" + roofs.device + ")"};
  if (roofs.driver != device.driver)
    return {{}, path + ": the roofs kept there were measured with another driver (CUDA " + roofs.driver + ")"};
  return {std::move(roofs), {}};
}

void save_roofs(const std::string& folder, const DeviceKey& device, const MeasuredRoofs& roofs) {
  const std::string path = roofs_path(folder, device);
  if (path.empty()) return;
  std::error_code failed;
  fs::create_directories(folder, failed);
  try {
    write_file(path, to_json(roofs) + "\n");
  } catch (const Error& e) {
    throw Error("the measured roofs cannot be kept: " + e.reason, path,
                "make the folder writable, or set XDG_CACHE_HOME");
  }
}

}  // namespace warpspy
