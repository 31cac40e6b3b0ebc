// The catalog of what this program can do, as data for the window and the command line.
#include "core/formats/format.hpp"
#include "kernels/table/sources.hpp"
#include "kernels/vendor/library.hpp"
#include "profiling/cupti/library.hpp"
#include "profiling/cupti/plan.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/metrics/metrics.hpp"
#include "profiling/tuner/strategies.hpp"

namespace warpspy {

Catalog make_catalog(const std::string& assets) {
  Catalog c;
  for (const FormatRow& row : formats()) c.formats.push_back(row.info);
  for (const KernelRow& row : kernels()) c.kernels.push_back(row.info);
  for (const MetricRow& row : metrics()) {
    c.metrics.push_back(row.info);
    if (!row.cupti.empty()) c.metrics.back().cupti = row.cupti.front();
  }
  c.counter_sets = counter_sets();
  c.nvprof_names = nvprof_names();
  for (const std::string_view name : kernel_source_files())
    c.sources.push_back({std::string(name), std::string(kernel_source(name))});
  for (const StrategyRow& row : strategies()) c.strategies.push_back(row.info);
  c.devices = all_devices(assets);
  const VendorLibrary& vendor = vendor_library();
  c.libraries.push_back({vendor.name, vendor.available, vendor.version, vendor.path, vendor.reason, vendor.remedy});
  if (!c.devices.front().available) c.notices.push_back(c.devices.front().reason);
  for (const DeviceInfo& d : c.devices)
    if (!d.simulated && d.available && !d.access.open)
      c.notices.push_back(d.id + ": no hardware counters: " + d.access.reason + "; " + d.access.remedy +
                          ". Until then time is measured, and bytes are the least a format can move.");
  const CuptiLibrary& cupti = cupti_library();
  c.libraries.push_back({"CUPTI", cupti.available, cupti.version, cupti.path, cupti.reason, cupti.remedy});
  return c;
}

}  // namespace warpspy
