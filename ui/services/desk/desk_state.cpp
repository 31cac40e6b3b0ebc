#include "ui/services/desk/desk_state.hpp"

#include <algorithm>
#include <set>

#include "ui/figures/figure.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace {

constexpr std::size_t kMostRunsInAFigure = 40;  // with all that is known of them

DeskMatrix matrix_of(const OpenMatrix& m) {
  DeskMatrix d;
  d.recipe = m.recipe;
  d.name = m.name;
  d.file = m.file;
  if (m.matrix) d.rows = m.matrix->csr->rows(), d.cols = m.matrix->csr->cols(), d.nnz = m.matrix->csr->nnz();
  d.camera = {m.camera.fit, m.camera.row, m.camera.col, m.camera.row_px, m.camera.col_px};
  return d;
}

void add_runs(const AppState& s, Desk& d) {
  std::set<std::uint64_t> there;
  const auto add = [&](const std::shared_ptr<const RunRecord>& r, bool listed) {
    if (!r || !there.insert(r->id).second) return;
    const auto note = s.notes.find(r->id);
    d.runs.push_back({r->id, listed, note == s.notes.end() ? "" : note->second, r});
  };
  for (const auto& r : s.runs.all())
    if (!s.on_trail(r->id)) add(r, true);
  add(s.looked_at, false);
  for (const auto& r : s.comparing) add(r, false);
}

}  // namespace

Desk desk_of(const AppState& s) {
  Desk d;
  for (const OpenMatrix& m : s.matrices) {
    if (m.id == s.selected) d.active = static_cast<int>(d.matrices.size());
    d.matrices.push_back(matrix_of(m));
    if (const auto own = s.knobs_of.find(m.id); own != s.knobs_of.end() && m.id != s.selected)
      d.matrices.back().knobs = {own->second.kernel, own->second.format, own->second.kernel_params,
                                 own->second.format_params};
  }
  d.choices = saved_choices(s, ChoiceRow::Saved::desk);
  d.kernel_params = s.knobs.kernel_params;
  d.format_params = s.knobs.format_params;
  d.analysis_params = s.analysis.params;
  if (const auto& h = s.highlight) {
    d.marked_lo = h->lo, d.marked_hi = h->hi;
    if (h->lo >= h->hi) d.marked_first = h->first, d.marked_past = h->past;
  }
  add_runs(s, d);
  d.selected_run = s.selected_run;
  d.beside_run = s.beside_run;
  for (const auto& r : s.comparing) d.compared.push_back(r->id);
  // A running search has no result yet.
  if (s.tuning && !s.tuning->job) d.tuning = *s.tuning->record;
  for (const auto& [id, a] : s.analyses)
    if (a.result) d.analyses.push_back(*a.result);
  if (s.sweep) {
    d.sweep = s.sweep->sweep.saved();
    d.sweep->folder = s.sweep->path;
  }
  return d;
}

void leave_own(Desk& desk) {
  for (const char* own : {"panes", "tabs seen", "session file", "lesson"}) desk.choices.erase(own);
  desk.sweep.reset();  // its folder
}

std::string desk_of_figure(const AppState& s, const Figure& figure) {
  const FigureRow& row = *figure.row;
  Desk desk = desk_of(s);
  // In a report the figure may show another matrix than the current one.
  if (row.of_matrix && !figure.subject.matrices.empty())
    for (std::size_t k = 0; k < s.matrices.size(); ++k)
      if (s.matrices[k].source == figure.subject.matrices.front().source &&
          s.matrices[k].matrix == figure.subject.matrices.front().matrix)
        desk.active = static_cast<int>(k);
  desk.choices["tab"] = row.tab;
  leave_own(desk);
  if (row.tab != std::string("tune")) desk.tuning.reset();
  if (row.tab != std::string("analyses")) desk.analyses.clear();
  const auto& runs = figure.subject.runs;
  std::erase_if(desk.runs, [&](const DeskRun& run) {
    const bool of_figure = std::find(runs.begin(), runs.end(), run.record) != runs.end();
    return !of_figure && run.id != desk.selected_run && run.id != desk.beside_run;
  });
  if (desk.runs.size() > kMostRunsInAFigure)
    for (DeskRun& run : desk.runs)
      if (run.id < kUnsaved) run.record.reset();
  return to_json(desk);
}

}  // namespace warpspy::ui
