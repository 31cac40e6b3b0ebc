// calibrate: makes calibration samples of a GPU's model from saved runs on that GPU.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/history_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/wiring.hpp"
#include "core/base/target.hpp"
#include "core/experiment/executor.hpp"
#include "core/gpu/gpu_match.hpp"
#include "core/run/history.hpp"
#include "profiling/validate/calibrate.hpp"

namespace warpspy::cli {
namespace {

constexpr std::size_t all_runs = 1'000'000;

struct CalibrateArguments {
  std::string device, out, since;

  void add(CLI::App& app) {
    app.add_option("GPU", device, "The simulated GPU whose model is to learn: sim:h100")->required();
    app.add_option("--since", since, "Only runs that began then or later: 2026-11, 2026-11-25T12");
    app.add_option("-o,--output", out, "The file to write: assets/calibration/h100.json")->required();
  }
};

// Saved runs that the user asked for, and those of plans.
std::vector<SavedRun> saved_runs(const History& history, const std::string& since) {
  std::vector<SavedRun> all;
  for (const bool trials : {false, true}) {
    HistoryQuery query;
    query.since = since;
    query.trials = trials;
    query.limit = all_runs;
    const HistoryPage page = history.find(query);
    all.insert(all.end(), page.runs.begin(), page.runs.end());
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const SavedRun& a, const SavedRun& b) { return a.record->started > b.record->started; });
  return all;
}

std::string in_words(const DeviceInfo& gpu, const MeasuredOf& measured) {
  std::vector<std::string> days;
  for (const RunRecord* r : measured.runs) days.push_back(r->started.substr(0, 10));
  const auto [first, last] = std::minmax_element(days.begin(), days.end());
  return measured.runs.front()->device_name + ", " + *first + (*first == *last ? "" : " to " + *last) +
         ": saved runs, by warpspy calibrate sim:" + gpu.spec.id;
}

// Runs the model again for each, so that all samples come from the present model.
std::vector<TimedProduct> modelled(const std::vector<const RunRecord*>& measured, const DeviceInfo& gpu,
                                   const Services& services) {
  std::vector<RunRequest> requests;
  for (const RunRecord* r : measured) {
    RunRequest request = r->request;
    request.device = gpu.id;
    request.depth = Depth::full;
    request.counters = "none";
    request.live = request.lines = false;
    requests.push_back(std::move(request));
  }
  Executor executor(*services.engine, services.catalog);
  Matrix m;
  const MatrixOf opener = [&](const std::string& source, Progress&) -> const Matrix& {
    return m = open_with_progress(source);
  };
  std::vector<TimedProduct> products;
  Results results;
  PlanEvents events;
  events.ended = [&](const CaseResult& r) {
    const RunRecord& truth = *measured[results.size() - 1];
    std::fprintf(stderr, "%zu of %zu: %s, %s%s\n", results.size(), measured.size(), truth.matrix_name.c_str(),
                 truth.request.kernel.c_str(), r.record->error.empty() ? "" : (": " + r.record->error).c_str());
    if (auto product = timed_product(truth, *r.record)) products.push_back(std::move(*product));
  };
  Progress progress;
  executor.run(ListPlan("calibrate", cases_of(requests, Purpose::trial)), opener, progress, results, events);
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
  History history(need_history_path());
  tell_problems(history);
  const std::vector<SavedRun> kept = saved_runs(history, o.since);
  std::vector<const RunRecord*> records;
  for (const SavedRun& k : kept) records.push_back(k.record.get());
  const std::vector<GpuSpec> specs{gpu->spec};
  MeasuredOf measured = measured_of(gpu->spec.id, records, [&](const RunRecord& r) {
    const GpuSpec* its = spec_of_device(r.device_name, gpu->spec.compute_capability, specs);
    return its ? its->id : std::string();
  });
  if (measured.other_code > 0)
    std::fprintf(stderr, "%zu runs are left out: their kernel's code has changed since, or was not noted\n",
                 measured.other_code);
  if (measured.unchecked > 0)
    std::fprintf(stderr, "%zu runs are left out: their results were not checked, as of trials of a search\n",
                 measured.unchecked);
  if (measured.runs.empty())
    throw Error("no saved run was measured on " + gpu->name + " with a kernel's code of today", history.path(),
                "measure there first: warpspy validate, sweep or run");
  // Each matrix is opened once.
  std::stable_sort(measured.runs.begin(), measured.runs.end(),
                   [](const RunRecord* a, const RunRecord* b) { return a->request.matrix < b->request.matrix; });
  const std::vector<TimedProduct> products = modelled(measured.runs, *gpu, services);
  if (products.empty()) throw Error("no matrix of these runs could be had", history.path());
  write_file(o.out, to_json(calibration_of(gpu->spec.id, in_words(*gpu, measured), products)));
  std::printf("%s: %zu calibration samples of %s\n", o.out.c_str(), products.size(), gpu->name.c_str());
  return 0;
}

}  // namespace warpspy::cli
