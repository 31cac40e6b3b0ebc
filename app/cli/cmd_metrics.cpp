// metrics: prints the table of counters, the sets of counters, and nvprof's names for them.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "app/wiring.hpp"
#include "core/base/json_text.hpp"
#include "profiling/cupti/host.hpp"
#include "profiling/cupti/library.hpp"
#include "profiling/cupti/plan.hpp"

namespace warpspy::cli {
namespace {

// The sets on one GPU architecture, or why there are none.
struct OnChip {
  std::string chip, reason;
  std::vector<CounterPlan> plans;
  std::map<std::string, std::string> failures;  // by set
};

OnChip look(const std::string& chip) {
  OnChip found;
  found.chip = chip;
  if (chip.empty()) return found;
  try {
    const ChipHost host(chip);
    for (const CounterSetInfo& set : counter_sets()) try {
        found.plans.push_back(plan_counters(host, set.id));
      } catch (const Error& e) {
        found.failures[set.id] = e.what();
      }
  } catch (const Error& e) {
    std::string known;
    for (const std::string& c : cupti_chips()) known += (known.empty() ? "" : ", ") + c;
    throw Error(e.reason, "--chip " + chip, known.empty() ? e.remedy : "known: " + known);
  }
  return found;
}

const PlannedCounter* planned(const OnChip& on, const std::string& id) {
  if (on.plans.empty()) return nullptr;
  for (const PlannedCounter& p : on.plans.back().counters)
    if (p.id == id) return &p;
  return nullptr;
}

std::string nvprof_of(const Catalog& c, const std::string& metric) {
  std::string names;
  for (const NvprofName& n : c.nvprof_names)
    if (n.metric == metric) names += (names.empty() ? "" : ", ") + n.name;
  return names;
}

void print_json(const Catalog& c, const OnChip& on) {
  auto list = nlohmann::ordered_json::array(), sets = list, names = list;
  for (const MetricInfo& m : c.metrics) {
    nlohmann::ordered_json row = {{"id", m.id},     {"label", m.label},     {"unit", m.unit},
                                  {"help", m.help}, {"set", m.counter_set}, {"cupti", m.cupti}};
    if (const PlannedCounter* p = planned(on, m.id)) {
      row["cupti"] = p->formula ? p->formula->text() : "";
      row["unavailable"] = p->formula ? nlohmann::ordered_json() : nlohmann::ordered_json(p->reason);
    }
    list.push_back(row);
  }
  for (const CounterSetInfo& s : c.counter_sets) {
    nlohmann::ordered_json row = {{"id", s.id}, {"help", s.help}, {"passes", nullptr}};
    for (const CounterPlan& p : on.plans)
      if (p.set == s.id) row["passes"] = p.config.passes;
    if (const auto at = on.failures.find(s.id); at != on.failures.end()) row["failure"] = at->second;
    sets.push_back(row);
  }
  for (const NvprofName& n : c.nvprof_names)
    names.push_back({{"nvprof", n.name}, {"metric", n.metric}, {"formula", n.formula}, {"note", n.note}});
  const nlohmann::ordered_json out = {
      {"chip", on.chip}, {"reason", on.reason}, {"sets", sets}, {"metrics", list}, {"nvprof", names}};
  std::cout << json_text(out) << "\n";
}

void print_text(const Catalog& c, const OnChip& on) {
  if (!on.chip.empty()) std::printf("chip %s\n", on.chip.c_str());
  if (!on.reason.empty()) std::printf("%s\n", on.reason.c_str());
  for (const CounterSetInfo& s : c.counter_sets) {
    std::string cost;
    for (const CounterPlan& p : on.plans)
      if (p.set == s.id) cost = " [" + std::to_string(p.config.passes) + (p.config.passes == 1 ? " pass]" : " passes]");
    if (const auto at = on.failures.find(s.id); at != on.failures.end()) cost = " [" + at->second + "]";
    std::printf("%-10s%s %s\n", s.id.c_str(), cost.c_str(), s.help.c_str());
  }
  for (const MetricInfo& m : c.metrics) {
    std::printf("\n%s  (%s)  %s\n  %s\n", m.id.c_str(), m.unit.c_str(), m.label.c_str(), m.help.c_str());
    const PlannedCounter* p = planned(on, m.id);
    const std::string how = !p ? m.cupti : p->formula ? p->formula->text() : p->reason;
    std::printf("  %s\n", m.counter_set.empty() ? "modelled only" : (m.counter_set + ": " + how).c_str());
    if (const std::string names = nvprof_of(c, m.id); !names.empty()) std::printf("  nvprof: %s\n", names.c_str());
  }
}

}  // namespace

int metrics(CLI::App& app, std::vector<std::string> args) {
  bool json = false;
  std::string chip;
  app.add_option("--chip", chip, "A chip as CUPTI calls it (GH100); default: that of the first CUDA device");
  app.add_flag("--json", json, "Print JSON");
  app.parse(std::move(args));
  const Services services = make_services();
  const DeviceInfo& device = services.catalog.devices.front();
  const OnChip on = look(chip.empty() ? device.access.chip : chip);
  OnChip shown = on;
  if (on.chip.empty()) shown.reason = device.available ? device.access.reason : "no CUDA device; --chip names one";
  if (json)
    print_json(services.catalog, shown);
  else
    print_text(services.catalog, shown);
  return 0;
}

}  // namespace warpspy::cli
