#include "ui/services/experiments/analyses.hpp"

#include <algorithm>

#include "core/experiment/analysis.hpp"
#include "core/experiment/executor.hpp"

namespace warpspy::ui {

namespace {

// The chosen kernel, or every kernel that has run on the matrix, each once.
std::vector<std::string> kernels_of(const AppState& s, const OpenMatrix& m) {
  std::vector<std::string> kernels;
  const auto add = [&](const std::string& id) {
    const KernelInfo* k = s.catalog->kernel(id);
    if (k && k->operation != Operation::axpy && std::find(kernels.begin(), kernels.end(), id) == kernels.end())
      kernels.push_back(id);
  };
  if (s.analysis.kernels == AnalysisSettings::Kernels::of_runs)
    for (const auto& r : s.runs.all())
      if (r->request.matrix == m.source && r->status == RunStatus::ok) add(r->request.kernel);
  if (kernels.empty()) add(s.knobs.kernel);
  return kernels;
}

}  // namespace

void Analyses::on(const StartAnalysis&) {
  const auto* m = s_.current();
  if (!m || !m->matrix) return say(Message::Kind::note, "Open a matrix first, then analyse a kernel on it.");
  const auto* d = s_.device();
  if (!d || !d->available) return say(Message::Kind::warning, d ? d->name + ": " + d->reason : "There is no device.");
  Analysing& now = s_.analyses[s_.analysis.id];
  if (now.job) return say(Message::Kind::note, "This analysis is under way: cancel it first.");
  AnalysisRequest request;
  request.id = s_.analysis.id;
  request.params = s_.analysis.params[request.id];
  request.kernels = kernels_of(s_, *m);
  request.run = request_of(s_, *m);
  request.run.parts = 1, request.run.split = Split::rows;  // the papers' analyses are of one GPU
  request.run.budget_s = options_.analysis_budget_s;
  request.run.depth = Depth::medium;
  now.problem.clear();
  const auto id = request.id;
  now.job = workers_.submit(
      JobQueue::gpu, "Analysing " + m->name + ": " + analysis_row(id).info.label,
      [this, request, matrix = m->matrix, catalog = s_.catalog](Progress& p) {
        Executor executor(engine_, *catalog, {.history = &history_});
        return run_analysis(request, *catalog, executor, *matrix, p);
      },
      [this, id](AnalysisResult result) {
        Analysing& done = s_.analyses[id];
        done.job = nullptr;
        result.request.params = s_.analysis.params[id];  // the current values
        revalue(result);
        done.result = std::make_shared<const AnalysisResult>(std::move(result));
      },
      [this, id](const Failure& f) {
        say(f);
        s_.analyses[id].job = nullptr;
        s_.analyses[id].problem = f.one_line();
      },
      [this, id] { s_.analyses[id].job = nullptr; });
}

void Analyses::on(const SetAnalysis& a) { s_.analysis = a.settings; }

}  // namespace warpspy::ui
