#include "core/diagnosis/changes.hpp"
#include "core/diagnosis/predict.hpp"
#include "ui/session/session.hpp"

namespace warpspy::ui {

void Session::find_limits_of(RunRecord& r, const Matrix& matrix, const Catalog& catalog, Progress& p) {
  try {
    find_limits(r, matrix, row_stats(*matrix.csr), catalog, engine_, p);
  } catch (const Cancelled&) {
    return;  // the run itself has ended, and stays
  }
  if (!r.findings.empty() && r.id != 0) history_.replace(r);
}

void Session::on(const TryFinding& a) {
  const auto run = s_.run(a.run);
  if (!run || a.finding >= run->findings.size() || run->findings[a.finding].changes.empty()) return;
  const Change& change = run->findings[a.finding].changes.front();
  const OpenMatrix* m = matrix_of(s_, *run);
  if (!m || !m->matrix)
    return say(Message::Kind::note, "The matrix of run " + number_text(run->id) + " is not open.", "open it first");
  if (s_.selected != m->id) on(SelectMatrix{m->id});
  if (!change.reorder.empty()) return on(Reorder{change.reorder, {}, {}});
  RunRequest request = with_change(repeat_request(*run), change);
  request.matrix = m->source;
  run_beside(run, *m, request);
}

}  // namespace warpspy::ui
