#include "profiling/cupti/plan.hpp"

#include <algorithm>
#include <cmath>

#include "profiling/cupti/failure.hpp"
#include "profiling/metrics/metrics.hpp"

namespace warpspy {
namespace {

bool in_set(const MetricRow& m, int set) { return !m.cupti.empty() && counter_set_index(m.info.counter_set) <= set; }

// The first formula of the metric for which this chip has all counters.
PlannedCounter planned(const MetricRow& m, const ChipHost& host) {
  PlannedCounter c;
  c.id = m.info.id;
  c.unit = m.info.unit;
  std::string lacks;
  for (const std::string& text : m.cupti) {
    Formula f(text);
    const auto missing =
        std::find_if(f.names().begin(), f.names().end(), [&](const std::string& n) { return !host.has(n); });
    if (missing == f.names().end()) {
      c.formula = std::move(f);
      return c;
    }
    if (lacks.empty()) lacks = *missing;
  }
  c.reason = "chip " + host.chip() + " has no counter " + lacks;
  return c;
}

}  // namespace

int counter_set_index(const std::string& id) {
  const auto& sets = counter_sets();
  const auto at = std::find_if(sets.begin(), sets.end(), [&](const CounterSetInfo& s) { return s.id == id; });
  if (at != sets.end()) return static_cast<int>(at - sets.begin());
  std::string known = "none";
  for (const CounterSetInfo& s : sets) known += ", " + s.id;
  throw Error("there is no set of counters " + id, "counters", "known: " + known);
}

CounterPlan plan_counters(const ChipHost& host, const std::string& set) {
  CounterPlan plan;
  plan.set = set;
  plan.chip = host.chip();
  const int index = counter_set_index(set);
  std::vector<std::string> names;
  for (const MetricRow& m : metrics()) {
    if (!in_set(m, index)) continue;
    plan.counters.push_back(planned(m, host));
    if (!plan.counters.back().formula) continue;
    for (const std::string& n : plan.counters.back().formula->names())
      if (std::find(names.begin(), names.end(), n) == names.end()) names.push_back(n);
  }
  if (names.empty())
    throw CounterFailure("chip " + host.chip() + " has none of the counters of the set " + set,
                         "choose a larger set of counters");
  plan.config = host.config(std::move(names));
  return plan;
}

std::vector<Counter> CounterPlan::counters_of(const std::map<std::string, double>& values) const {
  std::vector<Counter> list;
  for (const PlannedCounter& p : counters) {
    Counter c;
    c.id = p.id;
    c.unit = p.unit;
    c.provenance = Provenance::measured;
    list.push_back(c);
    Counter& kept = list.back();
    if (!p.formula) {
      kept.reason = p.reason;
      kept.remedy = "none on this GPU; another may have it";
      continue;
    }
    kept.provenance = p.formula->is_one_metric() ? Provenance::measured : Provenance::derived;
    kept.value = p.formula->value(values);
    if (kept.value) continue;
    for (const std::string& n : p.formula->names()) {
      const auto at = values.find(n);
      if (at != values.end() && std::isfinite(at->second)) continue;
      kept.reason = "the profiler gave no number for " + n;
      kept.remedy = "run again; if it stays so, choose a smaller set of counters";
      break;
    }
    if (!kept.reason.empty()) continue;
    kept.reason = "nothing of the kind happened in this run: " + p.formula->text() + " divides by 0";
    kept.remedy = "none needed";
  }
  return list;
}

std::vector<Counter> unavailable_counters(const std::string& set, const std::string& reason,
                                          const std::string& remedy) {
  std::vector<Counter> list;
  const int index = counter_set_index(set);
  for (const MetricRow& m : metrics()) {
    if (!in_set(m, index)) continue;
    Counter c;
    c.id = m.info.id;
    c.unit = m.info.unit;
    c.provenance = Provenance::measured;
    c.reason = reason;
    c.remedy = remedy;
    list.push_back(std::move(c));
  }
  return list;
}

}  // namespace warpspy
