#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <new>

#include "core/model/bytes.hpp"
#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/prepare.hpp"
#include "profiling/metrics.hpp"
#include "profiling/simulated/simulate.hpp"
#include "profiling/simulated/time_model.hpp"
#include "profiling/timing/timing.hpp"

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
  std::shared_ptr<const std::vector<double>> x;
  std::shared_ptr<const Reference> reference;
};

void set_time(RunRecord& r, double us, Provenance from, std::string how) {
  r.provenance = from;
  r.time = {us, "us", from};
  r.time_how = std::move(how);
  const Provenance computed = from == Provenance::measured ? Provenance::derived : from;
  r.gflops = {us > 0 ? product_flops(r.nnz) / us * 1e-3 : 0, "GFLOP/s", computed};
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

void run_simulated(const Job& job, RunRecord& r, Progress& progress) {
  const auto product = job.kernel.emulate(job.format, job.request.precision, job.params, *job.x);
  SimulateOptions options;
  options.budget_s = job.request.budget_s;
  const Simulation s = simulate(*product, job.device.spec, options, progress);
  const TimeEstimate time = estimate_time(s, job.device.spec, job.request.precision, product_flops(r.nnz));
  set_time(r, time.total, Provenance::modelled, time.how);
  r.sampled_share = s.share;
  r.counters = modelled_counters(s, job.device.spec);
  r.arrays = s.arrays;
  r.lines = s.lines;

  std::vector<RowRange> rows;
  if (s.blocks.empty()) rows.push_back({0, r.rows});
  for (const std::int64_t block : s.blocks) rows.push_back(product->rows_of_block(block));
  if (s.share < 1) {
    char text[160];
    std::snprintf(
        text, sizeof text,
        "%.3g %% of the blocks ran (%lld of %lld); counts are scaled to all of them, only their rows are checked",
        100 * s.share, static_cast<long long>(s.blocks.size()), static_cast<long long>(s.shape.grid));
    r.notes.push_back(text);
  }
  set_check(r, check_result(*job.matrix, *job.reference, product->y(), rows, job.request.precision));
}

void run_on_device(const Job& job, RunRecord& r, Progress& progress) {
  if (!job.kernel.on_device) throw Error("kernel " + job.kernel.info.id + " has no CUDA code in this build");
  use_device(std::stoi(job.device.id.substr(5)));
  progress.stage("running");
  const auto product = job.kernel.on_device(job.format, job.request.precision, job.params, *job.x);
  const WarmTime time = time_warm(*product, job.request.budget_s, progress);
  set_time(r, time.us, Provenance::measured, time.how);
  r.counters = unavailable_counters("hardware counters are not read by this version",
                                    "run on a simulated GPU for modelled counters");
  const RowRange all{0, r.rows};
  set_check(r, check_result(*job.matrix, *job.reference, product->y(), {&all, 1}, job.request.precision));
}

class LocalEngine : public Engine {
 public:
  explicit LocalEngine(const std::string& assets) : devices_(all_devices(assets)) {}

  RunRecord run(const RunRequest& request, const Matrix& matrix, Progress& progress) override {
    RunRecord r;
    r.started = utc_now();
    r.request = request;
    try {
      execute(r, matrix, progress);
      r.status = RunStatus::ok;
    } catch (const Cancelled&) {
      r.status = RunStatus::cancelled;
      r.error = "cancelled";
    } catch (const std::bad_alloc&) {
      fail(r, "out of memory: this machine has no room for the run");
    } catch (const std::exception& e) {
      fail(r, e.what());
    }
    return r;
  }

 private:
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
    const KernelRow& kernel = kernel_row(request.kernel);
    r.kernel_label = kernel.info.label;
    r.format = kernel.info.format;
    const Chosen chosen = choose_device(request.device, devices_);
    r.device = chosen.device->id;
    r.device_name = chosen.device->name;
    r.provenance = chosen.device->simulated ? Provenance::modelled : Provenance::measured;
    if (!chosen.note.empty()) r.notes.push_back(chosen.note);
    if (matrix.csr->is_complex())
      r.notes.push_back(request.view == RealView::real_part ? "complex matrix: the product ran on the real parts"
                                                            : "complex matrix: the product ran on the moduli");

    Job job{request, matrix.csr, kernel, *chosen.device, checked_params(kernel.info.params, request.params),
            {},      {},         {}};
    r.request.params = job.params;  // defaults filled in: the record says what ran
    job.format =
        preparation_.format(matrix.csr, kernel.info.format, request, chosen.device->spec.memory_bytes, progress);
    r.minimum_bytes = {static_cast<double>(minimum_bytes(job.format->size(), *matrix.csr, request.precision)), "B",
                       Provenance::modelled};
    job.x = preparation_.x(matrix.csr, request);
    job.reference = preparation_.reference(matrix.csr, request, progress);
    progress.check();
    chosen.device->simulated ? run_simulated(job, r, progress) : run_on_device(job, r, progress);
  }

  std::vector<DeviceInfo> devices_;
  Preparation preparation_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const std::string& assets) { return std::make_unique<LocalEngine>(assets); }

Catalog make_catalog(const std::string& assets) {
  Catalog c;
  for (const FormatRow& row : formats()) c.formats.push_back(row.info);
  for (const KernelRow& row : kernels()) c.kernels.push_back(row.info);
  for (const MetricRow& row : metrics()) c.metrics.push_back(row.info);
  c.devices = all_devices(assets);
  if (!c.devices.front().available) c.notices.push_back(c.devices.front().reason);
  return c;
}

}  // namespace warpspy
