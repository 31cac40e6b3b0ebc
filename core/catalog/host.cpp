#include "core/catalog/host.hpp"

#include <algorithm>

namespace warpspy {

void put_devices(std::vector<DeviceInfo>& all, const std::string& host, const std::vector<DeviceInfo>& devices) {
  std::erase_if(all, [&](const DeviceInfo& d) { return host_of(d.id) == host; });
  const auto place = [&](const DeviceInfo& d) {
    if (host.empty() && d.simulated) return all.end();
    return std::find_if(all.begin(), all.end(),
                        [&](const DeviceInfo& o) { return o.simulated && (host.empty() || host_of(o.id).empty()); });
  };
  for (const DeviceInfo& d : devices) all.insert(place(d), d);
}

}  // namespace warpspy
