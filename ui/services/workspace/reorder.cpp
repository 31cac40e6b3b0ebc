// Reorders: makes a matrix from another one, step by step of its recipe.
#include <algorithm>
#include <utility>

#include "core/io/io.hpp"
#include "ui/look/numbers.hpp"
#include "ui/services/workspace/reordering_label.hpp"
#include "ui/services/workspace/workspace.hpp"

namespace warpspy::ui {

namespace {

struct Measured {
  Matrix matrix;
  std::optional<Envelope> before, after;
  std::string note;
};

Measured measured(const Matrix& from, const ReorderStep& step, const std::string& name, Progress& p) {
  const Csr& csr = *from.csr;
  Reordered r = reordered(from, step, p);
  Measured out = {std::move(r.matrix), {}, {}, std::move(r.order.note)};
  out.matrix.source.name = name;
  p.stage("measuring");
  if (csr.rows() == csr.cols()) out.before = envelope_of(csr), out.after = envelope_of(*out.matrix.csr);
  return out;
}

std::string told(const std::string& name, const Measured& r) {
  std::string text = name;
  if (r.before)
    text += ": bandwidth " + count_text(r.before->bandwidth) + " \xE2\x86\x92 " + count_text(r.after->bandwidth) +
            ", profile " + count_text(r.before->profile) + " \xE2\x86\x92 " + count_text(r.after->profile);
  if (!r.note.empty()) text += " (" + r.note + ")";
  return text;
}

}  // namespace

std::string reordering_label(const std::string& id) {
  for (const auto& row : reorderings())
    if (row.info.id == id) return row.info.label;
  return id;
}

void Workspace::on(const ShowReorder& a) {
  s_.reorder_by = a.id;
  s_.dialog = "reorder";
}

void Workspace::on(const Reorder& a) {
  s_.dialog.clear();
  const auto* from = s_.current();
  if (!from || !from->matrix) return say(Message::Kind::note, "Open a matrix first, then reorder it.");
  const ReorderInfo& info = reorder_row(a.id).info;
  OpenMatrix m;
  m.recipe = from->recipe;
  m.recipe.steps.push_back({a.id, a.params, a.file});
  m.source = m.recipe.text();
  for (const auto& open : s_.matrices)
    if (open.source == m.source && open.status != OpenMatrix::Status::failed) return on(SelectMatrix{open.id});
  m.id = next_matrix_++;
  m.name = from->name + " (" + order_label(info.id) + ")";
  m.original = from->id;
  m.reordering = info.label;
  const MatrixId id = m.id;
  drop_failed(m.source);
  s_.matrices.push_back(std::move(m));
  load(id);
  on(SelectMatrix{id});
  act(ShowTab{"compare"});
}

// Starts from the matrix before the last step if it is open; else from the file.
void Workspace::start_reordering(MatrixId id) {
  OpenMatrix* m = find(id);
  if (!m || m->job) return;
  const std::string before = m->recipe.before().text();
  const auto from = std::find_if(s_.matrices.begin(), s_.matrices.end(), [&](const OpenMatrix& o) {
    return o.source == before && o.status != OpenMatrix::Status::failed;
  });
  if (from != s_.matrices.end() && !from->matrix) return;  // start_waiting() will try again
  const auto base = from != s_.matrices.end() ? from->matrix : nullptr;
  if (base) m->original = from->id;
  auto steps = m->recipe.steps;
  if (base) steps.erase(steps.begin(), steps.end() - 1);
  const bool quiet = quiet_.contains(id);
  // An unfinished reordering is removed, and its original is shown.
  const Opening opening = opening_of(*m);
  const auto forget = [this, opening, original = m->original] {
    if (!find(opening)) return;
    const bool shown = s_.selected == opening.id;
    on(CloseMatrix{opening.id});
    if (shown) on(SelectMatrix{original});
  };
  m->job = workers_.submit(
      JobQueue::load, m->reordering + " of " + (base ? from->name : m->recipe.source),
      [base, steps, source = m->recipe.source, name = m->name](Progress& p) {
        auto matrix = base ? base : std::make_shared<const Matrix>(open_matrix(source, p));
        Measured out;
        for (const ReorderStep& step : steps) {
          out = measured(*matrix, step, name, p);
          matrix = std::make_shared<const Matrix>(out.matrix);
        }
        return out;
      },
      [this, opening, quiet](Measured got) {
        auto* open = find(opening);
        if (!open) return;
        open->before = got.before, open->after = got.after;
        if (!quiet) say(Message::Kind::note, told(open->name, got));
        opened(opening, {std::move(got.matrix), std::nullopt, false, {}});
      },
      [this, forget, opening, quiet](const Failure& f) {
        if (quiet) return not_opened(opening, f);
        say(f);
        forget();
      },
      forget);
}

void Workspace::start_waiting() {
  std::vector<MatrixId> waiting;
  for (const OpenMatrix& m : s_.matrices)
    if (m.status == OpenMatrix::Status::opening && !m.job && !m.recipe.steps.empty()) waiting.push_back(m.id);
  for (const MatrixId id : waiting) start_reordering(id);
}

}  // namespace warpspy::ui
