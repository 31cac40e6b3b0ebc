#include "core/diagnosis/predict.hpp"

#include <algorithm>

#include "core/diagnosis/changes.hpp"
#include "core/diagnosis/parts_findings.hpp"
#include "core/diagnosis/solve_findings.hpp"
#include "core/gpu/gpu_match.hpp"
#include "core/jobs/progress.hpp"
#include "core/reorder/reorder.hpp"
#include "core/run/time_interval.hpp"

namespace warpspy {
namespace {

// The largest suggested format: it is built only to ask the model, without the user's request.
constexpr double most_of_csr = 4, room_bytes = 64e6;
constexpr index_t most_to_build = 20'000'000, most_to_reorder = 2'000'000;  // entries
constexpr double most_of_mean = 20;  // entries of a row / mean; above it, row lengths count as uneven

class Model {
 public:
  Model(const RunRecord& run, const Matrix& matrix, const RowStats& rows, const DeviceInfo& gpu, const AskModel& run_on,
        const Catalog& catalog, Progress& progress, ModelAnswers& answers)
      : run_(run),
        matrix_(matrix),
        uneven_(static_cast<double>(rows.max) > most_of_mean * rows.mean),
        gpu_(gpu),
        run_on_(run_on),
        catalog_(catalog),
        progress_(progress),
        answers_(answers) {}

  // The model's record of a request on this GPU; nothing if it cannot run. A small sample is enough if rows are
  // similar. Otherwise it misses the long rows that decide: ASIC_680k in CSR stream took 20 us in a sample, and 857 us
  // on an H200.
  const RunRecord* ask(const Change& c) {
    RunRequest request = with_change(run_.request, c);
    if (!c.reorder.empty()) request.matrix = in_order(request.matrix, c.reorder);
    request.params = checked_params(catalog_.require_kernel(c.kernel).params, c.params);
    request.device = gpu_.id;
    request.depth = uneven_ ? Depth::full : Depth::medium;
    request.live = request.lines = false;
    request.counters = "none";
    const auto room = static_cast<std::uint64_t>(most_of_csr * static_cast<double>(matrix_.csr->bytes()) + room_bytes);
    request.memory.host_bytes = std::min(room, request.memory.host_bytes.value_or(room));
    const auto [at, asked_first] = answers_.by_request.try_emplace(to_json(request));
    if (asked_first) {
      RunRecord r;
      try {
        r = run_on_(request, matrix_of(c));
      } catch (const Cancelled&) {
        answers_.by_request.erase(at);
        throw;
      }
      if (r.status == RunStatus::ok && r.time.value > 0) at->second = std::move(r);
    }
    return at->second ? &*at->second : nullptr;
  }
  // Whether the change builds another format or order of a large matrix. That takes long, and the user did not ask for
  // it.
  bool takes_long(const Change& c) const {
    if (!c.reorder.empty()) return run_.nnz > most_to_reorder;
    if (run_.nnz <= most_to_build) return false;
    const std::string& format = catalog_.require_kernel(c.kernel).format;
    const FormatInfo* info = catalog_.format(format);
    return format != run_.format && !(info && info->intermediate);
  }
  const RunRecord* before() {
    return ask({"", run_.request.kernel, run_.request.params, run_.request.format_params, {}});
  }

 private:
  const Matrix& matrix_of(const Change& c) {
    if (c.reorder.empty()) return matrix_;
    const auto at = reordered_.find(c.reorder);
    if (at != reordered_.end()) return at->second;
    return reordered_.emplace(c.reorder, reordered(matrix_, {c.reorder}, progress_).matrix).first->second;
  }

  const RunRecord& run_;
  const Matrix& matrix_;
  bool uneven_;
  const DeviceInfo& gpu_;
  const AskModel& run_on_;
  const Catalog& catalog_;
  Progress& progress_;
  ModelAnswers& answers_;
  std::map<std::string, Matrix> reordered_;  // reordered matrices by the order's id
};

// Finds the change that is fastest on the model, if its gain exceeds the noise, and the interval of its gain.
// `only_its_own`: other findings cover uneven work. Then a change that saves more than this cause takes also balances
// the work, and belongs to those findings.
void predict(Finding& f, const RunRecord& run, const GpuSpec& gpu, bool only_its_own, Model& model) {
  if (f.changes.empty()) return;
  const PredictionBand band = run.provenance == Provenance::modelled ? modelled_band : measured_band;
  const double least_us = only_its_own && f.gain ? f.gain->least_us : 0;
  const Change* best = nullptr;
  const RunRecord* answer = nullptr;
  for (const Change& c : f.changes) {
    if (model.takes_long(c)) continue;
    const RunRecord* r = model.ask(c);
    if (r && r->time.value * band.most >= least_us && (!answer || r->time.value < answer->time.value))
      answer = r, best = &c;
  }
  // The change's modelled time is compared with the modelled time of the run. A ratio to the measured time would
  // combine two errors.
  const double us = answer ? answer->time.value : run.time.value;
  // The whole interval must be a gain.
  if (!answer || us * band.most > run.time.value - noise_us(run) / 2) {
    // The model knows no change that helps: only those remain that it was not asked about.
    std::erase_if(f.changes, [&](const Change& c) { return !model.takes_long(c); });
    if (f.changes.empty()) f.gain = {}, f.advice += " The model finds nothing of this kind faster here.";
    return;
  }
  const double floor = floor_us(answer->minimum_bytes.value, run.request.cache_state, gpu);
  Gain g;
  g.from = Gain::From::model;
  g.least_us = std::max(us * band.least, std::min(us, floor));
  g.most_us = us * band.most;
  g.least_times = run.time.value / g.most_us;
  g.most_times = run.time.value / g.least_us;
  f.gain = g;
  f.changes = {Change(*best)};
  if (const std::string why = why_not_told_apart(run, *answer); !why.empty()) f.advice += " As it is, it " + why + ".";
}

}  // namespace

const DeviceInfo* modelled_device(const RunRecord& run, const Catalog& catalog) {
  const DeviceInfo* device = catalog.device(run.device);
  if (device && device->simulated) return device;
  for (const DeviceInfo& d : catalog.devices) {
    // A record from another machine names its GPU, but does not have its properties.
    const int capability = device ? device->spec.compute_capability : d.spec.compute_capability;
    if (d.simulated && spec_of_device(run.device_name, capability, {d.spec})) return &d;
  }
  return device;
}

void find_limits(RunRecord& run, const RowStats& rows, const Catalog& catalog) {
  if (run.solve) return void(run.findings = diagnose_solve(run));
  if (!run.parts.empty()) return void(run.findings = diagnose_parts(run));
  const DeviceInfo* gpu = modelled_device(run, catalog);
  if (!gpu || run.status != RunStatus::ok) return;
  const auto roofs = roofs_of(gpu->spec, run.request.precision);
  run.findings = diagnose({run, rows, gpu->spec, catalog, roofs, nullptr});
  mark_unproven(run.findings);
}

void find_limits(RunRecord& run, const Matrix& matrix, const RowStats& rows, const Catalog& catalog,
                 const AskModel& ask, Progress& progress, ModelAnswers* kept) {
  if (run.solve || !run.parts.empty()) return find_limits(run, rows, catalog);
  const DeviceInfo* gpu = modelled_device(run, catalog);
  const KernelInfo* kernel = catalog.kernel(run.request.kernel);
  if (!gpu || !gpu->simulated || !kernel || !kernel->library.empty()) return find_limits(run, rows, catalog);
  if (run.status != RunStatus::ok) return;
  ModelAnswers own;
  Model model(run, matrix, rows, *gpu, ask, catalog, progress, kept ? *kept : own);
  const RunRecord* model_run = run.provenance == Provenance::modelled ? nullptr : model.before();
  const auto roofs = roofs_of(gpu->spec, run.request.precision);
  const DiagnosisInput input{run, rows, gpu->spec, catalog, roofs, model_run};
  run.findings = diagnose(input);
  const bool uneven = rows_uneven(input);
  for (Finding& f : run.findings) predict(f, run, gpu->spec, uneven && !is_of_balance(f), model);
  mark_unproven(run.findings);
  // Findings stay sorted by the time without their causes; those without a helpful change come last.
  std::stable_partition(run.findings.begin(), run.findings.end(), [](const Finding& f) {
    return f.kind == Finding::Kind::finished || (f.gain && !f.changes.empty());
  });
}

}  // namespace warpspy
