// validate: compares the model of a GPU with the real GPU.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>

#include "app/cli/command.hpp"
#include "app/cli/interruptible.hpp"
#include "app/cli/keep_folder.hpp"
#include "app/cli/matrix_list.hpp"
#include "app/cli/measured_of_gpu.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/cli/validate_findings.hpp"
#include "app/wiring.hpp"
#include "core/base/csv.hpp"
#include "core/base/target.hpp"
#include "core/catalog/host.hpp"
#include "core/experiment/executor.hpp"
#include "core/gpu/gpu_match.hpp"
#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "profiling/cupti/source.hpp"
#include "profiling/simulated/calibration.hpp"
#include "profiling/validate/compare.hpp"
#include "profiling/validate/intervals.hpp"
#include "profiling/validate/memory_system.hpp"
#include "profiling/validate/order.hpp"

namespace warpspy::cli {
namespace {

struct ValidateArguments {
  std::vector<std::string> files, kernels, precisions = {"f32", "f64"}, default_kernels = default_list();
  std::string device = "cuda", out, measured, intervals, aside;
  bool memory_system = false, findings = false;
  KeepFolder keep;
  RequestOptions run{for_one_run()};

  // The kernels that are marked for comparing the model with a GPU: ID, or ID:NAME=VALUE.
  static std::vector<std::string> default_list() {
    std::vector<std::string> list;
    for (const KernelRow& row : warpspy::kernels())
      for (const ParamSet& params : row.info.validated) {
        list.push_back(row.info.id);
        for (const auto& [id, value] : params) list.back() += ":" + id + "=" + csv::number(value);
      }
    return list;
  }

  void add(CLI::App& app) {
    std::string usual;
    for (const std::string& kernel : default_kernels) usual += (usual.empty() ? "" : ", ") + kernel;
    app.add_option("FILE", files, "Matrix files, or gen:NAME");
    app.add_option("--kernels", kernels,
                   "Kernels by id, with commas between; a parameter behind a colon: csr_vector:coop=4 (default: " +
                       usual + "); all: every product of ours")
        ->delimiter(',');
    app.add_option("--precision", precisions, "f32, f64, or both: f32,f64")
        ->delimiter(',')
        ->check(CLI::IsMember({"f32", "f64"}))
        ->capture_default_str();
    app.add_option("--device", device, "cuda or cuda:N; with --findings also sim:ID")->capture_default_str();
    add_engines(app, run.engines);
    run.add_only(app, {"cache_state", "depth", "budget_s"});
    app.add_option(
           "--measured", measured,
           "A report that -o wrote before, or a folder of calibrate --measure --keep: what was measured is taken "
           "from there, the model answers anew")
        ->check(CLI::ExistingPath);
    app.add_flag(
        "--memory-system", memory_system,
        "How L1, L2 and DRAM answer simple patterns: the model beside what was measured; takes some ten seconds");
    app.add_flag(
        "--findings", findings,
        "What findings predict of a change, held against what it gives: on the device (a simulated one too), or "
        "by the times of a report (--measured)");
    app.add_option("--intervals", intervals,
                   "Of a simulated GPU (sim:h100): how many of its calibration samples lie in the 90 % intervals that "
                   "other matrices' samples make; runs nothing; -o writes CSV");
    app.add_option("--aside", aside, "With --intervals: a list of matrices, one a line, whose samples are set aside")
        ->check(CLI::ExistingFile)
        ->needs("--intervals");
    keep.add(app);
    app.add_option("-o,--output", out, "The JSON file to write");
  }
};

struct Subject {
  const KernelInfo* kernel = nullptr;
  std::vector<std::string> params;  // NAME=VALUE
};

std::vector<Subject> subjects(const ValidateArguments& o, const Catalog& catalog) {
  std::vector<Subject> list;
  if (o.kernels == std::vector<std::string>{"all"}) {
    for (const KernelInfo& k : catalog.kernels)
      if (k.library.empty() && k.operation == Operation::product) list.push_back({&k, {}});
    return list;
  }
  for (const std::string& text : o.kernels.empty() ? o.default_kernels : o.kernels) {
    Subject s;
    std::size_t colon = text.find(':');
    const std::string id = text.substr(0, colon);
    s.kernel = &catalog.require_kernel(id);
    if (!s.kernel->library.empty())
      throw Error("kernel " + id + " is " + s.kernel->library + "'s, whose code cannot be emulated", {},
                  "choose a kernel of ours");
    while (colon != std::string::npos) {
      const std::size_t next = text.find(':', colon + 1);
      s.params.push_back(text.substr(colon + 1, next == std::string::npos ? next : next - colon - 1));
      colon = next;
    }
    list.push_back(std::move(s));
  }
  return list;
}

// The real device and the simulated GPU that models it.
struct Pair {
  const DeviceInfo* real = nullptr;
  const DeviceInfo* simulated = nullptr;
};
Pair pair_of(const std::string& device, const Catalog& catalog) {
  const std::string id = device == "cuda" ? "cuda:0" : device;
  Pair p;
  p.real = catalog.device(id);
  if (!p.real || p.real->simulated)
    throw Error("validate holds the model against a real GPU, and " + id + " is none", {}, "use --device cuda:N");
  if (!p.real->available)
    throw Error("there is no real GPU to hold the model against: " + p.real->reason, {},
                "warpspy validate --memory-system prints the model beside what was measured elsewhere");
  std::vector<GpuSpec> specs;
  for (const DeviceInfo& d : catalog.devices)
    if (d.simulated) specs.push_back(d.spec);
  const GpuSpec* twin = spec_of_device(p.real->name, p.real->spec.compute_capability, specs);
  if (!twin)
    throw Error("no simulated GPU is a " + p.real->name, "assets/gpus", "add a JSON file with its figures there");
  p.simulated = catalog.device("sim:" + twin->id);
  return p;
}

void write(const ValidationReport& report, const std::string& file) {
  if (file.empty()) return;
  write_file(file, to_json(report) + "\n");
}

void print_summary(const ValidationReport& report) {
  std::printf("\n%s against its model, %s\n", report.device.c_str(), report.simulated.c_str());
  int failed = 0;
  for (const ValidationRun& run : report.runs) failed += !run.failure.empty();
  for (const BarSummary& s : summarise(report.runs))
    std::printf("  %-12s %-4s %s\n", s.label.c_str(), s.runs == 0 ? "-" : s.met ? "met" : "NOT", s.text.c_str());
  if (const std::string held = interval_summary(report.runs); !held.empty())
    std::printf("  %-12s %-4s %s\n", "intervals", "", held.c_str());
  if (failed > 0) std::printf("  %d runs have no numbers: see above\n", failed);
  const std::vector<KernelOrder> orders = kernel_orders(report.runs);
  if (orders.empty()) return;
  std::printf("\n%s\n", order_head().c_str());
  for (const KernelOrder& o : orders) std::printf("%s\n", order_line(o).c_str());
  const OrderSummary order = summarise(orders);
  std::printf("  %-12s %-4s %s\n", "order", order.met ? "met" : "NOT", order.text.c_str());
}

// Adds one line to the report and writes it, so that an interruption loses nothing.
void add(ValidationReport& report, const RunRecord& measured, const RunRecord& modelled, const std::string& out) {
  report.runs.push_back(compare_runs(measured, modelled));
  std::printf("%s\n", validation_line(report.runs.back()).c_str());
  std::fflush(stdout);
  write(report, out);
}

// The plan that identifies the folder.
SweepPlan plan_of(const std::vector<RunRequest>& requests) {
  std::vector<std::string> files, kernels;
  const auto once = [](std::vector<std::string>& list, const std::string& text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
  };
  for (const RunRequest& r : requests) once(files, r.matrix), once(kernels, r.kernel);
  return KeepFolder::plan_of(files, kernels);
}

// Runs the cases in order and opens each matrix when it is needed. If one cannot be opened, only its runs fail; if none
// can, throws the Error. Returns false if it was stopped.
bool run_cases(const std::vector<RunRequest>& requests, KeepFolder& keep, const Services& services,
               const std::function<void(std::size_t, const RunRecord&)>& ended) {
  const std::unique_ptr<History> history = open_history();
  ExecutorOptions options{.history = history.get()};
  keep.open(options, plan_of(requests), services.catalog);
  Executor executor(*services.engine, services.catalog, options);
  Matrix m;
  const MatrixOf opener = [&](const std::string& source, Progress&) -> const Matrix& {
    return m = open_with_progress(source);
  };
  const ListPlan plan("validate", cases_of(requests, Purpose::trial));
  Results results;
  PlanEvents events;
  events.ended = [&](const CaseResult& r) { ended(results.size() - 1, *r.record); };
  Progress progress;
  const Interruptible interruptible(progress);
  PlanEnd end = PlanEnd::device_lost;
  while (end == PlanEnd::device_lost) end = executor.run(plan, opener, progress, results, events);  // the rest says so
  keep.close();
  if (end == PlanEnd::cancelled) {
    std::cerr << "warpspy: stopped; " << results.size() << " of " << requests.size() << " products were run"
              << (keep.given() ? "; the same command goes on" : "") << "\n";
    return false;
  }
  if (!results.empty() && std::none_of(results.begin(), results.end(), [](const CaseResult& r) { return r.opened; }))
    throw Error("no matrix could be opened: " + results.front().record->error);
  return true;
}

// Compares the model with what was measured earlier.
int against_report(ValidateArguments& o, const Services& services) {
  const bool folder = std::filesystem::is_directory(o.measured);
  const MeasuredRuns measured = folder ? measured_in_folder(o.measured, services.catalog) : read_measured(o.measured);
  const auto twin = std::find_if(services.catalog.devices.begin(), services.catalog.devices.end(),
                                 [&](const DeviceInfo& d) { return d.simulated && d.name == measured.simulated; });
  if (twin == services.catalog.devices.end())
    throw Error("no simulated GPU is called " + measured.simulated, o.measured, "warpspy devices lists them");
  ValidationReport report{measured.device, measured.simulated, measured.date, {}};
  std::printf("%s\n", validation_head().c_str());
  std::vector<const RunRecord*> runs;
  std::vector<RunRequest> requests;
  for (const RunRecord& run : measured.runs) {
    RunRequest request = run.request;
    if (!o.files.empty() && std::find(o.files.begin(), o.files.end(), request.matrix) == o.files.end()) continue;
    request.device = twin->id;
    request.depth = o.run.request.depth;
    request.budget_s = o.run.request.budget_s;
    runs.push_back(&run);
    requests.push_back(std::move(request));
  }
  const auto calibrations = read_calibrations(assets_folder());
  const auto samples = calibrations.find(twin->spec.id);
  const Calibration* of_twin = samples == calibrations.end() ? nullptr : &samples->second;
  const bool whole = run_cases(requests, o.keep, services, [&](std::size_t k, const RunRecord& modelled) {
    add(report, *runs[k], by_samples(modelled, of_twin, twin->name), {});
  });
  write(report, o.out);
  print_summary(report);
  return whole ? 0 : stopped;
}

// Measures an experiment on this machine's GPU. Returns nothing if there is no GPU or its counters cannot be read.
using Measure = std::function<std::optional<double>(const Experiment&)>;

Measure measure_on(const DeviceInfo& device) {
  const int ordinal = std::stoi(device.id.substr(5));
  use_device(ordinal);
  const std::shared_ptr<CounterSource> source = cupti_source();
  return [=, sms = device.spec.sm_count, l2 = device.spec.l2_bytes](const Experiment& e) {
    const DeviceExperiment experiment = on_device(e, sms, l2);
    Progress progress;
    const auto outcome = collect_counters(*source, ordinal, "full", {experiment.before, experiment.launch}, progress);
    return measured_answer(e, outcome.counters, accesses_of(e, sms, l2));
  };
}

// The GPU whose model is tested: the one of this machine, else the one of the references.
int memory_system(const ValidateArguments& o, const Catalog& catalog) {
  const DeviceInfo* gpu = catalog.device("sim:" + std::string(memory_reference_gpu));
  const DeviceInfo* real = catalog.device(o.device == "cuda" ? "cuda:0" : o.device);
  Measure measure;
  if (real && !host_of(real->id).empty())
    throw Error("simple patterns are measured on a GPU of this machine, and " + real->id + " is in another", {},
                "run warpspy validate --memory-system there");
  if (real && real->available && !real->simulated) {
    gpu = pair_of(o.device, catalog).simulated;
    measure = measure_on(*real);
    std::printf("%s beside %s, and what was %s\n", real->name.c_str(), gpu->name.c_str(), memory_reference);
  } else {
    if (!gpu) throw Error("the description of the GPU that was measured is missing", "assets/gpus");
    std::printf("%s beside what was %s\n%s\n", gpu->name.c_str(), memory_reference,
                real ? real->reason.c_str() : "there is no such device");
  }
  std::printf("%-38s %-24s %4s %10s %10s %10s %10s\n", "experiment", "", "", "here", "reference", "modelled", "error");
  // The references belong to one GPU. For another GPU only its own measurement is shown.
  const bool same = gpu->spec.id == memory_reference_gpu;
  int within = 0, compared = 0;
  for (const Experiment& e : memory_experiments()) {
    Progress progress;
    const double modelled = modelled_answer(e, gpu->spec, progress);
    const std::optional<double> here = measure ? measure(e) : std::nullopt;
    const auto text = [](std::optional<double> v) {
      char number[32];
      std::snprintf(number, sizeof number, "%.4g", v.value_or(0));
      return v ? std::string(number) : std::string("-");
    };
    const std::optional<double> truth = here ? here : same ? std::optional(e.reference) : std::nullopt;
    const bool ok = truth && std::abs(modelled - *truth) <= e.allowed;
    compared += truth.has_value();
    within += ok;
    std::printf("%-38s %-24s %4s %10s %10s %10s %10s%s\n", e.label, e.quantity, e.unit, text(here).c_str(),
                same ? text(e.reference).c_str() : "-", text(modelled).c_str(),
                truth ? text(modelled - *truth).c_str() : "-", !truth || ok ? "" : " !");
    std::fflush(stdout);
  }
  std::printf("%d of %d within their tolerance%s\n", within, compared,
              within == compared ? "" : "; those with ! are not");
  return within == compared ? 0 : 1;
}

int intervals(const ValidateArguments& o, const Catalog& catalog) {
  const DeviceInfo* gpu = catalog.device(o.intervals);
  if (!gpu || !gpu->simulated)
    throw Error("intervals are of modelled times, and " + o.intervals + " is no simulated GPU", "--intervals",
                "warpspy devices lists them");
  const auto all = read_calibrations(assets_folder());
  const auto at = all.find(gpu->spec.id);
  if (at == all.end())
    throw Error("no times of products were measured on " + gpu->name, "--intervals", "warpspy calibrate makes samples");
  const std::string table =
      to_csv(interval_coverage(at->second, o.aside.empty() ? std::vector<std::string>{} : matrices_listed_in(o.aside)));
  std::printf("%s", table.c_str());
  if (!o.out.empty()) write_file(o.out, table);
  return 0;
}

int findings(const ValidateArguments& o, const Services& services) {
  if (o.files.empty() && o.measured.empty())
    throw Error("no matrix is given", "FILE", "name files, gen:NAME, or a report with --measured");
  FindingsOptions options{.files = o.files, .requests = {}, .measured = o.measured, .out = o.out};
  for (const Subject& subject : subjects(o, services.catalog))
    for (const std::string& precision : o.precisions) {
      RunRequest request = o.run.request;
      request.kernel = subject.kernel->id;
      request.precision = precision == "f64" ? Precision::f64 : Precision::f32;
      request.device = o.device;
      for (const std::string& text : subject.params)
        set_param(request, text, *subject.kernel, services.catalog.format(subject.kernel->format));
      options.requests.push_back(std::move(request));
    }
  return validate_findings(options, services);
}

}  // namespace

int validate(CLI::App& app, std::vector<std::string> args) {
  ValidateArguments o;
  o.add(app);
  app.parse(std::move(args));
  Services services = make_services(o.run.engines);
  if (!o.intervals.empty()) return intervals(o, services.catalog);
  if (o.memory_system) return memory_system(o, services.catalog);
  if (o.findings) return findings(o, services);
  if (!o.measured.empty()) return against_report(o, services);
  if (o.files.empty()) throw Error("no matrix is given", "FILE", "name files, gen:NAME, or --memory-system");
  const std::vector<Subject> list = subjects(o, services.catalog);
  const Pair pair = pair_of(o.device, services.catalog);
  ValidationReport report{pair.real->name, pair.simulated->name, {}, {}};
  std::printf("%s\n", validation_head().c_str());
  std::vector<RunRequest> requests;  // alternating: for the device, for the model
  for (const std::string& file : o.files)
    for (const Subject& subject : list)
      for (const std::string& precision : o.precisions) {
        RunRequest request = o.run.request;
        request.matrix = as_told(file);
        request.kernel = subject.kernel->id;
        request.precision = precision == "f64" ? Precision::f64 : Precision::f32;
        for (const std::string& text : subject.params)
          set_param(request, text, *subject.kernel, services.catalog.format(subject.kernel->format));
        request.counters = "full";
        for (const DeviceInfo* device : {pair.real, pair.simulated}) {
          request.device = device->id;
          requests.push_back(request);
        }
      }
  RunRecord measured;
  const bool whole = run_cases(requests, o.keep, services, [&](std::size_t k, const RunRecord& run) {
    if (k % 2 == 1) return add(report, measured, run, o.out);
    measured = run;
    if (report.date.empty()) report.date = measured.started;
  });
  print_summary(report);
  return whole ? 0 : stopped;
}

}  // namespace warpspy::cli
