#include "ui/views/waiting.hpp"

#include <string>

#include "ui/widgets/controls.hpp"

namespace warpspy::ui {

bool waits_for_matrix(const Ui& ui, const OpenMatrix* m) {
  if (!m || m->matrix) return false;
  if (m->status != OpenMatrix::Status::failed) {
    empty_state(ui.look, "Reading " + m->name, m->job ? m->job->progress.stage() : "");
    return true;
  }
  const Failure& f = m->failure;
  empty_state(ui.look, "This matrix could not be opened",
              (f.where.empty() ? "" : f.where + ": ") + f.reason + (f.remedy.empty() ? "" : ".\n" + f.remedy));
  return true;
}

bool waits_for_run(const AppState& s, const Ui& ui) {
  if (waits_for_matrix(ui, s.current())) return true;
  if (!s.run_job) return false;
  empty_state(ui.look, s.run_job->title, s.run_job->progress.stage());
  return true;
}

}  // namespace warpspy::ui
