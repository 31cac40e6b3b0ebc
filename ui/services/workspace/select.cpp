// What is shown of the open matrices: cameras, marked rows, two matrices side by side.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/services/workspace/workspace.hpp"

namespace warpspy::ui {

void Workspace::on(const SetCamera& a) {
  auto* m = find(a.matrix);
  if (!m) return;
  m->camera = a.camera;
  // Two matrices of one size, side by side, show the same part.
  const auto [left, right] = s_.compared();
  if (!s_.shows("compare") || !left || !right || !m->matrix || (m != left && m != right)) return;
  auto* other = find(m == left ? right->id : left->id);
  if (!other->matrix) return;
  const Csr &one = *m->matrix->csr, &two = *other->matrix->csr;
  if (one.rows() == two.rows() && one.cols() == two.cols()) other->camera = a.camera;
}

void Workspace::on(const SetHighlight& a) {
  const auto ticket = highlight_asked_.next();
  s_.highlight.reset();
  const auto* m = s_.current();
  if (!a.any() || !m) return;
  s_.highlight = Highlight{a.lo, a.hi, a.first, a.past, nullptr};
  if (!m->matrix) return;  // opened() asks again
  workers_.submit(
      JobQueue::tiles, "Marking rows",
      [csr = m->matrix->csr, a](Progress& p) {
        return a.lo < a.hi ? RowMask::of_lengths(*csr, a.lo, a.hi, &p) : RowMask::of_rows(*csr, a.first, a.past, &p);
      },
      [this, ticket](std::shared_ptr<const RowMask> mask) {
        if (highlight_asked_.is_current(ticket) && s_.highlight) s_.highlight->rows = std::move(mask);
      });
}

void Workspace::on(const ShowMarked&) {
  auto* m = find(s_.selected);
  if (!m || !m->matrix || !s_.highlight || !s_.highlight->rows || s_.highlight->rows->size() == 0) return;
  const RowMask& rows = *s_.highlight->rows;
  const auto below = m->camera.fit ? 0 : static_cast<index_t>(std::floor(std::max(0.0, m->camera.row))) + 1;
  index_t row = below < rows.rows() ? rows.next(below) : -1;
  if (row < 0) row = rows.next(0);
  const Csr& a = *m->matrix->csr;
  const index_t middle = (a.row_ptr()[row] + a.row_ptr()[row + 1]) / 2;
  const index_t column = a.row_length(row) > 0 ? static_cast<index_t>(a.columns()[middle]) : a.cols() / 2;
  constexpr double close = 8;  // pixels per entry at which a row is visible
  on(SetCamera{m->id, go_to(m->camera, row, column, m->camera.fit ? close : std::max(close, m->camera.row_px))});
}

void Workspace::on(const CompareMatrices& a) {
  const bool both = s_.matrix(a.left) && s_.matrix(a.right) && a.left != a.right;
  s_.left = both ? a.left : 0;
  s_.right = both ? a.right : 0;
  if (both) act(ShowTab{"compare"});
}

void Workspace::on(const LeaveComparison&) {
  s_.left = s_.right = 0;
  act(CompareRuns{});
  if (s_.tab == "compare") act(ShowTab{"matrix"});
}

}  // namespace warpspy::ui
