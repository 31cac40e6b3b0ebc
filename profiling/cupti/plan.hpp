// Plans the reading of a set of counters on one chip: which of the table's metrics the chip can read, how, and in how
// many passes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run/record.hpp"
#include "profiling/cupti/formula.hpp"
#include "profiling/cupti/host.hpp"

namespace warpspy {

// The one list of sets, smallest first.
const std::vector<CounterSetInfo>& counter_sets();
// Position in counter_sets(); throws Error, listing the known ones, for an unknown id ("none" is no set).
int counter_set_index(const std::string& id);
// The names that nvprof, an older profiler, used for counters, in the order of the papers.
const std::vector<NvprofName>& nvprof_names();

struct PlannedCounter {
  std::string id, unit;
  std::optional<Formula> formula;  // nothing: the chip lacks a metric that it needs
  std::string reason;              // then, which
};

struct CounterPlan {
  std::string set, chip;
  std::vector<PlannedCounter> counters;  // the metrics of this set and of the sets before it, in the table's order
  CounterConfig config;

  // Makes every counter of the plan from CUPTI's values by name. A counter has a value, or the reason why there is
  // none. A single metric is measured; a formula of several metrics is derived.
  std::vector<Counter> counters_of(const std::map<std::string, double>& values) const;
};

// The counters of `set`: those that the GPU can read, and why it cannot read the others.
// Throws CounterFailure when the chip reads none of them.
CounterPlan plan_counters(const ChipHost& host, const std::string& set);

// The counters of `set` and of the smaller sets, all unavailable for this reason.
std::vector<Counter> unavailable_counters(const std::string& set, const std::string& reason, const std::string& remedy);

}  // namespace warpspy
