#include "ui/services/workspace/workspace.hpp"

#include <algorithm>
#include <utility>

#include "core/base/source_name.hpp"
#include "core/io/reader.hpp"
#include "core/plot/export.hpp"
#include "core/session/slides.hpp"

namespace warpspy::ui {

void Workspace::on(const OpenSource& a) {
  if (a.source.empty()) return;
  s_.dialog.clear();
  const std::string source = absolute_source(a.source);
  if (is_desk_name(source)) return act(OpenSession{source});
  if (is_slides_name(source)) return act(OpenLecture{source});
  if (source.ends_with(".md")) return act(OpenLesson{source});
  if (plot::is_figure_name(source)) return tell(FigureOpened{source});
  if (source.ends_with(".json")) return act(OpenSweep{source});
  for (const auto& m : s_.matrices)
    if (m.source == source && m.status != OpenMatrix::Status::failed) return on(SelectMatrix{m.id});
  drop_failed(source);
  OpenMatrix m;
  m.id = next_matrix_++;
  m.source = source;
  m.recipe.source = source;
  m.name = matrix_name(source);
  const MatrixId id = m.id;
  s_.matrices.push_back(std::move(m));
  load(id);
  on(SelectMatrix{id});
  if (s_.tab == "help" || s_.tab == "guide") act(ShowTab{"matrix"});  // they must not hide it
}

void Workspace::on(const SelectMatrix& a) {
  if (!find(a.id)) return;
  const MatrixId before = s_.selected;
  if (before != a.id) {
    s_.layout = nullptr;
    s_.layout_problem.clear();
    s_.array.clear(), s_.line.clear();
  }
  s_.selected = a.id;
  tell(MatrixShown{before, a.id});
  s_.highlight.reset();
  highlight_asked_.next();
}

void Workspace::on(const CloseMatrix& a) {
  auto* m = find(a.id);
  if (!m) return;
  const auto at = static_cast<std::size_t>(m - s_.matrices.data());
  const bool shown = s_.selected == a.id;
  drop(a.id);
  start_waiting();
  if (!shown || s_.matrices.empty()) return;
  on(SelectMatrix{s_.matrices[std::min(at, s_.matrices.size() - 1)].id});
}

// Removes a matrix that failed, so that it can be opened again.
void Workspace::drop_failed(const std::string& source) {
  std::vector<MatrixId> failed;
  for (const auto& m : s_.matrices)
    if (m.source == source && m.status == OpenMatrix::Status::failed) failed.push_back(m.id);
  for (const MatrixId id : failed) drop(id);
}

// Removes a matrix completely, and shows another one if it was shown.
void Workspace::drop(MatrixId id) {
  auto* m = find(id);
  tell(MatrixClosing{id});
  s_.matrices_view.chosen.erase(id);
  settle_group(id, short_name(m->source));
  quiet_.erase(id);
  if (m->job) m->job->cancel();
  for (const auto& [format, job] : m->building) job->cancel();
  forget_messages(id);
  s_.knobs_of.erase(id);
  if (s_.left == id || s_.right == id) s_.left = s_.right = 0;
  s_.matrices.erase(s_.matrices.begin() + (m - s_.matrices.data()));
  came(id, false, nullptr);
  if (s_.selected != id) return;
  s_.highlight.reset();
  s_.selected = 0;
}

// Messages about a matrix are removed with it: an error in the status bar must be about an open matrix.
void Workspace::forget_messages(MatrixId about) {
  const auto read = static_cast<std::ptrdiff_t>(s_.messages.size() - s_.unread);
  const auto gone = [&](const Message& m) { return m.about == about; };
  s_.unread -= static_cast<std::size_t>(std::count_if(s_.messages.begin() + read, s_.messages.end(), gone));
  std::erase_if(s_.messages, gone);
}

void Workspace::open_fetched(const std::string& source) {
  to_fetch_.insert(source);
  on(OpenSource{source});
  to_fetch_.erase(source);  // load() has taken it over, or the matrix is open
}

}  // namespace warpspy::ui
