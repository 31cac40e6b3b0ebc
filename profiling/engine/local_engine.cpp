#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <new>

#include "core/model/bytes.hpp"
#include "core/model/physics.hpp"
#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "kernels/vendor/library.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/prepare.hpp"
#include "profiling/engine/tune_engine.hpp"
#include "profiling/metrics.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/simulated/time_model.hpp"
#include "profiling/timing/timing.hpp"
#include "profiling/tuner/strategies.hpp"

namespace warpspy {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

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
    return static_cast<double>(warpspy::minimum_bytes(format->size(), *matrix, request.precision)) + again;
  }
  // Why the result is not the product, or "".
  std::string not_a_product() const {
    for (const char* id : {"x_cache", "matrix_cache"}) {
      const auto at = params.find(id);
      if (at != params.end() && at->second == static_cast<double>(simt::CachePolicy::constant))
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
  if (const index_t rows = rows_per_block(job.kernel.info, job.params); rows > 0)
    add("caching_bytes", "caching bytes", preparation.caching_bytes(job.matrix, rows, precision), "B");
  if (const auto table1 = table1_bytes_per_flop(r.format, precision))
    add("table1_bytes", "Table 1 bytes", *table1 * job.flops(), "B");
}

void set_time(RunRecord& r, double flops, double us, Provenance from, std::string how) {
  r.provenance = from;
  r.time = {us, "us", from};
  r.time_how = std::move(how);
  const Provenance computed = from == Provenance::measured ? Provenance::derived : from;
  r.gflops = {us > 0 ? flops / us * 1e-3 : 0, "GFLOP/s", computed};
}

void set_check(RunRecord& r, ErrorCheck check) {
  r.check = check;
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

void run_simulated(const Job& job, RunRecord& r, Progress& progress) {
  if (!job.kernel.emulate)
    throw Error("kernel " + job.kernel.info.id + " is " + job.kernel.info.library + "'s, whose code cannot be emulated",
                {}, "run it on a CUDA device (--device cuda)");
  const auto product = job.kernel.emulate(job.inputs());
  SimulateOptions options;
  options.budget_s = job.request.budget_s;
  const Simulation s = simulate(*product, job.device.spec, options, progress);
  const TimeEstimate time = estimate_time(s, job.device.spec, job.request.precision, job.flops());
  set_time(r, job.flops(), time.total, Provenance::modelled, time.how);
  r.sampled_share = s.share;
  r.counters = modelled_counters(s, job.device.spec);
  r.arrays = s.arrays;
  r.lines = s.lines;

  std::vector<RowRange> rows;
  if (s.share == 1) rows.push_back({0, static_cast<index_t>(job.reference->y.size())});
  for (const std::int64_t block : s.blocks)
    if (const auto range = product->rows_of_block(block)) rows.push_back(*range);
  if (s.share < 1) {
    char text[200];
    std::snprintf(
        text, sizeof text, "%.3g %% of the blocks ran; counts are scaled to all of them, %s", 100 * s.share,
        rows.empty() ? "and no row is checked, since several blocks complete a row" : "only their rows are checked");
    r.notes.push_back(text);
  }
  check(job, r, product->y(), rows);
}

void run_on_device(const Job& job, RunRecord& r, Progress& progress) {
  if (!job.kernel.on_device) throw Error("kernel " + job.kernel.info.id + " has no CUDA code in this build");
  progress.stage("running");
  const auto make = [&] { return job.kernel.on_device(job.inputs()); };
  const Rotation rotation = rotation_of(job.request.cache_state, make, progress);
  const ProductTime time = time_rotation(rotation, job.request.budget_s, progress);
  set_time(r, job.flops(), time.us, Provenance::measured, time.how);
  for (Detail& d : details_of(time)) r.details.push_back(std::move(d));
  if (!time.clock_note.empty()) r.notes.push_back(time.clock_note);
  r.counters = unavailable_counters("hardware counters are not read by this version",
                                    "run on a simulated GPU for modelled counters");
  // Products beyond the first add to what the first left in y.
  if (job.inputs().beta != 0) {
    const auto fresh = make();
    launch_once(*fresh);
    check(job, r, fresh->y(), {{0, static_cast<index_t>(job.reference->y.size())}});
    return;
  }
  check(job, r, rotation.copies.front()->y(), {{0, static_cast<index_t>(job.reference->y.size())}});
}

class LocalEngine : public Engine {
 public:
  explicit LocalEngine(EngineParts parts) : parts_(std::move(parts)) {}

  RunRecord run(const RunRequest& request, const Matrix& matrix, Progress& progress) override {
    RunRecord r;
    r.started = utc_now();
    r.request = request;
    try {
      execute(r, matrix, progress);
      r.status = RunStatus::ok;
      check_physics(r);
    } catch (const Cancelled&) {
      r.status = RunStatus::cancelled;
      r.error = "cancelled";
    } catch (const DeviceLost& e) {
      mark_lost(parts_.devices, r.device, e.reason);
      fail(r, "the device was lost: " + std::string(e.what()) +
                  "; until Warpspy is started again, runs go to another device");
    } catch (const std::bad_alloc&) {
      fail(r, "out of memory: this machine has no room for the run");
    } catch (const std::exception& e) {
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

  void execute(RunRecord& r, const Matrix& matrix, Progress& progress) {
    const RunRequest& request = r.request;
    if (!matrix.csr) throw Error("no matrix is open", {}, "open one first");
    r.matrix_name = matrix.source.name;
    r.rows = matrix.csr->rows();
    r.cols = matrix.csr->cols();
    r.nnz = matrix.csr->nnz();
    if (!(request.budget_s > 0)) throw Error("the time budget must be above 0 seconds", "budget_s");
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
      job.format = preparation_.format(matrix, kernel.info.format, request, *chosen.device, progress);
      r.details.push_back({"conversion", "conversion", {preparation_.conversion_us(), "us", Provenance::measured}});
    }
    r.minimum_bytes = {job.minimum_bytes(), "B", Provenance::modelled};
    add_counts(job, preparation_, r);
    job.vectors = preparation_.vectors(matrix.csr, kernel.info, r.request);
    job.reference = preparation_.reference(matrix.csr, kernel.info, job.format, r.request, progress);
    progress.check();
    if (chosen.device->simulated) {
      r.request.cache_state = CacheState::cold;  // the model's caches are empty at the start, whatever was asked
      return run_simulated(job, r, progress);
    }
    parts_.use_device(std::stoi(chosen.device->id.substr(5)));
    run_on_device(job, r, progress);
  }

  EngineParts parts_;
  Preparation preparation_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(EngineParts parts) { return std::make_unique<LocalEngine>(std::move(parts)); }
std::unique_ptr<Engine> make_engine(const std::string& assets) {
  return make_engine(EngineParts{all_devices(assets), kernel_row, use_device});
}

Catalog make_catalog(const std::string& assets) {
  Catalog c;
  for (const FormatRow& row : formats()) c.formats.push_back(row.info);
  for (const KernelRow& row : kernels()) c.kernels.push_back(row.info);
  for (const MetricRow& row : metrics()) c.metrics.push_back(row.info);
  for (const StrategyRow& row : strategies()) c.strategies.push_back(row.info);
  c.devices = all_devices(assets);
  const VendorLibrary& vendor = vendor_library();
  c.libraries.push_back({vendor.name, vendor.available, vendor.version, vendor.path, vendor.reason, vendor.remedy});
  if (!c.devices.front().available) c.notices.push_back(c.devices.front().reason);
  return c;
}

}  // namespace warpspy
