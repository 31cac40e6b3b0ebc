#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <new>
#include <optional>

#include "core/base/utc.hpp"
#include "core/formats/format.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/model/bytes.hpp"
#include "core/model/physics.hpp"
#include "kernels/device/architectures.hpp"
#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "kernels/vendor/library.hpp"
#include "profiling/ceilings/ceilings.hpp"
#include "profiling/cupti/library.hpp"
#include "profiling/cupti/plan.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/prepare.hpp"
#include "profiling/engine/tune_engine.hpp"
#include "profiling/metrics.hpp"
#include "profiling/simulated/coalesce.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/simulated/time_model.hpp"
#include "profiling/timing/timing.hpp"
#include "profiling/tuner/strategies.hpp"

namespace warpspy {
namespace {

// A run this short is one of many that follow a slider: the device's counters are kept for the next one then, since
// taking them anew costs more than such a run. All others are timed with the counters let go.

// Everything that both kinds of device need for one run.
struct Job {
  const RunRequest& request;
  std::shared_ptr<const Csr> matrix;
  const KernelRow& kernel;
  const DeviceInfo& device;
  ParamSet params;
  std::shared_ptr<const Format> format;
  Preparation::Vectors vectors;
  std::shared_ptr<const Reference> reference;

  ProductInputs inputs() const {
    return {format, request.precision, params, *vectors.x, request.alpha, beta_of(kernel.info, request), *vectors.y};
  }
  // Multiplications and additions that count as useful.
  double flops() const {
    if (kernel.info.operation != Operation::axpy) return product_flops(matrix->nnz());
    return product_flops((matrix->cols() + stride_of(params) - 1) / stride_of(params));
  }
  // Each array once: those of the format, x, y, and y once more where it is read first.
  double minimum_bytes() const {
    const double bytes = bytes_of(request.precision);
    const Operation o = kernel.info.operation;
    const double out = static_cast<double>(output_size(o, matrix->rows(), matrix->cols()));
    const double again = beta_of(kernel.info, request) != 0 ? out * bytes : 0;
    if (o == Operation::axpy) return flops() / 2 * 3 * bytes;
    return static_cast<double>(warpspy::minimum_bytes(kernel, format->size(), *matrix, request.precision)) + again;
  }
  // Why the result is not the product, or "".
  std::string not_a_product() const {
    for (const char* id : {"x_cache", "matrix_cache"}) {
      const auto at = params.find(id);
      if (at != params.end() && simt::is_constant(static_cast<simt::CachePolicy>(at->second)))
        return "not checked: with constant loads the kernel computes no product";
    }
    return {};
  }
};

// Rows of a CSR kernel's block, where blocks hold whole rows in order; 0 for other kernels.
index_t rows_per_block(const KernelInfo& kernel, const ParamSet& params) {
  if (kernel.id != "csr_scalar" && kernel.id != "csr_vector") return 0;
  const auto value = [&](const char* id) {
    const auto at = params.find(id);
    return at == params.end() ? index_t{1} : static_cast<index_t>(at->second);
  };
  return std::max<index_t>(1, value("block_size") / value("coop") * value("repeat"));
}

// The papers' counts of work and bytes, beside those that are measured or modelled.
void add_counts(const Job& job, Preparation& preparation, RunRecord& r) {
  const auto add = [&](const char* id, const char* label, double value, const char* unit) {
    r.details.push_back({id, label, {value, unit, Provenance::modelled}});
  };
  const Precision precision = job.request.precision;
  add("executed_flops", "executed flops",
      job.format ? 2.0 * static_cast<double>(job.format->size().stored) : job.flops(), "flop");
  if (job.kernel.info.operation != Operation::product) return;
  add("effective_bytes", "effective bytes", effective_bytes(r.rows, r.nnz, precision), "B");
  try {
    if (const index_t rows = rows_per_block(job.kernel.info, job.params); rows > 0)
      add("caching_bytes", "caching bytes", preparation.caching_bytes(job.matrix, rows, precision), "B");
  } catch (const Error& e) {  // no room to count them: the run goes on
    r.notes.push_back("caching bytes were not counted: " + e.reason);
  }
  if (const auto table1 = table1_bytes_per_flop(format_row(r.format).info, precision))
    add("table1_bytes", "Table 1 bytes", *table1 * job.flops(), "B");
}

void set_time(RunRecord& r, double flops, double us, Provenance from, std::string how) {
  r.provenance = from;
  r.time = {us, "us", from};
  r.time_how = std::move(how);
  const Provenance computed = from == Provenance::measured ? Provenance::derived : from;
  r.gflops = {us > 0 ? flops / us * 1e-3 : 0, "GFLOP/s", computed};
}

// What a single transposed product costs, starting from CSR: the conversion (which is the transposition where the
// kernel reads CSC), what the kernel prepares, and the product (Steinberger et al. 2016, figures 2 and 3). Conversion
// and setup are work of this machine's processors.
void add_total(const Job& job, RunRecord& r) {
  if (job.kernel.info.operation != Operation::transposed_product) return;
  const bool converts = job.kernel.info.format != "csr";
  double us = r.time.value;
  if (const Quantity* conversion = r.detail("conversion"); conversion && converts) us += conversion->value;
  if (const Quantity* setup = r.detail("setup")) us += setup->value;
  r.details.push_back({"total",
                       converts ? "conversion, setup and one product" : "setup and one product",
                       {us, "us", Provenance::derived}});
}

void set_check(RunRecord& r, ErrorCheck check) {
  r.check = check;
  if (check.rows_left_out > 0)
    r.notes.push_back(std::to_string(check.rows_left_out) +
                      " rows were not checked: their sums hold infinities or NaN, or may be beyond " +
                      name_of(r.request.precision));
  if (check.passed) return;
  char text[128];
  std::snprintf(text, sizeof text, "row %lld is off by %.3g times the error bound",
                static_cast<long long>(check.worst_row), check.max_of_bound);
  throw Error("the kernel's result is wrong: " + std::string(text), r.request.kernel,
              "this is a defect of the kernel, or of the device");
}

void check(const Job& job, RunRecord& r, const std::vector<double>& y, const std::vector<RowRange>& rows) {
  if (const std::string why = job.not_a_product(); !why.empty()) return r.notes.push_back(why);
  if (!rows.empty()) set_check(r, check_result(*job.reference, y, rows, job.request.precision));
}

// What ran of a product of which not all did.
std::string sample_note(const Simulation& s, bool some_rows_checked) {
  char text[300];
  std::snprintf(text, sizeof text, "%.3g %% of the blocks ran", 100 * s.share);
  std::string note = text;
  const char* unchecked = "several blocks complete a row";
  for (const LaunchSimulation& launch : s.launches) {
    if (!launch.alone) continue;
    const int warps = (launch.shape.block + simt::warp_size - 1) / simt::warp_size;
    std::snprintf(text, sizeof text, "; those of launch %td take so long that %zu ran, far apart, each alone on its SM",
                  &launch - s.launches.data() + 1, launch.costs.size());
    note += text;
    if (launch.warps_of_block == 0) continue;
    std::snprintf(text, sizeof text, ", and only %d of their %d warps: the share is of warps", launch.warps_of_block,
                  warps);
    note += text;
    unchecked = "blocks did not run whole";
  }
  note += "; counts are scaled to all of them, ";
  return note +
         (some_rows_checked ? "only their rows are checked" : "and no row is checked, since " + std::string(unchecked));
}

bool asks(const Job& job, const char* param, bool (*for_it)(double)) {
  const auto at = job.params.find(param);
  return at != job.params.end() && for_it(at->second);
}

// Code of an older compute capability cannot ask L2 to keep a share: its loads are plain.
void note_unheard(const Job& job, int capability, RunRecord& r) {
  if (capability >= keeps_shares_from) return;
  for (const char* id : {"x_cache", "matrix_cache"})
    if (asks(job, id, [](double v) { return simt::is_kept(static_cast<simt::CachePolicy>(v)); }))
      r.notes.push_back(std::string(id) +
                        ": L2 is asked to keep a share from compute capability 8.0 on; loads are plain");
}

void run_at_depth(const Job& job, Depth depth, RunRecord& r, Progress& progress) {
  const auto product = job.kernel.emulate(job.inputs());
  SimulateOptions options;
  options.budget = budget_of(depth);
  options.cache_state = job.request.cache_state;
  const auto asked = std::chrono::steady_clock::now();
  const Simulation s = simulate(*product, job.device.spec, options, progress);
  const std::chrono::duration<double> answered = std::chrono::steady_clock::now() - asked;
  const TimeEstimate time = estimate_time(s, job.device.spec, job.request.precision, job.flops());
  set_time(r, job.flops(), time.total, Provenance::modelled, time.how);
  r.details.push_back({"answered", "model answered in", {answered.count(), "s", Provenance::measured}});
  if (product->setup_us() > 0)
    r.details.push_back({"setup", "setup, once", {product->setup_us(), "us", Provenance::measured}});
  add_total(job, r);
  if (job.device.spec.compute_capability < 90 && asks(job, "overlap", [](double v) { return v == 1; }))
    r.notes.push_back("products overlap from compute capability 9.0 on: modelled one after another");
  note_unheard(job, job.device.spec.compute_capability, r);
  r.sampled_share = s.share;
  r.counters = modelled_counters(s, job.device.spec);
  r.arrays = s.arrays;
  r.lines = s.lines;

  std::vector<RowRange> rows;
  if (s.share == 1) rows.push_back({0, static_cast<index_t>(job.reference->y.size())});
  for (const std::int64_t block : s.blocks)
    if (const auto range = product->rows_of_block(block)) rows.push_back(*range);
  if (s.share < 1) r.notes.push_back(sample_note(s, !rows.empty()));
  check(job, r, product->y(), rows);
}

// Where somebody waits for it, a quick answer comes first.
void run_simulated(const Job& job, RunRecord& r, Progress& progress, const OnTimed& on_timed) {
  if (!job.kernel.emulate)
    throw Error("kernel " + job.kernel.info.id + " is " + job.kernel.info.library + "'s, whose code cannot be emulated",
                {}, "run it on a CUDA device (--device cuda)");
  // x and y as the kernel's own, and what is noted of each element of y.
  require_memory(static_cast<double>(job.vectors.x->size()) * bytes_of(job.request.precision) +
                     static_cast<double>(job.reference->y.size()) *
                         static_cast<double>(bytes_of(job.request.precision) + sizeof(std::uint64_t)),
                 "the emulator");
  if (on_timed && job.request.depth != Depth::quick) {
    RunRecord quick = r;
    quick.request.depth = Depth::quick;
    run_at_depth(job, Depth::quick, quick, progress);
    quick.status = RunStatus::ok;
    if (!quick.may_be_refined()) {
      quick.request = RunRequest(r.request);  // all of the blocks ran: no depth would say more
      r = std::move(quick);
      return;
    }
    on_timed(quick);
  }
  run_at_depth(job, job.request.depth, r, progress);
}

// The number in "cuda:N"; nothing for another device.
std::optional<int> cuda_number(const std::string& id) {
  if (id == "cuda") return 0;
  int number = 0;
  const char* const end = id.data() + id.size();
  if (!id.starts_with("cuda:") || std::from_chars(id.data() + 5, end, number).ptr != end) return {};
  return number;
}

class LocalEngine : public Engine {
 public:
  explicit LocalEngine(EngineParts parts) : parts_(std::move(parts)) {}

  using Engine::run;
  RunRecord run(const RunRequest& request, const Matrix& matrix, Progress& progress, const OnTimed& on_timed) override {
    RunRecord r;
    r.started = utc_now();
    r.request = request;
    try {
      execute(r, matrix, progress, on_timed);
      r.status = RunStatus::ok;
      check_physics(r);
    } catch (const Cancelled&) {
      kept_.reset();
      r.status = RunStatus::cancelled;
      r.error = "cancelled";
    } catch (const DeviceLost& e) {
      kept_.reset();
      lose(r.device, e.reason);
      fail(r, "the device was lost: " + std::string(e.what()) +
                  "; until Warpspy is started again, runs go to another device");
    } catch (const std::bad_alloc&) {
      kept_.reset();
      fail(r, "out of memory: this machine has no room for the run");
    } catch (const std::exception& e) {
      kept_.reset();
      fail(r, e.what());
    }
    return r;
  }

  TuneRecord tune(const TuneRequest& request, const Matrix& matrix, Progress& progress,
                  const OnTuneStep& on_step) override {
    const std::string started = utc_now();
    TuneRecord r;
    r.request = request;
    try {
      if (!matrix.csr) throw Error("no matrix is open", {}, "open one first");
      const Chosen chosen = choose_device(request.run.device, parts_.devices);
      r = tune_by_runs(*this, parts_.kernel, *chosen.device, request, matrix, progress, on_step);
      if (!chosen.note.empty()) r.notes.push_back(chosen.note);
    } catch (const Cancelled&) {
      r.status = RunStatus::cancelled;
      r.error = "cancelled";
    } catch (const std::bad_alloc&) {
      r.error = "out of memory: this machine has no room for the search";
    } catch (const std::exception& e) {
      r.error = e.what();
    }
    r.started = started;
    return r;
  }

  std::optional<MeasuredRoofs> kept_roofs(const std::string& device) override {
    const std::optional<int> number = cuda_number(device);
    if (!number) return {};
    try {
      return load_roofs(roofs_folder(), device_key(*number)).roofs;
    } catch (const Error&) {
      return {};  // the device is gone
    }
  }

  MeasuredRoofs measure_roofs(const std::string& device, Progress& progress) override {
    const std::optional<int> number = cuda_number(device);
    if (!number) return Engine::measure_roofs(device, progress);
    const std::string id = "cuda:" + std::to_string(*number);
    for (const DeviceInfo& d : parts_.devices)
      if (d.id == id && !d.available)
        throw Error("roofs are measured on a CUDA device: " + d.reason, {},
                    "the roofs of simulated GPUs come from their data sheets");
    kept_.reset();
    if (parts_.counters) parts_.counters->rest();  // an enabled profiler would slow what is timed
    try {
      const MeasuredRoofs roofs = warpspy::measure_roofs(*number, progress);
      save_roofs(roofs_folder(), device_key(*number), roofs);
      return roofs;
    } catch (const DeviceLost& e) {
      lose(id, e.reason);
      throw;
    }
  }

 private:
  // What cannot be, or needs a word, is told with the run.
  void check_physics(RunRecord& r) const {
    for (const DeviceInfo& d : parts_.devices)
      if (d.id == r.device)
        for (PhysicsFinding& f : physics_checks(r, roofs_of(d.spec, r.request.precision)))
          r.notes.push_back(std::move(f.sentence));
  }

  static void fail(RunRecord& r, std::string why) {
    r.status = RunStatus::failed;
    r.error = std::move(why);
  }

  void execute(RunRecord& r, const Matrix& matrix, Progress& progress, const OnTimed& on_timed) {
    const RunRequest& request = r.request;
    if (!matrix.csr) throw Error("no matrix is open", {}, "open one first");
    r.matrix_name = matrix.source.name;
    r.rows = matrix.csr->rows();
    r.cols = matrix.csr->cols();
    r.nnz = matrix.csr->nnz();
    if (!(request.budget_s > 0)) throw Error("the time budget must be above 0 seconds", "budget_s");
    if (request.counters != "none") counter_set_index(request.counters);  // throws for an unknown one
    const KernelRow& kernel = parts_.kernel(request.kernel);
    r.kernel_label = kernel.info.label;
    r.format = kernel.info.format;
    const Chosen chosen = choose_device(request.device, parts_.devices);
    r.device = chosen.device->id;
    r.device_name = chosen.device->name;
    r.provenance = chosen.device->simulated ? Provenance::modelled : Provenance::measured;
    if (!chosen.note.empty()) r.notes.push_back(chosen.note);
    if (matrix.csr->is_complex())
      r.notes.push_back(request.view == RealView::real_part ? "complex matrix: the product ran on the real parts"
                                                            : "complex matrix: the product ran on the moduli");

    Job job{request, matrix.csr, kernel, *chosen.device, checked_params(kernel.info.params, request.params),
            {},      {},         {}};
    if (!std::isfinite(request.alpha) || !std::isfinite(request.beta))
      throw Error("alpha and beta must be finite numbers", "alpha, beta");
    r.request.params = job.params;  // defaults filled in: the record says what ran
    if (!kernel.info.format.empty()) {
      r.request.format_params = checked_params(format_row(kernel.info.format).info.params, request.format_params);
      job.format = preparation_.format(matrix, kernel.info.format, request, *chosen.device, progress);
      r.details.push_back({"conversion", "conversion", {preparation_.conversion_us(), "us", Provenance::measured}});
    }
    r.minimum_bytes = {job.minimum_bytes(), "B", Provenance::modelled};
    add_counts(job, preparation_, r);
    job.vectors = preparation_.vectors(matrix.csr, kernel.info, r.request);
    job.reference = preparation_.reference(matrix.csr, kernel.info, job.format, r.request, progress);
    progress.check();
    if (chosen.device->simulated) return run_simulated(job, r, progress, on_timed);
    parts_.use_device(*cuda_number(chosen.device->id));
    run_on_device(job, r, progress, on_timed);
  }

  // Time first, then the check, then counters: times never come from the passes of a replay.
  void run_on_device(const Job& job, RunRecord& r, Progress& progress, const OnTimed& on_timed) {
    if (!job.kernel.on_device) throw Error("kernel " + job.kernel.info.id + " has no CUDA code in this build");
    const bool live = job.request.live && job.request.counters != "none";
    if (parts_.counters && !live) parts_.counters->rest();
    progress.stage("running");
    note_unheard(job, used_on(compiled_gpu_code(), job.device.spec.compute_capability), r);
    r.rung = Rung::timing;
    const auto make = [&] { return job.kernel.on_device(job.inputs()); };
    const Rotation& rotation = rotation_for(job, r.device, live, make, progress);
    const ProductTime time = parts_.time(rotation, job.request.budget_s, progress);
    set_time(r, job.flops(), time.us, Provenance::measured, time.how);
    for (Detail& d : details_of(time)) r.details.push_back(std::move(d));
    add_total(job, r);
    if (!time.clock_note.empty()) r.notes.push_back(time.clock_note);
    // Once for a product that stays: it is the same product on the same numbers.
    if (kept_->check)
      set_check(r, *kept_->check);
    else
      check_on_device(job, r, make, *rotation.copies.front());
    kept_->check = r.check;
    if (job.request.counters == "none" && !job.request.lines) return kept_.reset();
    if (on_timed) {
      RunRecord so_far = r;
      so_far.status = RunStatus::ok;
      on_timed(so_far);
    }
    if (job.request.counters != "none") {
      progress.stage("reading counters");
      set_counters(r, counters_of(job, *rotation.copies.front(), progress));
    }
    if (job.request.lines) {
      progress.stage("counting instructions");
      set_lines(r, lines_of(job, *rotation.copies.front(), live, progress));
    }
    if (parts_.counters && !live) parts_.counters->rest();
    if (!live) kept_.reset();
  }

  // While a slider is followed, or nothing changes at all, the product stays on the device: to copy it there takes
  // longer than to run it.
  const Rotation& rotation_for(const Job& job, const std::string& device, bool live, const MakeProduct& make,
                               const Progress& progress) {
    RunRequest what = job.request;
    what.device = device;
    what.budget_s = 0;
    what.live = false;
    what.depth = {};
    what.counters.clear();
    what.lines = false;
    if (live && kept_ && kept_->request == what && kept_->matrix == job.matrix) return kept_->rotation;
    kept_.reset();  // first: both may not fit
    kept_.emplace(Kept{what, job.matrix, parts_.prepare(job.request.cache_state, make, progress)});
    return kept_->rotation;
  }

  void lose(const std::string& device, const std::string& why) {
    tell_lost(device, mark_lost(parts_.devices, device, why));
  }

  static void check_on_device(const Job& job, RunRecord& r, const MakeProduct& make, DeviceProduct& timed) {
    const std::vector<RowRange> all = {{0, static_cast<index_t>(job.reference->y.size())}};
    if (job.inputs().beta == 0) return check(job, r, timed.y(), all);
    // Products beyond the first add to what the first left in y.
    const auto fresh = make();
    launch_once(*fresh);
    check(job, r, fresh->y(), all);
  }

  CounterOutcome counters_of(const Job& job, DeviceProduct& product, const Progress& progress) {
    const std::string& set = job.request.counters;
    const CounterAccess& access = job.device.access;
    if (!parts_.counters) return closed_counters(set, "this engine reads no counters", {});
    if (!access.open && !access.reason.empty()) return closed_counters(set, access.reason, access.remedy);
    const int ordinal = *cuda_number(job.device.id);
    try {
      return collect_counters(*parts_.counters, ordinal, set, parts_.count(product, job.request.cache_state), progress);
    } catch (const Cancelled&) {
      throw;
    } catch (const DeviceLost& e) {
      CounterOutcome o = closed_counters(set, "the device was lost before counters were read: " + e.reason, e.remedy);
      o.lost = e.reason;
      return o;
    } catch (const Error& e) {
      // Not even the flush of L2 could be prepared.
      return closed_counters(set, e.reason, e.remedy);
    }
  }

  // Patched kernels are slow and exclude the counters: nothing for runs that follow a slider.
  LineOutcome lines_of(const Job& job, DeviceProduct& product, bool live, const Progress& progress) {
    const auto closed = [](const std::string& reason, const std::string& remedy = {}) {
      return LineOutcome{{}, remedy.empty() ? reason : reason + "; " + remedy, {}, 0, {}};
    };
    const CounterAccess& access = job.device.access;
    if (!parts_.counters) return closed("this engine counts no instructions");
    if (live) return closed("instructions are not counted while runs follow a slider", "run again (F5)");
    if (!access.open && !access.reason.empty()) return closed(access.reason, access.remedy);
    for (const DeviceInfo& d : parts_.devices)
      if (d.id == job.device.id && !d.available) return closed("the device was lost while counters were read");
    try {
      return collect_lines(*parts_.counters, *cuda_number(job.device.id), parts_.count(product, CacheState::warm),
                           progress);
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& e) {
      return closed(e.reason, e.remedy);
    }
  }

  void set_lines(RunRecord& r, LineOutcome o) {
    r.lines = std::move(o.lines);
    r.lines_reason = std::move(o.reason);
    for (std::string& n : o.notes) r.notes.push_back(std::move(n));
    if (!o.lost.empty()) lose(r.device, o.lost);
    if (r.lines.empty()) return;
    r.details.push_back({"line_latency", "counting of instructions", {o.ms, "ms", Provenance::measured}});
    // Two ways to count the same sectors: where they differ the user should know.
    double sum = 0;
    for (const Traffic& t : r.lines) sum += t.sectors;
    const Counter* all = r.counter("sectors");
    if (!all || !all->value || *all->value <= 0 || std::abs(sum - *all->value) <= 0.01 * *all->value) return;
    char text[160];
    std::snprintf(text, sizeof text, "the source lines hold %.4g sectors, %.3g %% of what the counter of sectors saw",
                  sum, 100 * sum / *all->value);
    r.notes.push_back(text);
  }

  void set_counters(RunRecord& r, CounterOutcome o) {
    r.counters = std::move(o.counters);
    r.rung = o.rung;
    for (std::string& n : o.notes) r.notes.push_back(std::move(n));
    if (o.rung == Rung::counters) {
      r.details.push_back(
          {"counter_passes", "passes for counters", {static_cast<double>(o.passes), "1", Provenance::measured}});
      r.details.push_back({"counter_latency", "reading of counters", {o.ms, "ms", Provenance::measured}});
    }
    if (!o.lost.empty()) lose(r.device, o.lost);
  }

  struct Kept {
    RunRequest request;
    std::shared_ptr<const Csr> matrix;
    Rotation rotation;
    std::optional<ErrorCheck> check = {};  // of its result, once it passed
  };

  EngineParts parts_;
  Preparation preparation_;
  std::optional<Kept> kept_;  // the product of the last run on a device
};

}  // namespace

std::unique_ptr<Engine> make_engine(EngineParts parts) { return std::make_unique<LocalEngine>(std::move(parts)); }
std::unique_ptr<Engine> make_engine(const std::string& assets) {
  return make_engine(EngineParts{all_devices(assets), kernel_row, use_device, cupti_source()});
}

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
