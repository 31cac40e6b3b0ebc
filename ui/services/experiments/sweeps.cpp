// Runs a sweep cell by cell, and makes the figures of many matrices.
#include "ui/services/experiments/sweeps.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/experiment/sweep_run.hpp"
#include "core/io/folder.hpp"
#include "ui/state/sweep.hpp"

namespace warpspy::ui {

namespace {

using Phase = SweepRun::Phase;

bool under_way(const std::optional<SweepRun>& b) {
  return b && (b->phase == Phase::running || b->phase == Phase::paused);
}

}  // namespace

void Sweeps::on(const StartSweep& a) {
  if (under_way(s_.sweep)) return say(Message::Kind::note, "A sweep is under way: stop it first.");
  const SweepPlan plan = sweep_plan(s_, a);
  if (plan.matrices.empty()) return say(Message::Kind::note, "Open matrices first (Ctrl+O), then run a sweep on them.");
  try {
    check(plan, *s_.catalog);
    Sweep sweep(plan, *s_.catalog);
    if (sweep.counts().waiting == 0)
      return say(Message::Kind::warning,
                 "The sweep has nothing to run" +
                     (sweep.cells().empty() ? std::string(".") : ": " + sweep.cells().front().reason + "."));
    runs_.trail().settle();
    forget();
    s_.sweep = SweepRun{Phase::stopped, std::move(sweep), nullptr, 0, with_home(a.folder)};
  } catch (const Error& e) {
    return say(Failure{e.reason, e.where, e.remedy});
  }
  if (a.folder.empty())
    s_.sweep->phase = Phase::running;
  else
    read_folder(Phase::running);
}

// Stopped or done: releases the folder. A sweep without remaining cells is done, however it ended.
void Sweeps::end(Phase phase) {
  s_.sweep->phase = s_.sweep->sweep.counts().left() > 0 ? phase : Phase::finished;
  if (!s_.sweep->job) s_.sweep->folder.reset();
}

// Restores a sweep as it was left; it continues when the user asks.
void Sweeps::put(const SavedSweep& saved) {
  try {
    Sweep sweep(saved, *s_.catalog);
    const SweepCounts n = sweep.counts();
    if (n.all() == 0) return;
    forget();
    s_.sweep = SweepRun{n.left() > 0 ? Phase::stopped : Phase::finished, std::move(sweep), nullptr, 0, saved.folder};
    if (n.left() > 0)
      say(Message::Kind::note,
          "A sweep is not done: " + std::to_string(n.left()) + " of " + std::to_string(n.all()) + " products are left.",
          "The tab Matrices resumes it, under Sweep.");
    if (n.left() > 0 && !saved.folder.empty()) watch_if_divided();
  } catch (const Error& e) {
    say(Failure{"the sweep of this session cannot go on: " + e.reason, e.where, e.remedy});
  }
}

void Sweeps::on(const SteerSweep& a) {
  if (!s_.sweep) return;
  SweepRun& b = *s_.sweep;
  const bool in_folder = !b.path.empty() && !b.folder;
  switch (a.to) {
    case SteerSweep::To::pause:
      if (b.phase == Phase::running) b.phase = Phase::paused;
      return;
    case SteerSweep::To::resume:
      if (b.phase == Phase::stopped && in_folder && !b.job) return read_folder(Phase::running);
      if (b.phase == Phase::paused || (b.phase == Phase::stopped && !in_folder)) b.phase = Phase::running;
      return;
    case SteerSweep::To::stop:
      if (b.job) b.job->cancel();
      if (under_way(s_.sweep) || b.phase == Phase::watched) end(Phase::stopped);
      return;
    case SteerSweep::To::watch:
      if (!under_way(s_.sweep) && in_folder && !b.job) begin_watch();
      return;
    case SteerSweep::To::retry:
      if (under_way(s_.sweep) || b.job) return;
      if (in_folder) return read_folder(Phase::running, true);
      if (b.sweep.retry() == 0) return;
      b.phase = Phase::running;
      return;
  }
}

// Starts the next cell when no job runs. Only one is queued, so a run that the user asks for comes next.
void Sweeps::frame() {
  if (due_in_s() == 0.0) return look_at_nodes();
  if (!s_.sweep || s_.sweep->job || s_.sweep->phase != Phase::running) return;
  SweepRun& b = *s_.sweep;
  const auto of = [&](const std::string& source) {
    return std::find_if(s_.matrices.begin(), s_.matrices.end(), [&](const auto& m) { return m.source == source; });
  };
  const auto opened = [&](const std::string& source) {
    const auto m = of(source);
    return m == s_.matrices.end() || m->status != OpenMatrix::Status::opening;
  };
  while (const auto next = b.sweep.next(opened)) {
    const auto m = of(b.sweep.cells()[*next].request.matrix);
    if (m != s_.matrices.end() && m->matrix) return run_cell(*next, *m);
    b.sweep.skip(*next, m == s_.matrices.end() ? "its matrix was closed" : "its matrix did not open");
  }
  const SweepCounts n = b.sweep.counts();
  if (n.left() > 0) return;  // matrices that are still being opened
  end(Phase::finished);
  say(n.failed > 0 ? Message::Kind::warning : Message::Kind::note, "Sweep: " + progress_text(n) + ".",
      n.failed + n.skipped > 0 ? "The tab Matrices says why, under Sweep." : "");
}

void Sweeps::run_cell(std::size_t cell, const OpenMatrix& m) {
  SweepRun& b = *s_.sweep;
  b.sweep.begin(cell);
  b.cell = cell;
  const RunRequest& request = b.sweep.cells()[cell].request;
  const auto mine = [this, ticket = asked_.next()] { return asked_.is_current(ticket); };
  const auto cancelled = [this, mine] {
    if (!mine()) return;
    RunRecord none;
    none.status = RunStatus::cancelled;
    take_cell(std::move(none), 0);
  };
  Case asked = case_of(b.sweep.cells()[cell]);
  asked.request.budget_s = options_.analysis_budget_s;
  b.job = workers_.submit(
      JobQueue::gpu, "Sweep: " + kernel_label(request.kernel) + " on " + m.name,
      [this, asked, folder = b.folder, matrix = m.matrix, catalog = s_.catalog,
       here = Maker{s_.version, "", options_.driver}](Progress& p) {
        Executor executor(engine_, *catalog,
                          {.history = &history_, .folder = folder.get(), .here = here, .limits = Diagnose::bounds});
        CaseResult run = executor.run(asked, "sweep", *matrix, p);
        tell_history_problems();
        return run;
      },
      [this, mine](const CaseResult& got) {
        if (mine()) take_cell(*got.record, got.seconds);
      },
      // The folder cannot be written, or a matrix cannot be read. The results so far are kept, and the sweep can
      // continue.
      [this, mine](const Failure& f) {
        if (!mine()) return;
        RunRecord none;
        none.status = RunStatus::cancelled;
        s_.sweep->phase = Phase::running;
        take_cell(std::move(none), 0);
        say(Failure{"the sweep stopped: " + f.reason, f.where, f.remedy});
      },
      cancelled);
}

// A run of a sweep is listed and drawn, but not selected.
void Sweeps::take_cell(RunRecord r, double seconds) {
  SweepRun& b = *s_.sweep;
  b.job = nullptr;
  if (r.status == RunStatus::cancelled) {
    b.sweep.finish(b.cell, r, seconds);
    if (b.phase == Phase::running || b.phase == Phase::stopped) end(Phase::stopped);  // or by the cross of its job
    return;
  }
  const auto kept = s_.runs.add(std::move(r));
  b.sweep.finish(b.cell, *kept, seconds);
  runs_.find_saved_roofs(*kept);
  if (b.phase == Phase::stopped) end(Phase::stopped);
}

bool Sweeps::due() const {
  return (s_.sweep && s_.sweep->phase == Phase::running && !s_.sweep->job) || due_in_s() == 0.0;
}

void Sweeps::forget() {
  if (s_.sweep && s_.sweep->job) s_.sweep->job->cancel();
  asked_.next();
  known_.clear();
  s_.sweep.reset();
}

}  // namespace warpspy::ui
