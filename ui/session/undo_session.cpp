// Undo and redo: the way from one state to another, by the same handlers that brought it about.
#include <algorithm>

#include "ui/session/session.hpp"

namespace warpspy::ui {

void Session::end_step() { undo_.end_step(); }
void Session::next_frame() { undo_.next_frame(); }

void Session::tell_undo() {
  s_.undo = undo_.undo_label();
  s_.redo = undo_.redo_label();
}

void Session::on(const Undo&) {
  if (const auto move = undo_.undo()) go(move->from, move->to);
}
void Session::on(const Redo&) {
  if (const auto move = undo_.redo()) go(move->from, move->to);
}

// Only what differs between the two: what came since, such as a matrix that was opened, stays as it is.
void Session::go(const UndoState& from, const UndoState& to) {
  const auto differs = [&](auto member) { return from.*member != to.*member; };
  const auto has = [](const UndoState& u, MatrixId id) {
    return std::any_of(u.matrices.begin(), u.matrices.end(), [&](const auto& m) { return m.id == id; });
  };
  for (const auto& m : from.matrices)
    if (!has(to, m.id)) on(CloseMatrix{m.id});
  for (std::size_t k = 0; k < to.matrices.size(); ++k)
    if (!has(from, to.matrices[k].id)) reopen(to, k);
  // Before the shown matrix: a comparison shows that of its runs.
  if (differs(&UndoState::comparing)) compare(to.comparing);
  if (s_.selected != to.selected && (differs(&UndoState::selected) || differs(&UndoState::comparing)))
    on(SelectMatrix{to.selected});
  // The one that was shown then may be gone since, as one whose reading was cancelled.
  if (!s_.current() && !s_.matrices.empty()) on(SelectMatrix{s_.matrices.front().id});
  // Which ends a comparison of runs whose matrices are not open.
  if (differs(&UndoState::comparing)) compare(to.comparing);
  // Each by itself: SetCamera takes a matrix beside it along, which may have been looked at elsewhere.
  for (const auto& [id, camera] : to.cameras) {
    const auto old = from.cameras.find(id);
    if (old != from.cameras.end() && old->second == camera) continue;
    if (auto* m = find(id)) m->camera = camera;
  }
  if (differs(&UndoState::knobs)) {
    const bool live = s_.knobs.live;
    s_.knobs = to.knobs;
    s_.knobs.live = live;
    if (from.knobs.device != to.knobs.device || from.knobs.kernel != to.knobs.kernel) forget_trail();
    formats_changed(), knobs_changed();
    rebuild_histogram();
  }
  if (differs(&UndoState::memory)) on(SetMemory{to.memory});
  if (differs(&UndoState::spy)) s_.spy = to.spy, save();
  if (differs(&UndoState::histogram) || differs(&UndoState::histogram_chosen)) {
    on(SetHistogram{to.histogram});
    s_.histogram_chosen = to.histogram_chosen;
  }
  if (differs(&UndoState::roofline)) on(SetRoofline{to.roofline});
  if (differs(&UndoState::flops)) on(SetFlops{to.flops});
  if (differs(&UndoState::sort)) on(SortFormats{to.sort.first, to.sort.second});
  if (differs(&UndoState::tab)) on(ShowTab{to.tab});
  if (!(s_.panes == to.panes)) on(SetPanes{to.panes});
  if (differs(&UndoState::beside_run)) on(SetBesideRun{to.beside_run});
  if (differs(&UndoState::analysis)) on(SetAnalysis{to.analysis});
  if (differs(&UndoState::tune)) on(SetTuning{to.tune});
  if (differs(&UndoState::marked)) mark_when_read(to.marked);
}

// A closed matrix comes back under its number and at its place, so that steps before and after still mean it.
void Session::reopen(const UndoState& to, std::size_t k) {
  const auto& closed = to.matrices[k];
  if (find(closed.id)) return;
  OpenMatrix m;
  m.id = closed.id;
  m.original = closed.original;
  m.recipe = closed.recipe;
  m.source = closed.recipe.text();
  m.name = closed.name;
  m.file = closed.file;
  if (const auto camera = to.cameras.find(m.id); camera != to.cameras.end()) m.camera = camera->second;
  if (!m.recipe.steps.empty()) m.reordering = reordering_label(m.recipe.steps.back().id);
  const auto at = s_.matrices.begin() + static_cast<std::ptrdiff_t>(std::min(k, s_.matrices.size()));
  s_.matrices.insert(at, std::move(m));
  quiet_.insert(closed.id);
  load(closed.id);
}

}  // namespace warpspy::ui
