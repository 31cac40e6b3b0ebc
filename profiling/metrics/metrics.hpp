// The one table of metrics: the name of each counter, its unit, how the model computes it and how the hardware counts
// it.
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
  std::optional<double> (*modelled)(const Simulation&, const GpuSpec&) = nullptr;  // nullptr: the model does not
                                                                                   // compute it
  const char* missing = "";             // why the model may have no value for a run
  std::vector<std::string> cupti = {};  // formulas of CUPTI's metrics: the first whose metrics a chip has counts
};
const std::vector<MetricRow>& metrics();

// Computes all metrics of a simulated run, in the order of the table, with the provenance modelled.
std::vector<Counter> modelled_counters(const Simulation& s, const GpuSpec& gpu);

}  // namespace warpspy
