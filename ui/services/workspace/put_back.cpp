// Opens matrices that were open before: those of a desk or session, and those that undo opens again.
#include <algorithm>
#include <utility>

#include "core/sweep/matrices.hpp"
#include "ui/services/workspace/reordering_label.hpp"
#include "ui/services/workspace/workspace.hpp"

namespace warpspy::ui {

MatrixId Workspace::put(const DeskMatrix& d) {
  const std::string source = d.recipe.text();
  for (const OpenMatrix& m : s_.matrices)
    if (m.source == source && m.status != OpenMatrix::Status::failed) return m.id;
  drop_failed(source);
  OpenMatrix m;
  m.id = next_matrix_++;
  m.source = source;
  m.recipe = d.recipe;
  m.name = d.name;
  m.file = d.file;
  m.camera = {d.camera.fit, d.camera.row, d.camera.col, d.camera.row_px, d.camera.col_px};
  if (!d.recipe.steps.empty()) m.reordering = reordering_label(d.recipe.steps.back().id);
  const std::string before = d.recipe.before().text();
  for (const OpenMatrix& o : s_.matrices)
    if (!d.recipe.steps.empty() && o.source == before) m.original = o.id;
  if (d.knobs && s_.catalog->kernel(d.knobs->kernel)) {
    Knobs& own = s_.knobs_of[m.id] = s_.knobs;
    own.kernel = d.knobs->kernel;
    if (s_.catalog->format(d.knobs->format)) own.format = d.knobs->format;
    own.kernel_params = d.knobs->kernel_params, own.format_params = d.knobs->format_params;
  }
  quiet_.insert(m.id);
  coming_back_.add(m.id);
  s_.matrices.push_back(std::move(m));
  return s_.matrices.back().id;
}

MatrixId Workspace::open_quietly(const std::string& source) {
  DeskMatrix d;
  d.recipe.source = source;
  d.name = matrix_name(source);
  const MatrixId id = put(d);
  load_what_waits({id});
  return id;
}

void Workspace::put_closed(OpenMatrix m, std::size_t place) {
  const MatrixId id = m.id;
  const auto at = s_.matrices.begin() + static_cast<std::ptrdiff_t>(std::min(place, s_.matrices.size()));
  s_.matrices.insert(at, std::move(m));
  quiet_.insert(id);
  load(id);
}

void Workspace::load_what_waits(const std::vector<MatrixId>& ids) {
  for (const MatrixId id : ids) {
    const auto* m = find(id);
    if (m && m->status == OpenMatrix::Status::opening && !m->job) load(id);
  }
}

// One of those matrices is open, was closed, or has failed.
void Workspace::came(MatrixId id, bool changed, const Failure* failure) {
  if (coming_back_.came(id, find(id), changed, failure)) settle_coming_back();
}

void Workspace::settle_coming_back() {
  if (const auto told = coming_back_.told()) say(told->kind, told->text, told->remedy);
}

}  // namespace warpspy::ui
