#include "core/base/utc.hpp"
#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "kernels/vendor/library.hpp"
#include "profiling/bench/bench.hpp"
#include "profiling/engine/devices.hpp"

namespace warpspy {

void check_options(const BenchOptions& options) {
  if (options.against != "cusparse")
    throw Error("no library " + options.against + " to compare with", "--against", "known: cusparse");
  if (options.precisions.empty() || options.states.empty())
    throw Error("nothing to measure: no precision, or neither warm nor cold");
  for (const std::string& id : options.kernels)
    if (!kernel_row(id).info.library.empty())
      throw Error("kernel " + id + " is the library's own", "--kernels", "name kernels of this program");
}

BenchReport begin_bench(const BenchOptions& options, const std::string& assets, const Progress& progress) {
  check_options(options);
  const DeviceProbe probe = probe_devices();
  if (!probe.available) throw Error("the benchmark needs a CUDA device: " + probe.reason, {}, probe.remedy);
  const VendorLibrary& library = vendor_library();
  if (!library.available)
    throw Error("the benchmark needs " + library.name + ": " + library.reason, {}, library.remedy);
  const std::vector<DeviceInfo> devices = all_devices(assets);
  const DeviceInfo& device = *choose_device(options.device, devices).device;
  if (device.simulated)
    throw Error("the benchmark measures, and " + device.id + " is simulated", {}, "use --device cuda");
  use_device(std::stoi(device.id.substr(5)));
  BenchReport report;
  report.started = utc_now();
  report.device = device;
  report.driver_version = probe.driver_version;
  report.against = library.name;
  report.in_order = options.in_order;
  report.compact = options.compact;
  report.library_version = library.version;
  report.copy = measure_copy(progress);
  report.l2 = measure_l2(std::stoi(device.id.substr(5)), progress);
  return report;
}

}  // namespace warpspy
