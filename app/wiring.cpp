#include "app/wiring.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/version.hpp"
#include "core/catalog/host.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/run/engine_command.hpp"
#include "kernels/device/device.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/remote/engines.hpp"

namespace warpspy {

namespace fs = std::filesystem;

std::string assets_folder() {
  std::error_code ignored;
  const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const char* chosen = std::getenv("WARPSPY_ASSETS");
  const fs::path places[] = {chosen ? fs::path(chosen) : beside / "../share/warpspy", beside / "../share/warpspy",
                             WARPSPY_ASSETS_IN_SOURCE};
  for (const fs::path& place : places)
    if (fs::is_directory(place / "gpus", ignored)) return place.lexically_normal().string();
  throw Error("the folder of simulated GPUs (assets/gpus) was not found", {},
              "set WARPSPY_ASSETS to the project's assets folder");
}

namespace {

std::unique_ptr<Engine> make_window_engine(const std::string& assets, bool in_process) {
  RemoteOptions options;
  options.program = short_version();
  auto engines = std::make_unique<Engines>(options);
  if (in_process) {
    engines->set_own(make_engine(assets));
    return engines;
  }
  options.on_devices = [to = engines.get()](const std::vector<DeviceInfo>& devices) { to->tell_own(devices); };
  // The executable that is running now, even if another version was installed meanwhile.
  engines->set_own(make_remote_engine({"/proc/self/exe", {"warpspy", "engine", "--idle"}, ""}, options));
  return engines;
}

Services with_notices(Services services) {
  if (const std::string warning = memory_warning(memory_state()); !warning.empty())
    services.catalog.notices.push_back(warning);
  return services;
}

// Asks each engine once: for its devices, or why it has none.
std::map<std::string, std::vector<DeviceInfo>> devices_of(Engine& engines, const std::vector<std::string>& commands) {
  std::set<std::string> hosts;
  for (const std::string& command : commands)
    if (!hosts.insert(engine_command(command).host).second)
      throw Error("two engines have the name " + engine_command(command).host, "--engine-command " + command,
                  "name each machine once");
  std::mutex mutex;
  std::condition_variable answered;
  std::map<std::string, std::vector<DeviceInfo>> answers;
  engines.on_devices([&](const std::string& host, const std::vector<DeviceInfo>& devices) {
    const std::lock_guard lock(mutex);
    if (hosts.contains(host)) answers[host] = devices;
    answered.notify_one();
  });
  engines.use_others(commands);
  {
    std::unique_lock lock(mutex);
    answered.wait(lock, [&] { return answers.size() == hosts.size(); });
  }
  engines.on_devices({});
  return answers;
}

void join(Services& services, const std::vector<std::string>& commands) {
  RemoteOptions options;
  options.program = short_version();
  auto engines = std::make_unique<Engines>(options);
  engines->set_own(std::move(services.engine));
  for (const auto& [host, devices] : devices_of(*engines, commands)) {
    const bool any = std::any_of(devices.begin(), devices.end(), [](const DeviceInfo& d) { return d.available; });
    if (!any) {
      const std::string reason = devices.empty() ? "the engine has no device" : devices.front().reason;
      throw Error(reason.substr(0, reason.find("; the next try")), host);  // a command makes one
    }
    put_devices(services.catalog.devices, host, devices);
  }
  services.engine = std::move(engines);
}

}  // namespace

Maker maker_here() {
  const DeviceProbe probe = probe_devices();
  const int driver = probe.devices.empty() ? 0 : probe.driver_version;
  return {short_version(), "",
          driver > 0 ? std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10) : ""};
}

Services make_services(const std::vector<std::string>& others, Ranks* ranks) {
  const std::string assets = assets_folder();
  Services services = with_notices({make_catalog(assets), make_engine(assets, {}, ranks)});
  if (!others.empty()) join(services, others);
  return services;
}

Services make_window_services(bool in_process) {
  const std::string assets = assets_folder();
  return with_notices({make_catalog(assets), make_window_engine(assets, in_process)});
}

}  // namespace warpspy
