// THE table of metrics: what each counter is called, its unit, how the model computes it and how the hardware tells it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"
#include "profiling/simulated/simulate.hpp"

namespace warpspy {

struct MetricRow {
  MetricInfo info;
  std::optional<double> (*modelled)(const Simulation&, const GpuSpec&) = nullptr;  // nullptr: the model has no such
  const char* missing = "";             // why the model gives nothing for this run, when it does
  std::vector<std::string> cupti = {};  // formulas of CUPTI's metrics: the first whose metrics a chip has counts
};
const std::vector<MetricRow>& metrics();

// Every metric that the model has, in the table's order, tagged modelled.
std::vector<Counter> modelled_counters(const Simulation& s, const GpuSpec& gpu);

}  // namespace warpspy
