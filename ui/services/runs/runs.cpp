#include "ui/services/runs/runs.hpp"

#include <memory>
#include <string>
#include <utility>

#include "core/model/speed_ups.hpp"
#include "core/run/solve_break_even.hpp"
#include "ui/state/parts.hpp"

namespace warpspy::ui {

void Runs::on(const StartRun&) {
  const auto* m = s_.current();
  if (!m || !m->matrix) return say(Message::Kind::note, "Open a matrix first, then run a kernel on it.");
  if (const std::string why = why_no_run(s_); !why.empty()) return say(Message::Kind::warning, why);
  start(*m, false);
}

void Runs::on(const StartSolve&) {
  const auto* m = s_.current();
  if (!m || !m->matrix) return say(Message::Kind::note, "Open a matrix first, then solve with it.");
  if (const std::string why = why_no_solve(s_); !why.empty()) return say(Message::Kind::warning, why);
  RunRequest request = solve_request_of(s_, *m);
  request.budget_s = options_.run_budget_s;
  submit(*m, request, [this](RunRecord r) { return record(std::move(r), false); }, false);
}

void Runs::start(const OpenMatrix& m, bool live) {
  RunRequest request = request_of(s_, m);
  request.budget_s = live ? options_.live_budget_s : options_.run_budget_s;
  request.depth = live ? Depth::quick : Depth::full;
  request.live = live;
  submit(m, request, [this, live](RunRecord r) { return record(std::move(r), live); }, live);
}

// Makes one run, which the caller stores. It may replace another run, or its time may come before its counters.
RunRecord Runs::run_once(const RunRequest& request, Purpose purpose, const Matrix& matrix, const Catalog& catalog,
                         Progress& p, const OnTimed& on_timed) const {
  return *Executor(engine_, catalog).run({request, request.kernel, purpose}, "", matrix, p, on_timed).record;
}

void Runs::submit(const OpenMatrix& m, const RunRequest& request, ShowRun show, bool live) {
  // The time is shown as soon as it is known; the record with counters replaces it.
  const auto timed = std::make_shared<std::uint64_t>(0);
  s_.run_job = workers_.submit(
      JobQueue::gpu,
      (request.solver == Solver::none ? "Running " : "Solving with ") + kernel_label(request.kernel) + " on " + m.name,
      [this, request, live, show, timed, matrix = m.matrix, catalog = s_.catalog](Progress& p) {
        // Saved before anything else, so that a crash does not lose it.
        std::uint64_t kept = 0;
        RunRecord r = run_once(request, Purpose::asked, *matrix, *catalog, p, [&](const RunRecord& so_far) {
          RunRecord early = so_far;
          save(early, live);
          kept = early.id;
          mail_.post([show, timed, early] { *timed = show(early); });
        });
        r.id = kept;
        // The engine may have ended before it could say this.
        if (const KernelInfo* k = catalog->kernel(request.kernel); k && r.kernel_label.empty())
          r.kernel_label = k->label;
        if (kept != 0 && r.status == RunStatus::ok) history_.replace(r);
        if (kept == 0 && (r.status == RunStatus::ok || (r.status == RunStatus::failed && !live))) save(r, live);
        tell_history_problems();
        if (live || r.status != RunStatus::ok) return r;
        // The result is shown before the model is asked for its limits. For a measured run the model must run the
        // product first.
        RunRecord early = r;
        if (r.provenance == Provenance::modelled) find_limits(early, row_stats(*matrix->csr), *catalog);
        mail_.post([this, show, timed, known = std::move(early)] {
          if (*timed != 0)
            complete(*timed, known);
          else
            *timed = show(known);
        });
        find_limits_of(r, *matrix, *catalog, p);
        return r;
      },
      [this, show, timed](RunRecord r) {
        if (*timed != 0)
          complete(*timed, std::move(r));
        else
          show(std::move(r));
      },
      [this](const Failure& f) { say(f); });
}

void Runs::on(const MeasureRoofs&) {
  const auto* d = s_.device();
  if (!d || d->simulated || !d->available)
    return say(Message::Kind::note,
               "Roofs are measured on a real GPU; those of a simulated one come from its data sheet.");
  find_roofs(*d, true);
}

// The saved roofs, or new measurements.
void Runs::find_roofs(const DeviceInfo& device, bool measure_again) {
  roofs_asked_.insert(device.id);
  workers_.submit(
      JobQueue::gpu, "Measuring the roofs of " + device.name,
      [this, id = device.id, measure_again](Progress& p) {
        auto kept = measure_again ? std::nullopt : engine_.saved_roofs(id);
        return kept ? *kept : engine_.measure_roofs(id, p);
      },
      [this, id = device.id](MeasuredRoofs roofs) { s_.measured_roofs[id] = std::move(roofs); },
      [this](const Failure& f) { say(f); });
}

// Only now, so that nothing waits for them.
void Runs::find_saved_roofs(const RunRecord& r) {
  const auto* d = s_.catalog->device(r.device);
  if (d && !d->simulated && r.status == RunStatus::ok && !roofs_asked_.contains(d->id)) find_roofs(*d, false);
}

// With which this one is compared.
void Runs::find_saved_solves(const std::shared_ptr<const RunRecord>& solve) {
  workers_.submit(
      JobQueue::load, "Looking for solves of " + solve->matrix_name,
      [this, solve](Progress&) { return saved_solves_of(history_, *solve); },
      [this, solve](std::vector<std::shared_ptr<const RunRecord>> solves) {
        s_.solve.saved.edit([&](auto& saved) {
          std::erase_if(saved, [&](const auto& r) {
            return r->matrix_name == solve->matrix_name && r->request.precision == solve->request.precision;
          });
          saved.insert(saved.end(), solves.begin(), solves.end());
        });
      },
      [this](const Failure& f) { say(f); });
}

// With which this one is compared.
void Runs::find_saved_products(const std::shared_ptr<const RunRecord>& run) {
  workers_.submit(
      JobQueue::load, "Looking for runs of " + run->matrix_name,
      [this, run](Progress&) { return saved_runs_like(history_, *run); },
      [this, run](std::vector<std::shared_ptr<const RunRecord>> runs) {
        s_.parts.saved.edit([&](auto& saved) {
          std::erase_if(saved, [&](const auto& r) {
            return r->matrix_name == run->matrix_name && r->request.kernel == run->request.kernel;
          });
          saved.insert(saved.end(), runs.begin(), runs.end());
        });
      },
      [this](const Failure& f) { say(f); });
}

// Completes a run that was already shown: its counters have arrived, or have failed.
void Runs::complete(std::uint64_t id, RunRecord r) {
  if (r.status == RunStatus::failed) return say(Message::Kind::error, "Run failed: " + r.error);
  if (r.status != RunStatus::ok) return;
  const auto kept = s_.runs.replace(id, std::move(r));
  if (!kept) return;  // removed meanwhile
  for (SavedRun& k : s_.list.rows)
    if (k.record->id == id) k.record = kept;
  compare_again(id, id);
}

std::uint64_t Runs::record(RunRecord r, bool live) {
  if (r.status == RunStatus::cancelled) return 0;
  if (r.status == RunStatus::failed) say(Message::Kind::error, "Run failed: " + r.error);
  if (live && r.status == RunStatus::failed) return 0;  // shown once, since a drag would produce many
  const auto kept = s_.runs.add(std::move(r));
  find_saved_roofs(*kept);
  if (kept->solve) find_saved_solves(kept);
  if (!kept->parts.empty() && !live) find_saved_products(kept);
  if (live) trail_.add(kept->id);
  // A run on a matrix that is no longer shown does not change what is shown.
  if (const auto* m = matrix_of(s_, *kept); !s_.current() || (m && m->id == s_.selected)) {
    s_.selected_run = kept->id;
    s_.looked_at = nullptr;
  }
  return kept->id;
}

// Only the run where a drag stops is kept. The previous live run is deleted from the history, and its number is not
// used again.
void Runs::save(RunRecord& r, bool live) {
  const std::uint64_t before = live ? trail_.take_saved() : 0;
  history_.add(r);
  if (before == 0 || r.id == 0) return;
  try {
    if (history_.drop(before)) mail_.post([this, before] { renumber(before); });
  } catch (const Error&) {
    // It stays in the history, together with the new one.
  }
}

void Runs::renumber(std::uint64_t id) {
  const auto old = s_.runs.renumber(id);
  if (!old) return;
  trail_.renumber(id, old->id);
  if (s_.selected_run == id) s_.selected_run = old->id;
  if (s_.sweep) s_.sweep->sweep.renumber(id, old->id);
  compare_again(id, old->id);
}

// When a matrix has been opened: starts the run that was asked for before, or its first run.
void Runs::on(const MatrixSettled& e) {
  const OpenMatrix* m = find(e.id);
  if (const auto waiting = repeats_.extract(e.id)) return repeat_on(*m, waiting.mapped());
  if (e.fresh) run_by_itself(*m);
}

void Runs::on(const FirstRunDue& e) { run_by_itself(*find(e.id)); }

void Runs::run_by_itself(const OpenMatrix& m) {
  if (options_.run_on_open && s_.device() && s_.kernel() && s_.device()->available) start(m, false);
}

}  // namespace warpspy::ui
