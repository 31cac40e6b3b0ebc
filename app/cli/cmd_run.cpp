// run and roofline: what needs the engine.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>

#include "app/cli/figure_options.hpp"
#include "app/cli/history_options.hpp"
#include "app/cli/in_ranks.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/cli/saved_runs.hpp"
#include "app/wiring.hpp"
#include "core/experiment/executor.hpp"
#include "core/model/best_runs.hpp"
#include "core/model/best_solve.hpp"
#include "core/run/store.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/ranks/ranks.hpp"

namespace warpspy::cli {
namespace {

bool has_param(const std::string& text, const KernelInfo& kernel, const FormatInfo* format) {
  const std::string id = text.substr(0, text.find('='));
  const auto is_it = [&](const ParamSpec& spec) { return spec.id == id; };
  return std::any_of(kernel.params.begin(), kernel.params.end(), is_it) ||
         (format && std::any_of(format->params.begin(), format->params.end(), is_it));
}

struct RunOptions {
  std::vector<std::string> files;
  std::vector<std::string> params;
  RequestOptions run{for_one_run()};

  // `of_runs`: the help of FILE, where that may be several runs.
  // `solves`: with the options of a solve, and without those that only a product has.
  void add(CLI::App& app, const char* of_runs = nullptr, bool solves = false) {
    auto* file = app.add_option("FILE", files, of_runs ? of_runs : "A matrix file, or gen:NAME")->required();
    if (!of_runs) file->expected(1);
    app.add_option("--param", params, "NAME=VALUE, a parameter of the kernel or of its format; may be repeated")
        ->allow_extra_args(false);
    if (!solves) return run.add(app);
    // Iterations follow one another, so caches are warm, and all of them are timed.
    run.add(app, {"alpha", "beta", "lines", "cache_state", "budget_s"});
    run.add_solve(app);
  }

  RunRequest request(const KernelInfo& kernel, const FormatInfo* format) const {
    RunRequest r = run.request;
    r.matrix = as_told(files.front());
    r.kernel = kernel.id;
    for (const std::string& text : params)
      if (has_param(text, kernel, format)) set_param(r, text, kernel, format);
    return r;
  }

  // One request for each kernel. A parameter is set in every kernel that has it. Throws if none has it.
  std::vector<RunRequest> requests(const Catalog& catalog, const std::vector<std::string>& kernels) const {
    std::vector<RunRequest> all;
    std::vector<bool> known(params.size(), false);
    for (const std::string& id : kernels) {
      const KernelInfo& kernel = catalog.require_kernel(id);
      const FormatInfo* format = catalog.format(kernel.format);
      for (std::size_t k = 0; k < params.size(); ++k) known[k] = known[k] || has_param(params[k], kernel, format);
      all.push_back(request(kernel, format));
    }
    for (std::size_t k = 0; k < params.size(); ++k) {
      if (known[k] || kernels.empty()) continue;
      RunRequest nobody;
      const KernelInfo& kernel = catalog.require_kernel(kernels.front());
      set_param(nobody, params[k], kernel, catalog.format(kernel.format));
    }
    return all;
  }
};

// Whether a figure of all kernels can include this one. A library's kernel needs a CUDA device and the library.
bool can_run(const Catalog& catalog, const KernelInfo& kernel, const std::string& device) {
  const std::string id = device == "auto" || device == "cuda" ? "cuda:0" : device;
  const DeviceInfo* d = catalog.device(id);
  if (kernel.library.empty() || !d) return kernel.library.empty();
  return d->available && catalog.why_not(kernel, *d).empty();
}

// Runs every kernel on the matrix. A kernel that cannot run (its format does not fit) does not end the figure.
void run_all(const RunOptions& options, std::vector<std::string> kernels, const Services& services,
             figure::Subject& subject) {
  const std::string& file = options.files.front();
  if (options.files.size() > 1)
    throw Error("a roofline is of one matrix, or of saved runs", options.files[1], "leave it out");
  if (kernels.empty())
    for (const KernelInfo& k : services.catalog.kernels)
      if (can_run(services.catalog, k, options.run.request.device)) kernels.push_back(k.id);
  std::vector<RunRequest> requests = options.requests(services.catalog, kernels);
  subject.matrices.push_back(figure_matrix(file, open_with_progress(file)));
  const Matrix& m = *subject.matrices.front().matrix;
  RunStore store;
  std::string failure;
  for (RunRequest& request : requests) request.view = options.run.view_of(m, file);
  const std::unique_ptr<History> history = open_history();
  Executor executor(*services.engine, services.catalog, {.history = history.get()});
  PlanEvents events;
  events.ended = [&](const CaseResult& r) {
    RunRecord numbered = *r.record;
    numbered.id = 0;  // the figure's own numbers
    const auto record = store.add(std::move(numbered));
    if (record->status == RunStatus::ok) return subject.runs.push_back(record);
    failure = r.asked.request.kernel + ": " + record->error;
    std::cerr << "warpspy: " << failure << "\n";
  };
  Progress progress;
  executor.run(ListPlan("roofline", cases_of(requests, Purpose::trial)), m, progress, events);
  if (subject.runs.empty()) throw Error("no kernel ran: " + failure);
}

// The run whose device's roofs are drawn: the baseline if runs are compared, as in the window.
const RunRecord& run_of_roofs(const figure::Subject& subject, const figure::Options& chosen) {
  for (const auto& r : subject.runs)
    if (!chosen.roofline.compared.empty() && r->id == chosen.roofline.compared.front()) return *r;
  return *subject.runs.back();
}

}  // namespace

void set_param(RunRequest& r, const std::string& text, const KernelInfo& kernel, const FormatInfo* format) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size())
    throw Error("--param " + text + " is not understood", {}, "write NAME=VALUE, such as coop=8");
  const std::string id = text.substr(0, equals), value = text.substr(equals + 1);
  if (format)
    for (const ParamSpec& spec : format->params)
      if (spec.id == id) return void(r.format_params[id] = param_value(spec, value));
  for (const ParamSpec& spec : kernel.params)
    if (spec.id == id) return void(r.params[id] = param_value(spec, value));
  checked_params(kernel.params, {{id, 0}});  // throws: there is no such parameter
}

namespace {

// Saved runs of this matrix and precision, or none without a history.
std::vector<std::shared_ptr<const RunRecord>> saved_of(const History* history, const RunRequest& r) {
  std::vector<std::shared_ptr<const RunRecord>> runs;
  if (!history) return runs;
  for (const bool trials : {false, true}) {
    HistoryQuery query;
    query.limit = 100'000;
    query.trials = trials;
    for (const SavedRun& k : history->find(query).runs)
      if (k.record->request.precision == r.precision &&
          absolute_source(k.record->request.matrix) == absolute_source(r.matrix))
        runs.push_back(k.record);
  }
  return runs;
}

// `solve` with the kernel that takes least time for its iterations, preparation counted: of those that may be the best
// by saved runs of products, short solves tell which it is.
RunRequest with_best_kernel(const Services& services, History* history, const Matrix& m, const RunRequest& solve,
                            Progress& progress) {
  const std::string device = choose_together(solve.device, solve.parts, services.catalog.devices).gpus.front()->id;
  const std::vector<std::shared_ptr<const RunRecord>> saved = saved_of(history, solve);
  const ProductCount products = solve.most_iterations * static_cast<ProductCount>(products_of(solve_options(solve)));
  const std::vector<BestRun> rows = best_runs(saved, services.catalog, {}, products);
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const BestRun& b) {
    return b.best->device == device && b.operation == Operation::product &&
           b.best->request.cache_state == CacheState::warm;
  });
  const BestRun of_products = row == rows.end() ? BestRun{} : *row;
  std::vector<RunRequest> trials = solve_trials(of_products, services.catalog, solve, products);
  if (trials.empty())
    throw Error("no saved run says which kernel is best for this matrix on " + device, solve.matrix,
                "warpspy best " + solve.matrix + " --search 10 finds one; or name a kernel");
  if (trials.size() == 1) {
    trials.front().most_iterations = solve.most_iterations, trials.front().solution = solve.solution;
    return trials.front();
  }
  std::vector<std::shared_ptr<const RunRecord>> solves;
  std::erase_if(trials, [&](const RunRequest& trial) {
    const auto known = std::find_if(saved.begin(), saved.end(),
                                    [&](const auto& run) { return tells(*run, trial, device, services.catalog); });
    if (known != saved.end()) solves.push_back(*known);
    return known != saved.end();
  });
  Executor executor(*services.engine, services.catalog, {.history = history});
  PlanEvents events;
  events.ended = [&](const CaseResult& r) { solves.push_back(r.record); };
  const DeviceInfo* gpu = services.catalog.device(device);
  const int times = gpu && gpu->simulated ? 1 : 2;  // on a GPU the first solve with a kernel loads code
  for (int time = 0; time < times; ++time)
    executor.run(ListPlan("best solve", cases_of(trials, Purpose::trial)), m, progress, events);
  const auto best = least_solve(solves, solve.most_iterations);
  // Where none could, the solve itself says why.
  const RunRequest& chosen = best ? best->request : solves.front()->request;
  RunRequest r = solve;
  r.kernel = chosen.kernel, r.params = chosen.params, r.format_params = chosen.format_params;
  return r;
}

// Of those that were solved, if there are any.
void draw_residuals(const FigureOptions& figure, const std::vector<RunRecord>& records, const Services& services,
                    bool kept) {
  figure::Subject subject;
  subject.catalog = &services.catalog;
  for (const RunRecord& r : records)
    if (r.solve) subject.runs.push_back(std::make_shared<const RunRecord>(r));
  if (!subject.runs.empty()) figure.write(*figure::row("residual"), subject, kept);
}

// Each rank has a part. The history and the figure are rank 0's alone, which some choices would need everywhere.
void fit_to_ranks(RunRequest& r, const std::vector<std::string>& kernels, const Ranks& ranks) {
  const auto size = static_cast<std::uint64_t>(ranks.size());
  if (r.parts != 1 && r.parts != size)
    throw Error("--parts " + std::to_string(r.parts) + ", and MPI started " + std::to_string(size) + " ranks", "parts",
                "leave --parts out: each rank has a part");
  r.parts = size;
  if (kernels == std::vector<std::string>{"best"})
    throw Error("the best kernel is found by saved runs, and only one rank has these", "--kernel best",
                "name a kernel");
}

int run_or_solve(CLI::App& app, std::vector<std::string> args, bool solves, Ranks* ranks) {
  RunOptions options;
  std::vector<std::string> kernels = {RunRequest{}.kernel};
  bool json = false;
  FigureOptions figure;
  if (solves) options.run.request.solver = Solver::cg, options.run.request.precision = Precision::f64;
  options.add(app, nullptr, solves);
  app.add_option("--kernel", kernels,
                 solves ? "Kernels of the product, one solve each, with commas between; best: the best that is known"
                        : "Kernels to run on the matrix one after another, with commas between")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  app.add_flag("--json", json, "Print JSON: {\"schema\": \"warpspy-runs-1\", \"runs\": [...]}, one run or several");
  if (solves) {
    app.add_option("-o,--output", figure.out,
                   "Draw the residuals: .svg .pdf .png, for LaTeX .pgf or .tex, or the numbers as .csv .json");
    figure.add_look(app);
  }
  app.parse(std::move(args));
  if (!figure.out.empty()) figure.page();
  if (solves && options.run.request.solver == Solver::none)
    throw Error("a run without a solver is no solve", "--solver", "choose one, such as --solver cg");
  if (ranks) fit_to_ranks(options.run.request, kernels, *ranks);
  const bool tells = !ranks || ranks->rank() == 0;
  Services services = make_services(options.run.engines, ranks);
  const std::unique_ptr<History> history = tells ? open_history() : nullptr;
  std::vector<RunRequest> requests;
  if (solves && kernels.size() > 1 && !options.run.request.solution.empty())
    throw Error("several kernels would write one solution", "--solution", "name one kernel");
  if (solves && kernels == std::vector<std::string>{"best"}) {
    if (!options.params.empty())
      throw Error("the best kernel has its own parameters", "--param", "leave it out, or name a kernel");
    requests.push_back(options.run.request);
    requests.back().matrix = as_told(options.files.front());
    requests.back().kernel.clear();  // is found below
  } else {
    requests = options.requests(services.catalog, kernels);
  }
  const auto start = std::chrono::steady_clock::now();
  const Matrix m = open_with_progress(options.files.front());
  const std::chrono::duration<double> opened = std::chrono::steady_clock::now() - start;
  for (RunRequest& r : requests) r.view = options.run.view_of(m, options.files.front());
  std::vector<RunRecord> records;
  Executor executor(*services.engine, services.catalog,
                    {.history = history.get(), .limits = Diagnose::model, .solution = options.run.request.solution});
  PlanEvents events;
  events.ended = [&](const CaseResult& r) {
    if (history) tell_problems(*history);
    records.push_back(*r.record);
    // A solve is compared with the others, so it is told when all are done.
    if (r.record->status == RunStatus::ok && !json && !solves) cli::print_run(*r.record, services.catalog);
    std::cout.flush();
  };
  Progress progress;
  for (RunRequest& r : requests)
    if (r.kernel.empty()) r = with_best_kernel(services, history.get(), m, r, progress);
  executor.run(ListPlan("", cases_of(requests, Purpose::asked)), m, progress, events);
  std::vector<std::optional<SolveNumbers>> numbers;
  for (const RunRecord& r : records) numbers.push_back(solve_numbers(r, services, history.get(), records));
  for (std::size_t k = 0; solves && !json && k < records.size(); ++k)
    if (records[k].status == RunStatus::ok) cli::print_run(records[k], services.catalog, numbers[k]);
  if (json) cli::print_json(records, numbers);
  if (!figure.out.empty() && tells) draw_residuals(figure, records, services, history != nullptr);
  if (records.size() == 1) {
    require_good(records[0]);
    return 0;
  }
  if (!json) cli::print_table(m, opened.count(), records);
  return tell_failures(records) == 0 ? 0 : 1;
}

}  // namespace

int run(CLI::App& app, std::vector<std::string> args) {
  return in_ranks([&](Ranks* ranks) { return run_or_solve(app, args, false, ranks); });
}
int solve(CLI::App& app, std::vector<std::string> args) {
  return in_ranks([&](Ranks* ranks) { return run_or_solve(app, args, true, ranks); });
}

int roofline(CLI::App& app, std::vector<std::string> args) {
  const figure::Row& row = *figure::row("roofline");
  RunOptions options;
  std::vector<std::string> kernels;
  FigureOptions figure;
  options.add(app, "A matrix file, or gen:NAME; or numbers of saved runs");
  app.add_option("--kernel", kernels, "Kernels to run, with commas between; may be repeated (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false);
  figure.add(app);
  figure.add_fields(app, row);
  app.parse(std::move(args));
  figure.page();
  Services services = make_services(options.run.engines);
  figure::Subject subject;
  subject.catalog = &services.catalog;
  const bool kept = is_run_number(options.files.front());
  if (kept)
    subject.runs = runs_meant(History(need_history_path()), options.files, {});
  else
    run_all(options, kernels, services, subject);
  of_device(subject, services, run_of_roofs(subject, figure.chosen), figure.chosen);
  figure.write(row, subject, kept);
  return 0;
}

}  // namespace warpspy::cli
