#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/memory_reserve.hpp"
#include "core/base/utc.hpp"
#include "core/formats/format.hpp"
#include "core/model/sanity.hpp"
#include "core/run/over_parts.hpp"
#include "core/run/run_name.hpp"
#include "core/run/source_page.hpp"
#include "kernels/device/device.hpp"
#include "kernels/table/kernel_code.hpp"
#include "kernels/table/sources.hpp"
#include "kernels/vendor/library.hpp"
#include "profiling/ceilings/ceilings.hpp"
#include "profiling/cupti/plan.hpp"
#include "profiling/engine/device_runner.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/engine.hpp"
#include "profiling/engine/newton_runner.hpp"
#include "profiling/engine/parts_on_gpus.hpp"
#include "profiling/engine/parts_runner.hpp"
#include "profiling/engine/search_runner.hpp"
#include "profiling/engine/simulated_runner.hpp"
#include "profiling/engine/solve_runner.hpp"
#include "profiling/engine/tracing.hpp"
#include "profiling/engine/warp_tracing.hpp"
#include "profiling/ranks/ranks.hpp"

namespace warpspy {
namespace {

class LocalEngine : public Engine {
 public:
  explicit LocalEngine(EngineParts parts)
      : parts_(std::move(parts)),
        on_device_(parts_, [this](const std::string& device, const std::string& why) { lose(device, why); }) {}

  using Engine::run;
  RunRecord run(const RunRequest& request, const Matrix& matrix, Progress& progress, const OnTimed& on_timed) override {
    RunRecord r;
    r.started = utc_now_ms();
    r.request = request;
    in_turn_.let_go();  // a run has the device to itself
    const auto work = [&] {
      execute(r, matrix, progress, on_timed);
      mark_source(r);
      check_sanity(r);
    };
    guarded(r, [&] {
      if (parts_.ranks)
        parts_.ranks->together(work);
      else
        work();
    });
    return r;
  }

  std::vector<RunRecord> run_in_turn(const std::vector<RunRequest>& requests, const InSearch& search,
                                     const Matrix& matrix, Progress& progress) override {
    const DeviceInfo* device = requests.empty() ? nullptr : cuda_device(requests.front().device);
    if (!device) return Engine::run_in_turn(requests, search, matrix, progress);
    on_device_.let_go();
    if (parts_.counters) parts_.counters->release();  // an enabled profiler would slow what is timed
    const bool trial = search.as == InSearch::As::trial;
    const bool rival = search.as == InSearch::As::finalist && requests.size() > 1;
    in_turn_.begin(device->id, rival ? &requests.back() : nullptr, matrix.csr);
    std::vector<RunRecord> records(requests.size());
    std::vector<std::optional<PreparedRun>> runs(requests.size());
    std::vector<std::pair<const PreparedRun*, RunRecord*>> ready;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      RunRecord& r = records[i];
      const auto began = std::chrono::steady_clock::now();
      r.started = utc_now_ms();
      r.request = requests[i];
      guarded(r, [&] {
        runs[i].emplace(prepare(r, matrix, search.as, progress));
        if (trial) return in_turn_.trial(*runs[i], search, r, progress);
        in_turn_.make_ready(*runs[i], search, rival && i + 1 == requests.size(), r, progress);
        ready.emplace_back(&*runs[i], &r);
      });
      const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - began;
      if (trial) r.details.push_back({kSearchSpent, "time of the search", {spent.count(), "ms", Provenance::measured}});
      if (r.status == RunStatus::cancelled || !device->available) return all_end_as(std::move(records), r);
    }
    if (ready.empty()) return records;
    RunRecord turns = *ready.front().second;  // collects notes that apply to all of them
    guarded(turns, [&] { in_turn_.time_in_turn(ready, search, requests.front().budget_s, progress); });
    for (const auto& [run, r] : ready) {
      r->status = turns.status, r->error = turns.error;
      if (r->status == RunStatus::ok) check_sanity(*r);
    }
    return records;
  }

  WarpTrace trace_warp(const RunRequest& request, const Matrix& matrix, const WarpWanted& wanted,
                       Progress& progress) override {
    require_one_part(request, "the steps of a warp are");
    return trace_warp_by_emulator(parts_, preparation_, request, matrix, wanted, progress);
  }

  EntryTrace trace_entries(const RunRequest& request, const Matrix& matrix, index_t row_begin, index_t row_end,
                           Progress& progress) override {
    require_one_part(request, "what lanes read is");
    return trace_by_emulator(parts_, preparation_, request, matrix, row_begin, row_end, progress);
  }

  std::optional<MeasuredRoofs> saved_roofs(const std::string& device) override {
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
    let_go();
    try {
      const MeasuredRoofs roofs = warpspy::measure_roofs(*number, progress);
      save_roofs(roofs_folder(), device_key(*number), roofs);
      return roofs;
    } catch (const DeviceLost& e) {
      lose(id, e.reason);
      throw;
    }
  }

  BenchMachine bench_machine(const std::string& device, Progress& progress) override {
    const std::optional<int> number = cuda_number(device);
    if (!number) return Engine::bench_machine(device, progress);
    const DeviceProbe probe = probe_devices();
    if (!probe.available) throw Error("the benchmark needs a CUDA device: " + probe.reason, {}, probe.remedy);
    const VendorLibrary& library = vendor_library();
    if (!library.available)
      throw Error("the benchmark needs " + library.name + ": " + library.reason, {}, library.remedy);
    let_go();
    parts_.use_device(*number);
    BenchMachine m;
    m.library = library.name, m.library_version = library.version;
    m.driver_version = probe.driver_version;
    progress.stage("measuring the copy");
    m.copy = measure_copy(progress);
    m.l2 = measure_l2(*number, progress);
    return m;
  }

 private:
  // Frees what runs left on the device, so that nothing slows the next measurement.
  void let_go() {
    on_device_.let_go();
    in_turn_.let_go();
    preparation_.leave_device();
    if (parts_.counters) parts_.counters->release();
  }
  static std::vector<RunRecord> all_end_as(std::vector<RunRecord> records, const RunRecord& one) {
    const RunStatus status = one.status;
    const std::string error = one.error;
    for (RunRecord& r : records) r.status = status, r.error = error;
    return records;
  }
  // nullptr if the device is simulated or cannot be used; the run reports which.
  const DeviceInfo* cuda_device(const std::string& id) const {
    try {
      const DeviceInfo* device = choose_device(id, parts_.devices).device;
      return device->simulated ? nullptr : device;
    } catch (const Error&) {
      return nullptr;
    }
  }

  // The result of the work becomes the record's status.
  template <class Work>
  void guarded(RunRecord& r, Work&& work) {
    try {
      work();
      r.status = RunStatus::ok;
    } catch (const Cancelled&) {
      on_device_.let_go(), in_turn_.let_go(), preparation_.leave_device();
      r.status = RunStatus::cancelled;
      r.error = "cancelled";
    } catch (const DeviceLost& e) {
      on_device_.let_go(), in_turn_.let_go(), preparation_.leave_device();
      const auto* const of_part = dynamic_cast<const PartLost*>(&e);
      lose(of_part ? of_part->device : r.device, e.reason);
      fail(r, "the device was lost: " + std::string(e.what()) + "; " + parts_.after_loss);
    } catch (const std::exception& e) {
      on_device_.let_go();
      fail(r, memory_ran_out() ? "out of memory: this machine has no room for the run" : e.what());
      hold_memory_reserve();  // a new reserve for the next run
    }
  }

  // Notes what is impossible or needs an explanation.
  void check_sanity(RunRecord& r) const {
    if (!r.parts.empty()) return;  // roofs are those of one GPU
    for (const DeviceInfo& d : parts_.devices)
      if (d.id == r.device)
        for (SanityFinding& f : sanity_checks(r, roofs_of(d.spec, r.request.precision)))
          r.notes.push_back(std::move(f.sentence));
  }

  static void fail(RunRecord& r, std::string why) {
    r.status = RunStatus::failed;
    r.error = std::move(why);
  }

  void execute(RunRecord& r, const Matrix& matrix, Progress& progress, const OnTimed& on_timed) {
    if (r.request.solver != Solver::none) {
      const std::optional<Bratu> problem = problem_of(r.request);
      if (!problem) return solve(r, matrix, nullptr, progress);
      return run_newton(*problem, r, matrix, progress, [&](RunRecord& step, const Matrix& jacobian, SolveVectors& v) {
        solve(step, jacobian, &v, progress);
      });
    }
    if (r.request.parts != 1) {
      PreparedRun run = begin_over_parts(r, matrix);
      give_vectors(run, matrix, r, progress);
      return over_parts_.run(run, r, progress);
    }
    over_parts_.let_go();
    const PreparedRun run = prepare(r, matrix, std::nullopt, progress);
    if (run.device.simulated) return run_simulated(run, r, progress, on_timed);
    on_device_.run(run, r, progress, on_timed);
  }

  static void require_one_part(const RunRequest& request, const char* what) {
    if (request.parts != 1) throw Error(std::string(what) + " told of one GPU alone", "parts", "use --parts 1");
  }

  void solve(RunRecord& r, const Matrix& matrix, SolveVectors* given, Progress& progress) {
    if (r.request.parts != 1) return over_parts_.solve(begin_over_parts(r, matrix), r, given, progress);
    over_parts_.let_go();
    const OtherValues values = !given ? OtherValues::none : given->is_later() ? OtherValues::now : OtherValues::follow;
    const PreparedRun run = prepare(r, matrix, std::nullopt, progress, values);
    if (run.device.simulated) return run_simulated_solve(run, r, given, progress);
    on_device_.solve(run, r, given, progress);
  }

  // What a run is: kernel, device and parameters, also in the record. `r` must not move in memory.
  PreparedRun begin(RunRecord& r, const Matrix& matrix) {
    const RunRequest& request = r.request;
    if (!matrix.csr) throw Error("no matrix is open", {}, "open one first");
    r.matrix_name = matrix.source.name;
    r.rows = matrix.csr->rows();
    r.cols = matrix.csr->cols();
    r.nnz = matrix.csr->nnz();
    r.fingerprint = preparation_.fingerprint(matrix.csr);
    if (!(request.budget_s > 0)) throw Error("the time budget must be above 0 seconds", "budget_s");
    if (request.counters != "none") counter_set_index(request.counters);  // throws for an unknown one
    const KernelRow& kernel = parts_.kernel(request.kernel);
    r.kernel_label = kernel.info.label;
    r.code = kernel_code(kernel.info.id);
    r.format = kernel.info.format;
    const ChosenTogether chosen = choose_together(request.device, request.parts, parts_.devices);
    const DeviceInfo& device = *chosen.gpus.front();
    tell_gpus(chosen.gpus, r);
    r.provenance = device.simulated ? Provenance::modelled : Provenance::measured;
    if (!chosen.note.empty()) r.notes.push_back(chosen.note);
    if (parts_.ranks && !device.simulated)
      throw Error("a rank of MPI cannot use a real GPU yet", "device", "choose a simulated one (--device sim:h200)");
    if (const auto refused = refused_over_parts(request, kernel.info, device)) throw *refused;
    if (matrix.csr->is_complex())
      r.notes.push_back(std::string(kComplexNote) + (request.view == RealView::real_part ? "real parts" : "moduli"));

    PreparedRun run{
        request, matrix.csr,        kernel, device, checked_params(kernel.info.params, request.params), {}, {},
        {},      parts_.model.get()};
    run.gpus = chosen.gpus;
    if (!std::isfinite(request.alpha) || !std::isfinite(request.beta))
      throw Error("alpha and beta must be finite numbers", "alpha, beta");
    r.request.params = run.params;  // defaults filled in: the record says what ran
    if (!kernel.info.format.empty())
      r.request.format_params = checked_params(format_row(kernel.info.format).info.params, request.format_params);
    return run;
  }

  // Real GPUs get their parts from PartsRunner, and nothing else stays there.
  PreparedRun begin_over_parts(RunRecord& r, const Matrix& matrix) {
    PreparedRun run = begin(r, matrix);
    if (run.device.simulated) return run;
    r.traffic_source = TrafficSource::timing;
    if (!run.kernel.on_device) throw Error("kernel " + run.kernel.info.id + " has no CUDA code in this build");
    let_go();
    device_.clear();
    return run;
  }

  void give_vectors(PreparedRun& run, const Matrix& matrix, const RunRecord& r, Progress& progress) {
    run.vectors = preparation_.vectors(matrix.csr, run.kernel.info, r.request);
    run.reference = preparation_.reference(matrix.csr, run.kernel, run.format, r.request, progress);
  }

  // In a search many products are prepared, and each needs less. Later values need no counts of work and bytes. `r`
  // must not move in memory.
  PreparedRun prepare(RunRecord& r, const Matrix& matrix, std::optional<InSearch::As> search, Progress& progress,
                      OtherValues values = OtherValues::none) {
    PreparedRun run = begin(r, matrix);
    const RunRequest& request = r.request;
    const std::size_t kept_formats = search ? SearchRunner::kept_formats : 1;
    const std::string& format = run.kernel.info.format;
    if (!format.empty()) run.format = preparation_.format(matrix, format, request, run.device, progress, kept_formats);
    if (!run.device.simulated) {
      r.traffic_source = TrafficSource::timing;
      if (!run.kernel.on_device) throw Error("kernel " + run.kernel.info.id + " has no CUDA code in this build");
      use_device(run.device);
    }
    if (run.format) add_conversion(run, matrix, kept_formats, values, r, progress);
    r.minimum_bytes = {run.minimum_bytes(), "B", Provenance::modelled};
    if (values != OtherValues::now && (!search || *search == InSearch::As::final)) add_counts(run, preparation_, r);
    if (search != InSearch::As::trial && request.solver == Solver::none)
      give_vectors(run, matrix, r, progress);
    else
      run.vectors = preparation_.vectors(matrix.csr, run.kernel.info, r.request);
    progress.check();
    return run;
  }

  // Products of another device are of no use on this one.
  void use_device(const DeviceInfo& device) {
    if (!device_.empty() && device_ != device.id) let_go();
    device_ = device.id;
    parts_.use_device(*cuda_number(device.id));
  }

  // The format's arrays on the device, and what it took to make them.
  void add_conversion(PreparedRun& run, const Matrix& matrix, std::size_t kept_formats, OtherValues values,
                      RunRecord& r, Progress& progress) {
    const auto add = [&](const char* id, const char* label, double us) {
      r.details.push_back({id, label, {us, "us", Provenance::measured}});
    };
    if (run.device.simulated) return add("conversion", "conversion", preparation_.conversion_us());
    const std::string& id = run.kernel.info.format;
    const FormatThere& there =
        preparation_.there(matrix, run.request, run.device, parts_.conversion, progress, kept_formats, values);
    run.kept = there.arrays;
    if (there.csr_upload_us) add("csr_upload", "copy of the CSR to the device", *there.csr_upload_us);
    if (there.conversion_us) {
      add("conversion", "conversion, on the device", *there.conversion_us);
      if (!there.values_us) return;
      add("conversion_values", "conversion: launches that read values", *there.values_us);
      r.details.push_back({"conversion_indices",
                           "conversion: all else, of indices",
                           {std::max(0.0, *there.conversion_us - *there.values_us), "us", Provenance::derived}});
      return;
    }
    add("conversion", "conversion, on the host", preparation_.conversion_us());
    if (!there.reason.empty()) r.notes.push_back(id + " was made on the host: " + there.reason);
  }

  // Records a hash of the source files of its lines.
  static void mark_source(RunRecord& r) {
    std::vector<SourceFile> files;
    for (const Traffic& t : r.lines) {
      const std::string file = source_place(t.name).file;
      if (std::none_of(files.begin(), files.end(), [&](const SourceFile& f) { return f.name == file; }))
        if (const std::string_view text = kernel_source(file); !text.empty())
          files.push_back({file, std::string(text)});
    }
    r.source = source_mark(files, r.lines);
  }

  void lose(const std::string& device, const std::string& why) {
    tell_lost(device, mark_lost(parts_.devices, device, why));
  }

  EngineParts parts_;
  Preparation preparation_;
  DeviceRunner on_device_;
  SearchRunner in_turn_{parts_};
  PartsRunner over_parts_{parts_};
  std::string device_;  // on which arrays may be
};

}  // namespace

std::unique_ptr<Engine> make_engine(EngineParts parts) { return std::make_unique<LocalEngine>(std::move(parts)); }
std::unique_ptr<Engine> make_engine(const std::string& assets, const std::string& after_loss, Ranks* ranks) {
  EngineParts parts{all_devices(assets),       kernel_row,   use_device, cupti_source(),
                    read_model_assets(assets), conversion_to};
  if (!after_loss.empty()) parts.after_loss = after_loss;
  parts.ranks = ranks;
  return make_engine(std::move(parts));
}

}  // namespace warpspy
