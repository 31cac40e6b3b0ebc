// Lists the devices, and chooses the one of the next run.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog/host.hpp"
#include "ui/services/runs/next_run.hpp"

namespace warpspy::ui {

namespace {

bool same(const std::vector<DeviceInfo>& a, const std::vector<DeviceInfo>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const DeviceInfo& x, const DeviceInfo& y) {
    return x.id == y.id && x.name == y.name && x.available == y.available && x.reason == y.reason &&
           x.counters == y.counters;
  });
}

const DeviceInfo* named(const std::vector<DeviceInfo>& devices, const std::string& id) {
  const auto at = std::find_if(devices.begin(), devices.end(), [&](const DeviceInfo& d) { return d.id == id; });
  return at == devices.end() ? nullptr : &*at;
}

// The devices of a machine appear and disappear together, so only the first is named.
std::string named_together(const std::vector<const DeviceInfo*>& devices) {
  const std::size_t more = devices.size() - 1;
  return devices.front()->name + (more == 0   ? ""
                                  : more == 1 ? " and one more"
                                              : " and " + std::to_string(more) + " more");
}

}  // namespace

void NextRun::choose_device() {
  // A real GPU if there is one; else the newest simulated one.
  const DeviceInfo* best = nullptr;
  for (const auto& d : s_.catalog->devices) {
    if (!d.available) continue;
    const bool better = !best || (best->simulated && !d.simulated) ||
                        (best->simulated == d.simulated && d.simulated && d.spec.year >= best->spec.year);
    if (better) best = &d;
  }
  // The user's usual device, if it is available.
  const auto usual = s_.settings.usual.find("device");
  const auto* set = usual == s_.settings.usual.end() ? nullptr : s_.catalog->device(usual->second);
  if (set && set->available) best = set;
  if (best) s_.knobs.device = best->id;
}

void NextRun::on(const SetDevice& a) {
  s_.awaited_device.clear();
  if (s_.catalog->device(a.id)) s_.knobs.device = a.id;
}

// Every list of devices must leave out a device that the engine refuses.
void NextRun::lose_device(const std::string& id, const std::string& reason) {
  Catalog& now = catalogs_.emplace_back(*s_.catalog);
  for (DeviceInfo& d : now.devices) {
    if (d.id != id) continue;
    d.available = false;
    d.reason = reason;
  }
  s_.catalog = &now;
}

void NextRun::use_engines() {
  std::vector<std::string> commands = options_.engines;
  for (const std::string& c : s_.settings.engines)
    if (std::find(commands.begin(), commands.end(), c) == commands.end()) commands.push_back(c);
  s_.engines = commands;
  engine_.use_others(commands);
}

void NextRun::take_devices(const std::string& host, const std::vector<DeviceInfo>& devices) {
  std::vector<DeviceInfo> before;
  for (const DeviceInfo& d : s_.catalog->devices)
    if (host_of(d.id) == host) before.push_back(d);
  if (same(before, devices)) return;
  Catalog& now = catalogs_.emplace_back(*s_.catalog);
  put_devices(now.devices, host, devices);
  s_.catalog = &now;

  std::vector<const DeviceInfo*> come, again, lost;
  for (const DeviceInfo& d : devices) {
    const DeviceInfo* old = named(before, d.id);
    if (d.available && old && !old->available) again.push_back(&d);
    if (d.available && !old && !d.simulated) come.push_back(&d);
    if (!d.available && !(old && !old->available)) lost.push_back(&d);
  }
  if (!come.empty()) say(Message::Kind::note, named_together(come) + (come.size() > 1 ? " are there." : " is there."));
  if (!again.empty())
    say(Message::Kind::note, named_together(again) + (again.size() > 1 ? " are there again." : " is there again."));
  if (!lost.empty()) say(Message::Kind::warning, named_together(lost) + ": " + lost.front()->reason);
  const DeviceInfo* awaited = s_.catalog->device(s_.awaited_device);
  if (awaited && awaited->available) {
    const std::string id = awaited->id;
    on(SetDevice{id});
  }
  if (!s_.device()) choose_device();
}

}  // namespace warpspy::ui
