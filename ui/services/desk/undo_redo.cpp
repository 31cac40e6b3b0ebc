// Undo and redo change one state into another with the same handlers that users' actions call.
#include "ui/services/desk/undo_redo.hpp"

#include <algorithm>
#include <utility>

#include "ui/services/workspace/reordering_label.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

void UndoRedo::record(const UndoName& name, const UndoState& before) { stack_.record(name, before, undo_state(s_)); }

void UndoRedo::forget() {
  stack_ = {};
  tell_labels();
}

void UndoRedo::tell_labels() {
  s_.undo = stack_.undo_label();
  s_.redo = stack_.redo_label();
}

void UndoRedo::on(const Undo&) {
  if (const auto move = stack_.undo()) go(move->from, move->to);
}
void UndoRedo::on(const Redo&) {
  if (const auto move = stack_.redo()) go(move->from, move->to);
}

// Only changes what differs between the two. What came since, such as a matrix that was opened, stays.
void UndoRedo::go(const UndoState& from, const UndoState& to) {
  const auto differs = [&](auto member) { return from.*member != to.*member; };
  const auto has = [](const UndoState& u, MatrixId id) {
    return std::any_of(u.matrices.begin(), u.matrices.end(), [&](const auto& m) { return m.id == id; });
  };
  for (const auto& m : from.matrices)
    if (!has(to, m.id)) act(CloseMatrix{m.id});
  for (std::size_t k = 0; k < to.matrices.size(); ++k)
    if (!has(from, to.matrices[k].id)) reopen(to, k);
  // Before the shown matrix, since a comparison shows the matrix of its runs.
  if (differs(&UndoState::comparing)) runs_.compare(to.comparing);
  if (s_.selected != to.selected && (differs(&UndoState::selected) || differs(&UndoState::comparing)))
    act(SelectMatrix{to.selected});
  // The matrix that was shown may be gone, such as one whose reading was cancelled.
  if (!s_.current() && !s_.matrices.empty()) act(SelectMatrix{s_.matrices.front().id});
  // Showing a matrix ends a comparison of runs on matrices that are not open.
  if (differs(&UndoState::comparing)) runs_.compare(to.comparing);
  // Cameras are restored one by one: SetCamera would also move a matrix beside it.
  for (const auto& [id, camera] : to.cameras) {
    const auto old = from.cameras.find(id);
    if (old != from.cameras.end() && old->second == camera) continue;
    if (auto* m = find(id)) m->camera = camera;
  }
  const auto differs_in = [&](const ChoiceRow& c) { return c.label && from.choices.at(c.id) != to.choices.at(c.id); };
  const auto& rows = choice_rows();
  // Another matrix may have changed the next run's choices, so all of them are restored.
  const bool knobs = differs(&UndoState::kernel_params) || differs(&UndoState::format_params) ||
                     std::any_of(rows.begin(), rows.end(), [&](const auto& c) { return c.ask && differs_in(c); });
  for (const ChoiceRow& c : rows)
    if (differs_in(c) || (c.label && c.ask && knobs)) c.set(s_, to.choices.at(c.id));
  if (knobs) s_.knobs.kernel_params = to.kernel_params, s_.knobs.format_params = to.format_params;
  if (differs(&UndoState::analysis_params)) s_.analysis.params = to.analysis_params;
  if (differs(&UndoState::marked)) act(SetHighlight{to.marked});
}

// A closed matrix gets its old number and position, so that earlier and later steps still refer to it.
void UndoRedo::reopen(const UndoState& to, std::size_t k) {
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
  workspace_.put_closed(std::move(m), k);
}

}  // namespace warpspy::ui
