// A batch, cell by cell, and the figures over many matrices.
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "ui/session/session.hpp"

namespace warpspy::ui {

namespace {

using Phase = BatchRun::Phase;

bool under_way(const std::optional<BatchRun>& b) {
  return b && (b->phase == Phase::running || b->phase == Phase::paused);
}

ParamSet params_of(const std::map<std::string, ParamSet>& sets, const std::string& owner,
                   const std::vector<ParamSpec>& specs) {
  ParamSet set;
  for (const ParamSpec& p : specs) set[p.id] = param_value(sets, owner, p);
  return set;
}

}  // namespace

void Session::on(const StartBatch& a) {
  if (under_way(s_.batch)) return say(Message::Kind::note, "A batch is under way: stop it first.");
  BatchPlan plan;
  for (const MatrixId id : a.matrices) {
    const OpenMatrix* m = find(id);
    if (!m || m->status == OpenMatrix::Status::failed) continue;
    if (plan.matrices.empty()) plan.common = request_of(s_, *m);
    plan.matrices.push_back({m->source, m->name});
  }
  if (plan.matrices.empty()) return say(Message::Kind::note, "Open matrices first (Ctrl+O), then run a batch on them.");
  plan.common.params.clear(), plan.common.format_params.clear();
  plan.common.lines = false;
  plan.common.budget_s = options_.analysis_budget_s;
  plan.common.depth = Depth::medium;
  plan.kernels = a.kernels, plan.precisions = a.precisions, plan.devices = a.devices;
  for (const std::string& id : a.kernels) {
    const KernelInfo* k = s_.catalog->kernel(id);
    if (!k) continue;
    plan.kernel_params[id] = params_of(s_.knobs.kernel_params, id, k->params);
    if (const FormatInfo* f = s_.catalog->format(k->format))
      plan.format_params[f->id] = params_of(s_.knobs.format_params, f->id, f->params);
  }
  Batch batch(plan, *s_.catalog);
  const BatchCounts n = batch.counts();
  if (n.waiting == 0)
    return say(Message::Kind::warning,
               "The batch has nothing to run" +
                   (batch.cells().empty() ? std::string(".") : ": " + batch.cells().front().reason + "."));
  settle_trail();
  batch_asked_.next();
  s_.batch = BatchRun{Phase::running, std::move(batch), nullptr, 0};
}

// As it was left: it goes on when it is told to.
void Session::put_batch(const KeptBatch& kept) {
  Batch batch(kept, *s_.catalog);
  const BatchCounts n = batch.counts();
  if (n.all() == 0) return;
  batch_asked_.next();
  s_.batch = BatchRun{n.left() > 0 ? Phase::stopped : Phase::finished, std::move(batch), nullptr, 0};
  grid_.mark();
  if (n.left() > 0)
    say(Message::Kind::note,
        "A batch is not done: " + std::to_string(n.left()) + " of " + std::to_string(n.all()) + " products are left.",
        "The tab Matrices resumes it, under Batch.");
}

void Session::on(const SteerBatch& a) {
  if (!s_.batch) return;
  BatchRun& b = *s_.batch;
  switch (a.to) {
    case SteerBatch::To::pause:
      if (b.phase == Phase::running) b.phase = Phase::paused;
      return;
    case SteerBatch::To::resume:
      if (b.phase == Phase::paused || b.phase == Phase::stopped) b.phase = Phase::running;
      return;
    case SteerBatch::To::stop:
      if (!under_way(s_.batch)) return;
      b.phase = Phase::stopped;
      if (b.job) b.job->cancel();
      return;
    case SteerBatch::To::retry:
      if (under_way(s_.batch) || b.batch.retry() == 0) return;
      b.phase = Phase::running;
      return;
  }
}

// Starts the next cell when none runs: the queue is never filled ahead, so a run asked for meanwhile comes next.
void Session::serve_batch() {
  if (!s_.batch || s_.batch->job || s_.batch->phase != Phase::running) return;
  BatchRun& b = *s_.batch;
  const auto of = [&](const std::string& source) {
    return std::find_if(s_.matrices.begin(), s_.matrices.end(), [&](const auto& m) { return m.source == source; });
  };
  const auto opened = [&](const std::string& source) {
    const auto m = of(source);
    return m == s_.matrices.end() || m->status != OpenMatrix::Status::opening;
  };
  while (const auto next = b.batch.next(opened)) {
    const auto m = of(b.batch.cells()[*next].request.matrix);
    if (m != s_.matrices.end() && m->matrix) return run_cell(*next, *m);
    b.batch.skip(*next, m == s_.matrices.end() ? "its matrix was closed" : "its matrix did not open");
  }
  const BatchCounts n = b.batch.counts();
  if (n.left() > 0) return;  // matrices that are still being opened
  b.phase = Phase::finished;
  std::string text = "Batch: " + std::to_string(n.done) + " of " + std::to_string(n.all()) + " products done";
  if (n.failed > 0) text += ", " + std::to_string(n.failed) + " failed";
  if (n.skipped > 0) text += ", " + std::to_string(n.skipped) + " skipped";
  say(n.failed > 0 ? Message::Kind::warning : Message::Kind::note, text + ".",
      n.failed + n.skipped > 0 ? "The tab Matrices says why, under Batch." : "");
}

void Session::run_cell(std::size_t cell, const OpenMatrix& m) {
  BatchRun& b = *s_.batch;
  b.batch.begin(cell);
  b.cell = cell;
  const RunRequest& request = b.batch.cells()[cell].request;
  const auto mine = [this, ticket = batch_asked_.next()] { return batch_asked_.is_current(ticket); };
  const auto cancelled = [this, mine] {
    if (!mine()) return;
    RunRecord none;
    none.status = RunStatus::cancelled;
    take_cell(std::move(none), 0);
  };
  b.job = workers_.submit(
      JobQueue::gpu, "Batch: " + request.kernel + " on " + m.name,
      [this, request, matrix = m.matrix](Progress& p) {
        using Clock = std::chrono::steady_clock;
        const auto began = Clock::now();
        RunRecord r = engine_.run(request, *matrix, p);
        const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
        // Kept before anything else is done with it: a crash must not lose it.
        if (r.status != RunStatus::cancelled) history_.add(r);
        tell_history_problems();
        return std::pair(std::move(r), seconds);
      },
      [this, mine](std::pair<RunRecord, double> got) {
        if (mine()) take_cell(std::move(got.first), got.second);
      },
      [this, mine](const Failure& f) {
        if (!mine()) return;
        s_.batch->job = nullptr;
        s_.batch->batch.fail(s_.batch->cell, f.one_line());
      },
      cancelled);
}

// What is looked at stays: a run of a batch is listed and drawn, but not selected.
void Session::take_cell(RunRecord r, double seconds) {
  BatchRun& b = *s_.batch;
  b.job = nullptr;
  if (r.status == RunStatus::cancelled) {
    b.batch.finish(b.cell, r, seconds);
    if (b.phase == Phase::running) b.phase = Phase::stopped;  // by the cross of its job
    return;
  }
  if (r.id != 0) renumber(r.id);
  const auto kept = s_.runs.add(std::move(r));
  b.batch.finish(b.cell, *kept, seconds);
  place(*kept);
  find_kept_roofs(*kept);
  roofline_.mark(), list_.mark();
  desk_changed();
}

void Session::on(const SetMatricesView& a) {
  if (a.view.chosen != s_.matrices_view.chosen) roofline_.mark();
  s_.matrices_view = a.view;
  grid_.mark();
}

void Session::rebuild_grid() {
  const RunGrid grid = run_grid(s_);
  s_.heat_map = s_.profile = nullptr;
  if (grid.empty()) return;
  const plot::Theme theme = plot_theme(palette_of(s_.theme), 12);
  s_.heat_map = std::make_shared<const plot::Plot>(plot::heat_map_figure(grid, s_.matrices_view.measure, theme));
  s_.profile = std::make_shared<const plot::Plot>(plot::profile_figure(grid, theme));
}

}  // namespace warpspy::ui
