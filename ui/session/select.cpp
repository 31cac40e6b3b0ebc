// One selection: what is selected in one view is so in all of them. And matrices side by side.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/session/session.hpp"

namespace warpspy::ui {

namespace {

// Whether a run with these knobs takes a parameter that is not as it is by default.
bool any_set(const AppState& s) {
  const auto set = [](const auto& sets, const std::string& owner, const std::vector<ParamSpec>& specs) {
    return std::any_of(specs.begin(), specs.end(),
                       [&](const ParamSpec& p) { return param_value(sets, owner, p) != p.def; });
  };
  const auto* k = s.kernel();
  const auto* f = s.format();
  return (k && set(s.knobs.kernel_params, k->id, k->params)) || (f && set(s.knobs.format_params, f->id, f->params));
}

}  // namespace

void Session::show_matrix_of(const RunRecord& r) {
  const auto* m = matrix_of(s_, r);
  if (m && m->id != s_.selected) on(SelectMatrix{m->id});
}

void Session::select_run_of(const OpenMatrix& m) {
  const auto selected = s_.run(s_.selected_run);
  if (selected && matrix_of(s_, *selected) == &m) return;
  for (const auto& r : s_.comparing)
    if (matrix_of(s_, *r) == &m) {
      s_.selected_run = r->id;
      return;
    }
  on(CompareRuns{});
  const auto newest = newest_run(s_, m);
  s_.selected_run = newest ? newest->id : 0;
  s_.looked_at = nullptr;
}

// Kernel and parameters are a matrix' own; those of one that was never looked at are carried over, which is said.
void Session::change_knobs(MatrixId from, const OpenMatrix& to) {
  const auto* left = s_.matrix(from);
  if (!left) return;
  s_.knobs_of[from] = s_.knobs;
  if (const auto own = s_.knobs_of.find(to.id); own != s_.knobs_of.end()) {
    s_.knobs.kernel = own->second.kernel;
    s_.knobs.kernel_params = own->second.kernel_params;
    s_.knobs.format_params = own->second.format_params;
    s_.knobs.format = own->second.format;
    s_.knobs_from.clear();
    return;
  }
  if (!any_set(s_))
    s_.knobs_from.clear();
  else if (s_.knobs_from.empty())
    s_.knobs_from = left->name;
}

void Session::on(const ResetKnobs&) {
  s_.knobs.kernel_params.erase(s_.knobs.kernel);
  if (s_.format()) s_.knobs.format_params.erase(s_.format()->id);
  s_.knobs_from.clear();
}

void Session::on(const SelectPart& a) {
  s_.array = a.array;
  s_.line = a.line;
}

void Session::on(const ShowMarked&) {
  auto* m = find(s_.selected);
  if (!m || !m->matrix || !s_.highlight || !s_.highlight->rows || s_.highlight->rows->size() == 0) return;
  const RowMask& rows = *s_.highlight->rows;
  const auto below = m->camera.fit ? 0 : static_cast<index_t>(std::floor(std::max(0.0, m->camera.row))) + 1;
  index_t row = below < rows.rows() ? rows.next(below) : -1;
  if (row < 0) row = rows.next(0);
  const Csr& a = *m->matrix->csr;
  const index_t middle = (a.row_ptr()[row] + a.row_ptr()[row + 1]) / 2;
  const index_t column = a.row_length(row) > 0 ? static_cast<index_t>(a.columns()[middle]) : a.cols() / 2;
  constexpr double close = 8;  // pixels per entry: a row is seen as such
  on(SetCamera{m->id, go_to(m->camera, row, column, m->camera.fit ? close : std::max(close, m->camera.row_px))});
}

void Session::settle_selected_run() {
  if (s_.selected_run == 0) return;
  const auto run = s_.run(s_.selected_run);
  const OpenMatrix* of_run = run ? matrix_of(s_, *run) : nullptr;
  if (run && (!of_run || of_run == s_.current())) return;
  const auto newest = s_.current() ? newest_run(s_, *s_.current()) : nullptr;
  s_.selected_run = newest ? newest->id : 0;
}

void Session::on(const CompareMatrices& a) {
  const bool both = s_.matrix(a.left) && s_.matrix(a.right) && a.left != a.right;
  s_.left = both ? a.left : 0;
  s_.right = both ? a.right : 0;
  if (both) on(ShowTab{"compare"});
}

void Session::on(const LeaveComparison&) {
  s_.left = s_.right = 0;
  on(CompareRuns{});
  if (s_.tab == "compare") on(ShowTab{"matrix"});
}

// What was said of a matrix goes with it: an error in the status bar is about something that is there.
void Session::forget_messages(MatrixId about) {
  const auto read = static_cast<std::ptrdiff_t>(s_.messages.size() - s_.unread);
  const auto gone = [&](const Message& m) { return m.about == about; };
  s_.unread -= static_cast<std::size_t>(std::count_if(s_.messages.begin() + read, s_.messages.end(), gone));
  std::erase_if(s_.messages, gone);
}

}  // namespace warpspy::ui
