// analyse and memory: figures about the memory traffic of a product.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>

#include "app/cli/figure_options.hpp"
#include "app/cli/history_options.hpp"
#include "app/cli/interruptible.hpp"
#include "app/cli/keep_folder.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/cli/saved_runs.hpp"
#include "app/wiring.hpp"
#include "core/experiment/analysis.hpp"
#include "core/plot/analysis_figures.hpp"
#include "profiling/engine/devices.hpp"

namespace warpspy::cli {
namespace {

// What both commands need from a run. They choose the run's counters themselves.
struct Wanted {
  std::vector<std::string> files, kernels, params;
  RequestOptions run{for_one_run()};

  void add(CLI::App& app) {
    app.add_option("--kernel", kernels, "Kernels, with commas between them")->delimiter(',')->allow_extra_args(false);
    app.add_option("--param", params, "NAME=VALUE, a parameter; may be repeated")->allow_extra_args(false);
    run.add(app, {"device", "counters", "lines"});
  }
  RunRequest base(const std::string& file, const Matrix& m) const {
    RunRequest r = run.request;
    r.matrix = as_told(file);
    r.view = run.view_of(m, file);
    return r;
  }
};

// Sets a parameter of the analysis, or of any of the kernels or their formats. Throws if none has it.
void set_any(AnalysisRequest& a, const std::string& text, const Catalog& catalog) {
  const std::string id = text.substr(0, text.find('='));
  for (const ParamSpec& spec : analysis_row(a.id).info.params)
    if (spec.id == id && text.size() > id.size() + 1) {
      a.params[id] = param_value(spec, text.substr(id.size() + 1));
      return;
    }
  const auto has = [&](const std::vector<ParamSpec>& specs) {
    return std::any_of(specs.begin(), specs.end(), [&](const ParamSpec& s) { return s.id == id; });
  };
  const KernelInfo* last = nullptr;
  for (const std::string& k : a.kernels) {
    last = &catalog.require_kernel(k);
    const FormatInfo* format = catalog.format(last->format);
    if (has(last->params) || (format && has(format->params))) return set_param(a.run, text, *last, format);
  }
  if (last) set_param(a.run, text, *last, catalog.format(last->format));  // throws an Error
}

void list_analyses() {
  for (const AnalysisRow& row : analyses())
    std::printf("%-12s %s (%s)\n             %s\n             %s; needs %s\n", row.info.id.c_str(),
                row.info.label.c_str(), row.info.source.c_str(), row.info.help.c_str(), row.info.formula.c_str(),
                row.info.needs.c_str());
}

// Every file with every kernel on every device.
void run_all(const Wanted& wanted, const std::vector<std::string>& devices, const Services& services,
             figure::Subject& subject) {
  const std::unique_ptr<History> history = open_history();
  Executor executor(*services.engine, services.catalog, {.history = history.get()});
  PlanEvents events;
  events.ended = [&](const CaseResult& r) {
    if (r.record->status != RunStatus::ok) throw Error(r.record->error, r.asked.request.kernel);
    RunRecord numbered = *r.record;
    numbered.id = subject.runs.size() + 1;  // the figure's own
    subject.runs.push_back(std::make_shared<const RunRecord>(std::move(numbered)));
  };
  for (const std::string& file : wanted.files) {
    const Matrix m = open_with_progress(file);
    subject.matrices.push_back(figure_matrix(file, m));
    std::vector<RunRequest> requests;
    for (const std::string& kernel : wanted.kernels)
      for (const std::string& device : devices) {
        const KernelInfo& info = services.catalog.require_kernel(kernel);
        RunRequest request = wanted.base(file, m);
        request.kernel = info.id;
        request.device = device;
        for (const std::string& text : wanted.params)
          set_param(request, text, info, services.catalog.format(info.format));
        requests.push_back(std::move(request));
      }
    Progress progress;
    executor.run(ListPlan("memory", cases_of(requests, Purpose::trial)), m, progress, events);
  }
}

}  // namespace

int analyse(CLI::App& app, std::vector<std::string> args) {
  const figure::Row& row = *figure::row("analysis");
  FigureOptions figure;
  Wanted wanted;
  std::string id;
  bool list = false;
  figure.add(app);
  figure.add_fields(app, row);
  app.get_option("--output")->required(false);
  app.add_option("FILE", wanted.files, "Matrix files, or gen:NAME");
  app.add_option("--analysis", id, "Which one (see --list)");
  app.add_flag("--list", list, "List the analyses");
  wanted.run.add_only(app, {"device"});
  wanted.add(app);
  KeepFolder keep;
  keep.add(app);
  app.parse(std::move(args));
  if (list) return list_analyses(), 0;
  if (wanted.files.empty()) throw CLI::RequiredError("FILE");
  if (id.empty()) throw CLI::RequiredError("--analysis");
  if (figure.out.empty()) throw CLI::RequiredError("--output");
  figure.page();

  Services services = make_services(wanted.run.engines);
  AnalysisRequest request;
  request.id = analysis_row(id).info.id;
  request.kernels = wanted.kernels.empty() ? std::vector<std::string>{RunRequest{}.kernel} : wanted.kernels;
  if (!analysis_row(id).kernel.empty()) request.kernels = {analysis_row(id).kernel};
  for (const std::string& text : wanted.params) set_any(request, text, services.catalog);
  const RunRequest given = request.run;  // its parameters
  figure::Subject subject;
  const std::unique_ptr<History> history = open_history();
  ExecutorOptions options{.history = history.get()};
  if (keep.given())
    wanted.run.request.device = choose_device(wanted.run.request.device, services.catalog.devices).device->id;
  keep.open(options, KeepFolder::plan_of(wanted.files, request.kernels), services.catalog);
  Executor executor(*services.engine, services.catalog, options);
  std::vector<AnalysisResult> results;
  Progress progress;
  const Interruptible interruptible(progress);
  for (const std::string& file : wanted.files) try {
      const Matrix m = open_with_progress(file);
      subject.matrices.push_back(figure_matrix(file, m));
      request.run = wanted.base(file, m);
      request.run.params = given.params;
      request.run.format_params = given.format_params;
      Progress part(&progress);
      results.push_back(run_analysis(request, services.catalog, executor, m, part));
    } catch (const Cancelled&) {
      keep.close();
      std::cerr << "warpspy: stopped" << (keep.given() ? "; the same command goes on" : "") << "\n";
      return stopped;
    }
  keep.close();
  const AnalysisResult result = merged(std::move(results));
  const std::vector<std::string> missing = plot::unavailable_lines(result);
  if (std::none_of(result.values.begin(), result.values.end(),
                   [](const AnalysisValue& v) { return v.value.has_value(); }))
    throw Error(missing.empty() ? "nothing of this analysis is available on this device" : missing.front(), id,
                missing.empty() ? "try another device, such as sim:h200" : "so there is nothing to draw");
  for (const std::string& line : missing) std::cerr << "warpspy: " << line << "\n";
  subject.analysis = std::make_shared<const AnalysisResult>(result);
  figure.write(row, subject);
  return 0;
}

int memory(CLI::App& app, std::vector<std::string> args) {
  const figure::Row& row = *figure::row("memory");
  FigureOptions figure;
  Wanted wanted;
  std::vector<std::string> devices = {"auto"};
  figure.add(app);
  figure.add_fields(app, row);
  app.add_option("FILE", wanted.files, "A matrix file, or gen:NAME; or numbers of saved runs")->required();
  app.add_option("--device", devices, "Devices, with commas between them: cuda,sim:h200 draws measured beside modelled")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  wanted.add(app);
  add_engines(app, wanted.run.engines);
  app.parse(std::move(args));
  figure.page();
  if (wanted.kernels.empty()) wanted.kernels = {RunRequest{}.kernel};
  const bool kept = is_run_number(wanted.files.front());
  if (wanted.files.size() * (kept ? 1 : wanted.kernels.size() * devices.size()) > 3)
    throw Error("more than three runs do not fit one chart", {}, "name fewer files, kernels or devices");
  Services services = make_services(wanted.run.engines);
  figure::Subject subject;
  subject.catalog = &services.catalog;
  if (kept)
    subject.runs = runs_meant(History(need_history_path()), wanted.files, {});
  else
    run_all(wanted, devices, services, subject);
  figure.write(row, subject, kept);
  return 0;
}

}  // namespace warpspy::cli
