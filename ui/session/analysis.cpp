#include "core/experiment/analysis.hpp"

#include <algorithm>

#include "core/plot/analysis_figures.hpp"
#include "ui/figures/figure.hpp"
#include "ui/session/session.hpp"

namespace warpspy::ui {

namespace {

// The chosen kernel, or every kernel that ran on the matrix; each once.
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

void Session::on(const StartAnalysis&) {
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
        result.request.params = s_.analysis.params[id];  // as they are by now
        revalue(result);
        done.result = std::make_shared<const AnalysisResult>(std::move(result));
        rebuild_analyses();
        desk_changed();
      },
      [this, id](const Failure& f) {
        say(f);
        s_.analyses[id].job = nullptr;
        s_.analyses[id].problem = f.one_line();
      },
      [this, id] { s_.analyses[id].job = nullptr; });
}

void Session::on(const SetAnalysis& a) {
  s_.analysis = a.settings;
  const auto found = s_.analyses.find(s_.analysis.id);
  if (found == s_.analyses.end() || !found->second.result) return;
  // Other latencies need no other runs.
  AnalysisResult again = *found->second.result;
  if (again.request.params == s_.analysis.params[s_.analysis.id]) return;
  again.request.params = s_.analysis.params[s_.analysis.id];
  revalue(again);
  found->second.result = std::make_shared<const AnalysisResult>(std::move(again));
  rebuild_analyses();
}

void Session::on(const SetBesideRun& a) {
  s_.beside_run = a.id;
  rebuild_memory_chart();
}

void Session::on(const SetFlops& a) {
  s_.flops = a.flops;
  for (auto& [id, points] : s_.points)
    if (const auto run = s_.run(id))
      if (const auto* d = s_.catalog->device(run->device))
        points =
            roofline_points(*run, roofs_of(d->spec, run->request.precision, s_.measured_roofs_of(d->id)), s_.flops);
  roofline_.mark();
}

void Session::rebuild_analyses() {
  for (auto& [id, a] : s_.analyses)
    if (a.result) {
      Figure figure = figure_of(s_, "analysis");
      figure.subject.analysis = a.result;
      a.figure = std::make_shared<const plot::Plot>(figure.draw(plot_theme(palette_of(s_.theme), 12), Progress{}));
    }
}

void Session::rebuild_memory_chart() {
  s_.memory_chart = nullptr;
  if (memory_runs(s_).empty()) return;
  const plot::Theme theme = plot_theme(palette_of(s_.theme), 12);
  s_.memory_chart = std::make_shared<const plot::Plot>(figure_of(s_, "memory").draw(theme, Progress{}));
}

}  // namespace warpspy::ui
