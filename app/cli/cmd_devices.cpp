#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "app/cli/request_options.hpp"
#include "app/wiring.hpp"
#include "core/base/json_text.hpp"
#include "core/study/held.hpp"

namespace warpspy::cli {
namespace {

nlohmann::ordered_json json_of(const CounterAccess& a) {
  return {{"open", a.open},     {"obstacle", a.obstacle}, {"reason", a.reason},
          {"remedy", a.remedy}, {"chip", a.chip},         {"passes", a.passes}};
}

nlohmann::ordered_json json_of(const DeviceInfo& d, const StudyResults& held) {
  const bool real = !d.simulated && d.available;
  return {{"id", d.id},
          {"name", d.name},
          {"kind", d.simulated ? "simulated" : "cuda"},
          {"available", d.available},
          {"reason", d.reason},
          {"counters", d.counters},
          {"held", d.simulated ? nlohmann::ordered_json(held_text(held, d.spec.id)) : nlohmann::ordered_json()},
          {"counter_access", real ? json_of(d.access) : nlohmann::ordered_json()},
          {"provenance", name_of(d.simulated ? Provenance::modelled : Provenance::measured)}};
}

nlohmann::ordered_json json_of(const LibraryInfo& l) {
  return {{"name", l.name}, {"available", l.available}, {"version", l.version},
          {"path", l.path}, {"reason", l.reason},       {"remedy", l.remedy}};
}

}  // namespace

int devices(CLI::App& app, std::vector<std::string> args) {
  bool json = false;
  std::vector<std::string> engines;
  app.add_flag("--json", json, "Print JSON");
  add_engines(app, engines);
  app.parse(std::move(args));
  const Services services = make_services(engines);
  const StudyResults held = read_study_results(assets_folder() + "/studies");
  if (json) {
    auto list = nlohmann::ordered_json::array();
    for (const DeviceInfo& d : services.catalog.devices) list.push_back(json_of(d, held));
    auto libraries = nlohmann::ordered_json::array();
    for (const LibraryInfo& l : services.catalog.libraries) libraries.push_back(json_of(l));
    const nlohmann::ordered_json out = {
        {"devices", list}, {"libraries", libraries}, {"notices", services.catalog.notices}};
    std::cout << json_text(out) << "\n";
    return 0;
  }
  for (const std::string& notice : services.catalog.notices) std::printf("%s\n", notice.c_str());
  std::size_t id = 14, name = 26;  // engines of other machines make them longer
  for (const DeviceInfo& d : services.catalog.devices)
    id = std::max(id, d.id.size()), name = std::max(name, d.name.size());
  for (const DeviceInfo& d : services.catalog.devices) {
    const std::string text = !d.available ? d.reason : d.simulated ? "model " + held_text(held, d.spec.id) : d.counters;
    std::printf("%-*s %-*s %s\n", static_cast<int>(id), d.id.c_str(), static_cast<int>(name), d.name.c_str(),
                text.c_str());
  }
  for (const LibraryInfo& l : services.catalog.libraries)
    std::printf("%-*s %s\n", static_cast<int>(id), l.name.c_str(),
                (l.available ? l.version + ", " + l.path : l.reason + "; " + l.remedy).c_str());
  return 0;
}

}  // namespace warpspy::cli
