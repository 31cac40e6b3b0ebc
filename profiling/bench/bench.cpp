#include "profiling/bench/bench.hpp"

#include <string>

#include "core/base/utc.hpp"
#include "core/catalog/host.hpp"
#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "profiling/bench/plan.hpp"
#include "profiling/engine/devices.hpp"

namespace warpspy {

void check_options(const BenchOptions& options) {
  if (!options.against.empty() && options.against != "cusparse")
    throw Error("no library " + options.against + " to compare with", "--against", "known: cusparse");
  if (options.precisions.empty() || options.states.empty())
    throw Error("nothing to measure: no precision, or neither warm nor cold");
  for (const std::string& id : options.kernels)
    if (!kernel_row(id).info.library.empty())
      throw Error("kernel " + id + " is the library's own", "--kernels", "name kernels of this program");
}

BenchReport begin_bench(const BenchOptions& options, const std::vector<DeviceInfo>& devices, Engine& engine,
                        Progress& progress) {
  check_options(options);
  // If the driver of this machine reports an error, that error explains more than "no such device".
  if (const DeviceProbe probe = probe_devices(); cuda_number(options.device) && !probe.available)
    throw Error("the benchmark needs a CUDA device: " + probe.reason, {}, probe.remedy);
  BenchReport report;
  report.started = utc_now();
  report.device = *choose_device(options.device, devices).device;
  report.in_order = options.in_order;
  report.compact = options.compact;
  if (options.against.empty()) return report;
  report.against = "cuSPARSE";
  if (report.device.simulated) return report;
  const BenchMachine machine = engine.bench_machine(report.device.id, progress);
  report.against = machine.library;
  report.library_version = machine.library_version;
  report.driver_version = machine.driver_version;
  report.copy = machine.copy;
  report.l2 = machine.l2;
  return report;
}

void bench_matrix(const Matrix& matrix, const std::string& file, const BenchOptions& options, Executor& executor,
                  BenchReport& report, Progress& progress, const std::function<void(const BenchRow&)>& say,
                  const std::function<void(const Case&)>& begins) {
  const BenchPlan plan(matrix, file, options, report);
  Results results;
  std::size_t told = 0;
  PlanEvents events;
  events.begins = begins;
  events.ended = [&](const CaseResult&) {
    for (const auto& rows = plan.rows(results); told < rows.size(); ++told) {
      report.rows.push_back(rows[told]);
      say(report.rows.back());
    }
  };
  const MatrixOf same = [&](const std::string&, Progress&) -> const Matrix& { return matrix; };
  switch (executor.run(plan, same, progress, results, events)) {
    case PlanEnd::done:
      return;
    case PlanEnd::cancelled:
      throw Cancelled{};
    case PlanEnd::device_lost:
      throw DeviceLost(results.back().record->error);
  }
}

}  // namespace warpspy
