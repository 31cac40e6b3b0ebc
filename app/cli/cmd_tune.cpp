// tune: strategies that search for good parameters.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <optional>

#include "app/cli/figure_options.hpp"
#include "app/cli/interruptible.hpp"
#include "app/cli/keep_folder.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/cli/terminal.hpp"
#include "app/wiring.hpp"
#include "core/experiment/search.hpp"
#include "core/run/sweep_axes.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/search_plan.hpp"

namespace warpspy::cli {
namespace {

std::string figure_text(double v, const char* format = "%.4g") {
  char text[48];
  std::snprintf(text, sizeof text, format, v);
  return text;
}

std::string params_text(const KernelInfo* kernel, const ParamSet& params) {
  std::string s;
  for (const auto& [id, value] : params) {
    const ParamSpec* spec = nullptr;
    if (kernel)
      for (const ParamSpec& p : kernel->params)
        if (p.id == id) spec = &p;
    const auto choice = static_cast<std::size_t>(std::max(0.0, value));
    // Cache policies at their default are left out.
    if (spec && spec->type == ParamSpec::Type::choice && value == spec->def) continue;
    const bool word = spec && spec->type == ParamSpec::Type::choice && choice < spec->choices.size();
    s += (s.empty() ? "" : " ") + id + "=" + (word ? spec->choices[choice] : figure_text(value, "%.12g"));
  }
  return s;
}

std::string regret_text(const TuneOutcome& o) {
  return o.regret ? figure_text(100 * *o.regret, "%.1f %%") : o.us ? "unknown" : "";
}
std::string pays_text(const TuneOutcome& o, bool base_known) {
  if (!o.us) return "";
  if (!base_known) return "unknown";
  if (!o.pays_after) return "never";
  if (*o.pays_after == 0) return "at once";
  return figure_text(std::ceil(*o.pays_after), "%.0f") + " products";
}

void print(const TuneRecord& r, const Catalog& catalog) {
  std::printf("%s, %s, %s on %s\n", r.matrix_name.c_str(), r.request.run.kernel.c_str(),
              name_of(r.request.run.precision), r.device_name.c_str());
  const auto row = [](const std::string& strategy, const std::string& time, const std::string& products,
                      const std::string& regret, const std::string& pays, const std::string& params) {
    std::printf("  %-12s %10s %9s %9s %16s  %s\n", strategy.c_str(), time.c_str(), products.c_str(), regret.c_str(),
                pays.c_str(), params.c_str());
  };
  row("strategy", "time/us", "products", "regret", "pays off after",
      std::string("parameters (times ") + name_of(r.provenance) + ")");
  const TuneStep* base = r.base();
  const bool base_known = base && base->us;
  if (base)
    row("default", base->us ? figure_text(*base->us) : "failed", "", "", "",
        base->us ? params_text(catalog.kernel(base->kernel), base->params) : base->failure);
  for (const TuneOutcome& o : r.outcomes) {
    const KernelInfo* kernel = catalog.kernel(o.kernel);
    const std::string other = o.us && o.kernel != r.request.run.kernel ? o.kernel + " " : "";
    row(o.strategy, o.us ? figure_text(*o.us) : "failed", std::to_string(o.products), regret_text(o),
        pays_text(o, base_known), other + params_text(kernel, o.params));
  }
  for (const TuneOutcome& o : r.outcomes)
    if (!o.reason.empty()) std::printf("  %s\n", verdict_text(r, o.strategy, catalog).c_str());
  for (const TuneOutcome& o : r.outcomes)
    for (const std::string& note : o.notes) std::printf("  %s: %s\n", o.strategy.c_str(), note.c_str());
  for (const std::string& note : r.notes) std::printf("  note: %s\n", note.c_str());
}

RunRequest of_each_product() {
  RunRequest r;
  r.depth = Depth::quick;
  r.budget_s = 0.1;
  return r;
}

struct TuneArguments {
  TuneRequest request;
  RequestOptions run{of_each_product()};
  std::string file, kernel = request.run.kernel, strategy = "all";
  std::vector<std::string> params;
  FigureOptions figure;
  KeepFolder keep;
  bool json = false;

  void add(CLI::App& app) {
    app.add_option("FILE", file, "A matrix file, or gen:NAME")->required();
    app.add_option("--kernel", kernel, "Kernel whose parameters are varied")->capture_default_str();
    app.add_option("--strategy", strategy, "all, fixed_rule, run_time, exhaustive, selector or predict")
        ->capture_default_str();
    app.add_option("--param", params,
                   "NAME=VALUE, a parameter that is held, of the kernel or its format; may be repeated")
        ->allow_extra_args(false);
    run.add(app, {"counters", "lines"});  // a search wants times
    app.add_option("--most", request.most_products, "Most products of the exhaustive search")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("-o,--output", figure.out,
                   "Draw the plane of two parameters: .svg .pdf .png, or its numbers as .csv .json");
    figure.add_look(app);
    figure.add_fields(app, *figure::row("tuning"));
    keep.add(app);
    app.add_flag("--json", json, "Print JSON: every step, every outcome");
  }

  // The request, checked as far as possible before the matrix is open. Throws Error.
  TuneRequest checked(const Catalog& catalog) const {
    const KernelInfo& info = catalog.require_kernel(kernel);
    const auto know = [&](const std::string& id) {
      if (catalog.strategy(id)) return;
      std::string known;
      for (const StrategyInfo& s : catalog.strategies) known += (known.empty() ? "" : ", ") + s.id;
      throw Error("unknown strategy " + id, {}, "known: all, " + known);
    };
    TuneRequest r = request;
    if (strategy != "all") know(strategy), r.strategies = {strategy};
    const plot::TunePlaneStyle& plane = figure.chosen.plane;
    if (!plane.path.empty()) know(plane.path);
    for (const std::string& id : {plane.x, plane.y}) {
      bool found = id.empty();
      for (const ParamSpec& spec : info.params) found |= spec.id == id;
      if (!found) throw Error("kernel " + kernel + " has no parameter " + id);
    }
    r.run = run.request;
    r.run.matrix = as_told(file);
    r.run.kernel = kernel;
    for (const std::string& text : params) set_param(r.run, text, info, catalog.format(info.format));
    return r;
  }
};

// Each product is saved in the history as a trial. If there is a folder, products that are in it are not run again.
TuneRecord tune_with(KeepFolder& keep, Services& services, TuneRequest request, const Matrix& m, History* history,
                     Progress& progress, const OnTuneStep& on_step) {
  ExecutorOptions options{.history = history};
  std::string note;
  if (keep.given()) {
    const Chosen chosen = choose_device(request.run.device, services.catalog.devices);
    request.run.device = chosen.device->id, note = chosen.note;
    // The folder is identified by a sweep of one product: the one with which the search begins.
    keep.open(options, plan_of(request.run, {request.run.matrix, ""}, services.catalog), services.catalog);
  }
  Executor executor(*services.engine, services.catalog, options);
  TuneRecord record = run_search(request, search_maker(), executor, services.catalog.devices, m, progress, on_step);
  keep.close();
  if (!note.empty()) record.notes.push_back(note);
  if (executor.found() > 0)
    record.notes.push_back(std::to_string(executor.found()) + " products had been run before; they were in " +
                           keep.path());
  return record;
}

}  // namespace

int tune(CLI::App& app, std::vector<std::string> args) {
  TuneArguments o;
  o.add(app);
  app.parse(std::move(args));
  o.figure.page();
  Services services = make_services(o.run.engines);
  TuneRequest request = o.checked(services.catalog);
  const Matrix m = open_with_progress(o.file);
  request.run.view = o.run.view_of(m, o.file);
  Progress progress;
  const Interruptible interruptible(progress);
  const bool meter = isatty(STDERR_FILENO) != 0;
  std::optional<RunRecord> best;  // the one that is worth keeping
  const auto told = [&](const TuneStep& s, const RunRecord& run) {
    if (s.us && run.status == RunStatus::ok && (!best || run.time.value < best->time.value)) best = run;
    if (meter)
      show_progress(s.strategy + ": product " + std::to_string(s.product) + ", " +
                    figure_text(100 * progress.fraction(), "%3.0f") + " %");
  };
  const std::unique_ptr<History> history = open_history();
  const TuneRecord record = tune_with(o.keep, services, request, m, history.get(), progress, told);
  if (meter) clear_progress();
  if (record.status == RunStatus::cancelled) {
    if (history) tell_problems(*history);
    std::cerr << "warpspy: stopped" << (o.keep.given() ? "; the same command goes on" : "") << "\n";
    return stopped;
  }
  if (best && history) {
    Executor(*services.engine, services.catalog, {.history = history.get()})
        .find_limits(*best, m, row_stats(*m.csr), progress);
    best->purpose = Purpose::final;
    history->add(*best);
    tell_problems(*history);
  }
  if (!o.figure.out.empty() && !record.steps.empty()) {
    figure::Subject subject;
    subject.catalog = &services.catalog;
    subject.matrices.push_back(figure_matrix(o.file, m));
    if (best) subject.runs = {std::make_shared<const RunRecord>(*best)};
    subject.search = std::make_shared<const TuneRecord>(record);
    o.figure.write(*figure::row("tuning"), subject, true);
  }
  if (record.status != RunStatus::ok) throw Error(record.error, o.kernel);
  if (o.json)
    std::cout << to_json(record) << "\n";
  else
    print(record, services.catalog);
  if (!o.json && best && best->id > 0)
    std::printf("  the fastest product is kept as run %llu\n", static_cast<unsigned long long>(best->id));
  return 0;
}

}  // namespace warpspy::cli
