// THE table of metrics: what each counter is called, its unit, and how the model computes it.
#pragma once

#include <optional>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"
#include "profiling/simulated/simulate.hpp"

namespace warpspy {

struct MetricRow {
  MetricInfo info;
  std::optional<double> (*modelled)(const Simulation&, const GpuSpec&) = nullptr;  // nothing: not available here
  const char* missing = "";                                                        // then, why
};
const std::vector<MetricRow>& metrics();

// Every metric of the table, in its order, tagged modelled.
std::vector<Counter> modelled_counters(const Simulation& s, const GpuSpec& gpu);
// Every metric of the table, unavailable for `reason`.
std::vector<Counter> unavailable_counters(const std::string& reason, const std::string& remedy);

}  // namespace warpspy
