// calibrate: measures products on a GPU, and makes calibration samples of the GPU's model from such runs.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/interruptible.hpp"
#include "app/cli/keep_folder.hpp"
#include "app/cli/matrix_list.hpp"
#include "app/cli/measured_of_gpu.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/wiring.hpp"
#include "core/base/target.hpp"
#include "core/experiment/executor.hpp"
#include "core/run/history.hpp"
#include "profiling/validate/calibrate.hpp"
#include "profiling/validate/measure_plan.hpp"

namespace warpspy::cli {
namespace {

struct CalibrateArguments {
  std::string device, out, since, from, measure, on = "cuda";
  double seconds = 0;  // 0: until the plan is done
  MeasureOptions how;
  std::vector<std::string> ways;
  RequestOptions run{{}};  // the limit on formats
  KeepFolder keep;

  void add(CLI::App& app) {
    app.add_option("GPU", device, "The simulated GPU whose model is to learn: sim:h100")->required();
    app.add_option("--since", since, "Only runs that began then or later: 2026-11, 2026-11-25T12");
    app.add_option("--from", from, "Read runs from a folder of --keep, not from the history");
    auto* list = app.add_option("--measure", measure,
                                "Measure, and make no samples yet: a list of matrices, one a line. Of each: every "
                                "kernel in f32 and f64, cold and warm, with default and tuned parameters, and solves")
                     ->check(CLI::ExistingFile);
    app.add_option("--device", on, "With --measure: where; a simulated GPU only shows what the plan does")
        ->capture_default_str()
        ->needs(list);
    app.add_option("--for", seconds, "With --measure: stop after this time, such as 8min; the same command goes on")
        ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"min", 60}, {"h", 3600}}))
        ->needs(list);
    app.add_option("--kernels", how.kernels, "With --measure: only these kernels, and no solves")
        ->delimiter(',')
        ->needs(list);
    app.add_option("--ways", ways, "With --measure: only f32-cold, f32-warm, f64-cold or f64-warm, or some of them")
        ->delimiter(',')
        ->needs(list);
    app.add_option("--budget", how.budget_s, "With --measure: seconds that a product may be timed")
        ->check(CLI::Range(0.001, 86400.0))
        ->capture_default_str()
        ->needs(list);
    app.add_option("--counters", how.counters, "With --measure: the set of counters that is read of each product")
        ->capture_default_str()
        ->needs(list);
    run.add_only(app, {"device_memory_bytes"});
    app.get_option("--device-memory")->needs(list);
    keep.add(app);
    app.add_option("-o,--output", out, "The file to write: assets/calibration/h100.json")->excludes(list);
  }
};

std::string in_words(const DeviceInfo& gpu, const MeasuredOf& measured) {
  std::vector<std::string> days;
  for (const RunRecord* r : measured.runs) days.push_back(r->started.substr(0, 10));
  const auto [first, last] = std::minmax_element(days.begin(), days.end());
  return measured.runs.front()->device_name + ", " + *first + (*first == *last ? "" : " to " + *last) +
         ": saved runs, by warpspy calibrate sim:" + gpu.spec.id;
}

// Runs the plan until it is done or its time is up. The executor finds in the folder what an earlier call measured.
int measure(CalibrateArguments& o, const Services& services) {
  using Clock = std::chrono::steady_clock;
  const DeviceInfo* device = services.catalog.device(o.on == "cuda" ? "cuda:0" : o.on);
  if (!device || !device->available)
    throw Error("there is no such GPU to measure on: " + (device ? device->reason : o.on), "--device",
                "warpspy devices lists them");
  std::vector<std::string> matrices = matrices_listed_in(o.measure);
  for (std::string& name : matrices) name = as_told(name);
  o.how.memory = o.run.request.memory;
  if (!o.ways.empty()) o.how.ways.clear();
  for (const std::string& way : o.ways) o.how.ways.push_back(measure_way(way));
  const std::vector<RunRequest> requests = measure_requests(matrices, services.catalog, *device, o.how);
  const std::unique_ptr<History> history = open_history();
  ExecutorOptions options{.history = history.get()};
  o.keep.open(options, KeepFolder::plan_of(matrices, o.how.kernels), services.catalog);
  Executor executor(*services.engine, services.catalog, options);
  Matrix m;
  const MatrixOf opener = [&](const std::string& source, Progress&) -> const Matrix& {
    return m = open_with_progress(source);
  };
  Results results;
  Progress progress;
  const auto began = Clock::now();
  const auto is_over = [&] {
    return o.seconds > 0 && std::chrono::duration<double>(Clock::now() - began).count() >= o.seconds;
  };
  std::size_t failed = 0;
  PlanEvents events;
  events.ended = [&](const CaseResult& r) {
    failed += r.record->status != RunStatus::ok;
    if (!r.found)
      std::fprintf(stderr, "%zu of %zu: %s, %s%s\n", results.size(), requests.size(), r.record->matrix_name.c_str(),
                   r.record->request.kernel.c_str(), r.record->error.empty() ? "" : (": " + r.record->error).c_str());
    if (is_over()) progress.cancel();
  };
  const Interruptible interruptible(progress);
  const ListPlan plan("calibrate", cases_of(requests, Purpose::trial));
  PlanEnd end = PlanEnd::device_lost;
  while (end == PlanEnd::device_lost) end = executor.run(plan, opener, progress, results, events);  // the rest says so
  o.keep.close();
  std::printf("%zu of %zu products, %zu of them from an earlier call; %zu could not run%s\n", results.size(),
              requests.size(), executor.found(), failed,
              results.size() == requests.size() ? ""
              : o.keep.given()                  ? "; the same command goes on"
                                                : "; with --keep the same command would go on");
  return end == PlanEnd::cancelled && !is_over() ? stopped : 0;
}

// Runs the model again for each, so that all samples come from the present model. Nothing if it was stopped.
std::optional<std::vector<TimedProduct>> modelled(const std::vector<const RunRecord*>& measured, const DeviceInfo& gpu,
                                                  const Services& services, KeepFolder& keep) {
  std::vector<RunRequest> requests;
  std::vector<std::string> matrices;
  for (const RunRecord* r : measured) {
    RunRequest request = r->request;
    request.device = gpu.id;
    request.depth = Depth::full;
    request.counters = "none";
    request.live = request.lines = false;
    if (matrices.empty() || matrices.back() != request.matrix) matrices.push_back(request.matrix);
    requests.push_back(std::move(request));
  }
  ExecutorOptions options;
  keep.open(options, KeepFolder::plan_of(matrices, {}), services.catalog);
  Executor executor(*services.engine, services.catalog, options);
  Matrix m;
  const MatrixOf opener = [&](const std::string& source, Progress&) -> const Matrix& {
    return m = open_with_progress(source);
  };
  std::vector<TimedProduct> products;
  Results results;
  PlanEvents events;
  events.ended = [&](const CaseResult& r) {
    const RunRecord& truth = *measured[results.size() - 1];
    if (!r.found)
      std::fprintf(stderr, "%zu of %zu: %s, %s%s\n", results.size(), measured.size(), truth.matrix_name.c_str(),
                   truth.request.kernel.c_str(), r.record->error.empty() ? "" : (": " + r.record->error).c_str());
    if (auto product = timed_product(truth, *r.record)) products.push_back(std::move(*product));
  };
  Progress progress;
  const Interruptible interruptible(progress);
  const ListPlan plan("calibrate", cases_of(requests, Purpose::trial));
  const PlanEnd end = executor.run(plan, opener, progress, results, events);
  keep.close();
  if (end == PlanEnd::cancelled) return {};
  return products;
}

}  // namespace

int calibrate(CLI::App& app, std::vector<std::string> args) {
  CalibrateArguments o;
  o.add(app);
  app.parse(std::move(args));
  const Services services = make_services();
  const DeviceInfo* gpu = services.catalog.device(o.device);
  if (!gpu || !gpu->simulated)
    throw Error("the model of a simulated GPU learns, and " + o.device + " is none", {}, "warpspy devices lists them");
  if (!o.measure.empty()) return measure(o, services);
  if (o.out.empty()) throw Error("no file is named for the samples", "-o", "name it: assets/calibration/ID.json");
  const MeasuredOfGpu of = measured_of_gpu(gpu->spec, o.from, o.since);
  const auto products = modelled(of.measured.runs, *gpu, services, o.keep);
  if (!products) {
    std::fprintf(stderr, "warpspy: stopped%s\n", o.keep.given() ? "; the same command goes on" : "");
    return stopped;
  }
  if (products->empty()) throw Error("no matrix of these runs could be had", of.path);
  write_file(o.out, to_json(calibration_of(gpu->spec.id, in_words(*gpu, of.measured), *products)));
  std::printf("%s: %zu calibration samples of %s\n", o.out.c_str(), products->size(), gpu->name.c_str());
  return 0;
}

}  // namespace warpspy::cli
