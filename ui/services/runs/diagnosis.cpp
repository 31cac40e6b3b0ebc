#include <memory>
#include <utility>

#include "core/diagnosis/changes.hpp"
#include "core/experiment/executor.hpp"
#include "ui/services/runs/runs.hpp"

namespace warpspy::ui {

void Runs::find_limits_of(RunRecord& r, const Matrix& matrix, const Catalog& catalog, Progress& p) const {
  const RowStats rows = row_stats(*matrix.csr);
  try {
    Executor(engine_, catalog, {.history = &history_}).find_limits(r, matrix, rows, p);
  } catch (const Cancelled&) {
    // The run itself is finished, and keeps the findings that need no model.
    find_limits(r, rows, catalog);
  }
  if (!r.findings.empty() && r.id != 0) history_.replace(r);
}

const OpenMatrix* Runs::require_matrix_of(const RunRecord& run) {
  const OpenMatrix* m = matrix_of(s_, run);
  if (m && m->matrix) return m;
  say(Message::Kind::note, "The matrix of run " + run_title(run) + " is not open.", "open it first");
  return nullptr;
}

void Runs::on(const FindLimits& a) {
  const auto run = s_.run(a.run);
  if (!run || run->status != RunStatus::ok) return;
  const OpenMatrix* m = require_matrix_of(*run);
  if (!m) return;
  s_.run_job = workers_.submit(
      JobQueue::gpu, "Looking for what limits run " + run_title(*run),
      [this, r = *run, matrix = m->matrix, catalog = s_.catalog](Progress& p) mutable {
        find_limits_of(r, *matrix, *catalog, p);
        return r;
      },
      [this](RunRecord r) {
        const std::uint64_t id = r.id;
        if (s_.looked_at && s_.looked_at->id == id) s_.looked_at = std::make_shared<const RunRecord>(r);
        complete(id, std::move(r));
      },
      [this](const Failure& failure) { say(failure); });
}

// Repeats the run on the matrix in another order, when that order is made.
void Runs::try_in_order(const std::string& reorder, const std::shared_ptr<const RunRecord>& run) {
  act(Reorder{reorder, {}, {}});
  follow(run->request);
  const OpenMatrix* m = s_.current();
  if (!m || m->status == OpenMatrix::Status::failed) return;
  if (m->status == OpenMatrix::Status::ready) return repeat_on(*m, run);
  repeats_[m->id] = run;
}

void Runs::on(const TryFinding& a) {
  const auto run = s_.run(a.run);
  if (!run || a.finding >= run->findings.size() || run->findings[a.finding].changes.empty()) return;
  const Change& change = run->findings[a.finding].changes.front();
  const OpenMatrix* m = require_matrix_of(*run);
  if (!m) return;
  if (s_.selected != m->id) act(SelectMatrix{m->id});
  if (!change.reorder.empty()) return try_in_order(change.reorder, run);
  RunRequest request = with_change(repeat_request(*run), change);
  request.matrix = m->source;
  follow(request);
  run_beside(run, *m, request);
}

// The controls show what is tried. With Live on they do not change, since their values would run at once.
void Runs::follow(const RunRequest& request) {
  if (!s_.knobs.live) act(UseParams{request.kernel, request.params});
}

}  // namespace warpspy::ui
