#include "profiling/engine/device_runner.hpp"

#include <cmath>
#include <cstdio>

#include "core/run/request_options.hpp"
#include "kernels/device/architectures.hpp"
#include "kernels/device/device.hpp"
#include "profiling/engine/devices.hpp"

namespace warpspy {
namespace {

void check_on_device(const PreparedRun& run, RunRecord& r, const MakeProduct& make, DeviceProduct& timed) {
  const std::vector<RowRange> all = {{0, static_cast<index_t>(run.reference->y.size())}};
  if (run.inputs().beta == 0) return check(run, r, timed.y(), all);
  // A second product would add to the y of the first one.
  const auto fresh = make();
  launch_once(*fresh);
  check(run, r, fresh->y(), all);
}

// The machine's name and driver, for figures and for comparing runs of the same device.
void add_driver(RunRecord& r) {
  static const int version = probe_devices().driver_version;  // asked only once, since live runs are frequent
  r.details.push_back(
      {"driver", "driver of CUDA", {version / 1000 + version % 1000 / 100.0, "1", Provenance::measured}});
}

}  // namespace

void DeviceRunner::run(const PreparedRun& run, RunRecord& r, Progress& progress, const OnTimed& on_timed) {
  const bool live = run.request.live && run.request.counters != "none";
  if (parts_.counters && !live) parts_.counters->release();
  progress.stage("running");
  note_unheard(run, used_on(compiled_gpu_code(), run.device.spec.compute_capability), r);
  const MakeProduct make = products_of(run, run.kept);
  const Rotation& rotation = rotation_for(run, r.device, live, make, progress);
  const ProductTime time = parts_.time(rotation, run.request.budget_s, progress);
  set_time(r, run.flops(), time.us, Provenance::measured, time.how);
  for (Detail& d : details_of(time)) r.details.push_back(std::move(d));
  add_driver(r);
  add_total(run, r);
  if (!time.clock_note.empty()) r.notes.push_back(time.clock_note);
  // A product that stays on the device is checked once, since it always computes the same numbers.
  if (kept_->check)
    set_check(r, *kept_->check);
  else
    check_on_device(run, r, make, *rotation.copies.front());
  kept_->check = r.check;
  if (run.request.counters == "none" && !run.request.lines) return kept_.reset();
  if (on_timed) {
    RunRecord so_far = r;
    so_far.status = RunStatus::ok;
    on_timed(so_far);
  }
  if (run.request.counters != "none") {
    progress.stage("reading counters");
    set_counters(r, counters_of(run, *rotation.copies.front(), progress));
  }
  if (run.request.lines) {
    progress.stage("counting instructions");
    set_lines(r, lines_of(run, *rotation.copies.front(), live, progress));
  }
  if (parts_.counters && !live) parts_.counters->release();
  if (!live) kept_.reset();
}

void DeviceRunner::solve(const PreparedRun& run, RunRecord& r, SolveVectors* given, Progress& progress) {
  kept_.reset();
  if (parts_.counters) parts_.counters->release();
  const std::unique_ptr<DeviceProduct> one = run_device_solve(run, r, given, progress);
  add_driver(r);
  if (run.request.counters != "none") {
    progress.stage("reading counters");
    set_counters(r, counters_of(run, *one, progress));
  }
  if (parts_.counters) parts_.counters->release();
}

const Rotation& DeviceRunner::rotation_for(const PreparedRun& run, const std::string& device, bool live,
                                           const MakeProduct& make, const Progress& progress) {
  RunRequest what = product_of(run.request);
  what.device = device;
  if (live && kept_ && kept_->request == what && kept_->matrix == run.matrix) return kept_->rotation;
  kept_.reset();  // first: both may not fit
  kept_.emplace(Kept{std::move(what), run.matrix, parts_.prepare(run.request.cache_state, make, progress)});
  return kept_->rotation;
}

CounterOutcome DeviceRunner::counters_of(const PreparedRun& run, DeviceProduct& product, const Progress& progress) {
  const std::string& set = run.request.counters;
  const CounterAccess& access = run.device.access;
  if (!parts_.counters) return closed_counters(set, "this engine reads no counters", {});
  if (!access.open && !access.reason.empty()) return closed_counters(set, access.reason, access.remedy);
  const int ordinal = *cuda_number(run.device.id);
  try {
    return collect_counters(*parts_.counters, ordinal, set, parts_.count(product, run.request.cache_state), progress);
  } catch (const Cancelled&) {
    throw;
  } catch (const DeviceLost& e) {
    CounterOutcome o = closed_counters(set, "the device was lost before counters were read: " + e.reason, e.remedy);
    o.lost = e.reason;
    return o;
  } catch (const Error& e) {
    // Even the flush of L2 could not be prepared.
    return closed_counters(set, e.reason, e.remedy);
  }
}

LineOutcome DeviceRunner::lines_of(const PreparedRun& run, DeviceProduct& product, bool live,
                                   const Progress& progress) {
  const auto closed = [](const std::string& reason, const std::string& remedy = {}) {
    return LineOutcome{{}, remedy.empty() ? reason : reason + "; " + remedy, {}, 0, {}};
  };
  const CounterAccess& access = run.device.access;
  if (!parts_.counters) return closed("this engine counts no instructions");
  if (live) return closed("instructions are not counted while runs follow a slider", "run again (F5)");
  if (!access.open && !access.reason.empty()) return closed(access.reason, access.remedy);
  if (!run.device.available) return closed("the device was lost while counters were read");
  try {
    return collect_lines(*parts_.counters, *cuda_number(run.device.id), parts_.count(product, CacheState::warm),
                         progress);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& e) {
    return closed(e.reason, e.remedy);
  }
}

void DeviceRunner::set_lines(RunRecord& r, LineOutcome o) {
  r.lines = std::move(o.lines);
  r.lines_reason = std::move(o.reason);
  for (std::string& n : o.notes) r.notes.push_back(std::move(n));
  if (!o.lost.empty()) lose_(r.device, o.lost);
  if (r.lines.empty()) return;
  r.details.push_back({"line_latency", "counting of instructions", {o.ms, "ms", Provenance::measured}});
  // The same sectors are counted in two ways; the user should know if they differ.
  double sum = 0;
  for (const Traffic& t : r.lines) sum += t.sectors;
  const Counter* all = r.counter("sectors");
  if (!all || !all->value || *all->value <= 0 || std::abs(sum - *all->value) <= 0.01 * *all->value) return;
  char text[160];
  std::snprintf(text, sizeof text, "the source lines hold %.4g sectors, %.3g %% of what the counter of sectors saw",
                sum, 100 * sum / *all->value);
  r.notes.push_back(text);
}

void DeviceRunner::set_counters(RunRecord& r, CounterOutcome o) {
  r.counters = std::move(o.counters);
  r.traffic_source = o.traffic_source;
  for (std::string& n : o.notes) r.notes.push_back(std::move(n));
  if (o.traffic_source == TrafficSource::counters) {
    r.details.push_back(
        {"counter_passes", "passes for counters", {static_cast<double>(o.passes), "1", Provenance::measured}});
    r.details.push_back({"counter_latency", "reading of counters", {o.ms, "ms", Provenance::measured}});
  }
  if (!o.lost.empty()) lose_(r.device, o.lost);
}

}  // namespace warpspy
