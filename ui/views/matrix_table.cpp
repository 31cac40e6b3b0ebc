#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/plot/text.hpp"
#include "ui/canvas/imgui_canvas.hpp"
#include "ui/platform/input.hpp"
#include "ui/views/matrices_tab.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/menu.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kHeight = 36, kThumbnail = 36;

std::string short_count(index_t n) { return plot::short_number(static_cast<double>(n)); }

std::string size_text(const OpenMatrix& m) {
  if (m.status == OpenMatrix::Status::failed) return "\xE2\x9C\x97 not opened";
  if (!m.matrix) return m.job && !m.job->progress.stage().empty() ? m.job->progress.stage() : "opening\xE2\x80\xA6";
  const Csr& a = *m.matrix->csr;
  return short_count(a.rows()) + " \xC3\x97 " + short_count(a.cols());
}

std::string matrices_text(std::size_t n) { return n == 1 ? "this matrix" : "these " + std::to_string(n); }

std::string real_view_text(const RunRecord& r) {
  const std::string view = real_view_of(r);
  return view.empty() ? "" : ", " + view;
}

}  // namespace

struct MatrixTable::Row {
  const AppState& s;
  Ui& ui;
  Table& table;
  const OpenMatrix& m;
  const FastestRun* best;  // nullptr: it did not run yet
};

struct MatrixTable::Column {
  MatrixColumn id;
  TableColumn look;
  void (*cell)(const Row&);
  std::string (*csv)(const AppState&, const OpenMatrix&, const FastestRun*);
};

namespace {

std::string dash_or(bool known, const std::string& text) { return known ? text : kDash; }

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<MatrixTable::Column>& MatrixTable::columns() {
  using Is = MatrixColumn;
  static const auto number = [](const Row& r, bool known, const std::string& text, const std::string& help = {}) {
    r.table.text(dash_or(known, text), known ? r.ui.look.palette->ink : r.ui.look.palette->muted, Face::mono, help);
  };
  static const std::vector<Column> all = {
      {Is::opened,
       {.help = "The pattern. Sorted by it: in the order in which they were opened.", .width = kThumbnail},
       [](const Row& r) {
         r.table.next();
         const ImVec2 at = ImGui::GetCursorScreenPos();
         const float side = r.ui.look.u(kThumbnail);
         if (const auto& t = r.m.thumbnail; t && t->width > 0) {
           const float scale = side / static_cast<float>(std::max(t->width, t->height));
           const float w = std::max(2.f, static_cast<float>(t->width) * scale),
                       h = std::max(2.f, static_cast<float>(t->height) * scale);
           ImGuiCanvas canvas(ImGui::GetWindowDrawList(), r.ui.look, r.ui.images);
           canvas.image({at.x + (side - w) / 2, at.y + (side - h) / 2, w, h}, t->width, t->height, t->rgba);
         }
         ImGui::Dummy(ImVec2(side, side));
       },
       nullptr},
      {Is::name,
       {.name = "Matrix", .help = "Name, and rows \xC3\x97 columns.", .inset = 6},
       [](const Row& r) {
         const Palette& p = *r.ui.look.palette;
         const bool failed = r.m.status == OpenMatrix::Status::failed;
         r.table.cell({.text = r.m.name,
                       .ink = p.ink,
                       .face = r.m.id == r.s.selected ? Face::bold : Face::ui,
                       .help = r.m.source + (failed ? "\n" + r.m.failure.one_line() : ""),
                       .second = size_text(r.m),
                       .second_ink = failed ? p.error : p.muted});
       },
       [](const AppState&, const OpenMatrix& m, const FastestRun*) { return m.name; }},
      {Is::nnz,
       {.name = "nnz", .help = "Entries that are stored.", .width = 52, .right = true},
       [](const Row& r) {
         number(r, r.m.matrix != nullptr, r.m.matrix ? short_count(r.m.matrix->csr->nnz()) : "",
                r.m.matrix ? count_text(r.m.matrix->csr->nnz()) + " entries" : "");
       },
       [](const AppState&, const OpenMatrix& m, const FastestRun*) {
         return m.matrix ? std::to_string(m.matrix->csr->nnz()) : "";
       }},
      {Is::mean,
       {.name = "mean", .help = "Entries per row, on average.", .width = 46, .right = true},
       [](const Row& r) { number(r, r.m.facts != nullptr, r.m.facts ? real_text(r.m.facts->rows.mean, 3) : ""); },
       [](const AppState&, const OpenMatrix& m, const FastestRun*) {
         return m.facts ? real_text(m.facts->rows.mean, 6) : "";
       }},
      {Is::longest,
       {.name = "longest", .help = "Entries of the longest row.", .width = 52, .right = true},
       [](const Row& r) { number(r, r.m.facts != nullptr, r.m.facts ? short_count(r.m.facts->rows.max) : ""); },
       [](const AppState&, const OpenMatrix& m, const FastestRun*) {
         return m.facts ? std::to_string(m.facts->rows.max) : "";
       }},
      {Is::cv,
       {.name = "cv",
        .help = "Coefficient of variation of the row lengths: standard deviation / mean. 0: all rows are alike; above "
                "1: few rows hold much of the work.",
        .width = 38,
        .right = true},
       [](const Row& r) { number(r, r.m.facts != nullptr, real_text(variation(r.m), 2)); },
       [](const AppState&, const OpenMatrix& m, const FastestRun*) {
         return m.facts ? real_text(variation(m), 4) : "";
       }},
      {Is::structure,
       {.name = "Structure",
        .help = "Symmetry of values, else of the pattern; below it the bandwidth.",
        .width = 96,
        .inset = 8},
       [](const Row& r) {
         r.table.cell({.text = dash_or(r.m.facts != nullptr, structure_text(r.m)),
                       .ink = r.ui.look.palette->ink,
                       .face = Face::ui,
                       .second = r.m.facts ? "band " + short_count(r.m.facts->structure.bandwidth()) : ""});
       },
       [](const AppState&, const OpenMatrix& m, const FastestRun*) { return structure_text(m); }},
      {Is::smallest,
       {.name = "Smallest",
        .help = "The format that holds it in the fewest bytes, at its default parameters and the chosen precision.",
        .width = 66,
        .inset = 8},
       [](const Row& r) {
         const auto* f = r.m.smallest ? r.s.catalog->format(r.m.smallest->format) : nullptr;
         r.table.cell({.text = dash_or(f, f ? f->label : ""),
                       .ink = r.ui.look.palette->ink,
                       .face = Face::ui,
                       .second = f ? bytes_text(static_cast<double>(r.m.smallest->bytes)) : ""});
       },
       [](const AppState&, const OpenMatrix& m, const FastestRun*) {
         return m.smallest ? m.smallest->format + " " + std::to_string(m.smallest->bytes) : "";
       }},
      {Is::kernel,
       {.name = "Best kernel",
        .help = "Of the good products that ever ran on it: the fastest, its device and precision. A complex matrix "
                "runs on a real "
                "view of it.",
        .share = 0.9f},
       [](const Row& r) {
         const RunRecord* run = r.best ? r.best->run.get() : nullptr;
         r.table.cell(
             {.text = run          ? run->kernel_label
                      : r.m.matrix ? "not run yet"
                                   : kDash,
              .ink = run ? r.ui.look.palette->ink : r.ui.look.palette->muted,
              .face = Face::ui,
              .second = run ? run->device_name + ", " + name_of(run->request.precision) + real_view_text(*run) : ""});
       },
       [](const AppState&, const OpenMatrix&, const FastestRun* b) { return b ? b->run->kernel_label : ""; }},
      {Is::speed,
       {.name = "GFLOP/s", .help = "2 nnz / time of that run, and where it comes from.", .width = 66, .right = true},
       [](const Row& r) {
         const RunRecord* run = r.best ? r.best->run.get() : nullptr;
         r.table.cell({.text = dash_or(run, run ? real_text(run->gflops.value, 3) : ""),
                       .ink = r.ui.look.palette->ink,
                       .help = run ? std::string(warpspy::name_of(run->gflops.provenance)) + ", " +
                                         plot::with_micro(run->time_how)
                                   : "",
                       .from = run ? std::optional(run->gflops.provenance) : std::nullopt});
       },
       [](const AppState&, const OpenMatrix&, const FastestRun* b) {
         return b ? real_text(b->run->gflops.value, 6) : "";
       }},
      {Is::share,
       {.name = "Roof",
        .help = "Share of the roof that is nearest: GFLOP/s over min(intensity x bandwidth, peak), of the memory level "
                "where that is most.",
        .width = 58,
        .right = true},
       [](const Row& r) {
         const auto share = r.best ? r.best->share : std::nullopt;
         r.table.cell({.text = dash_or(share.has_value(), share ? percent_text(share->share) : ""),
                       .ink = r.ui.look.palette->ink,
                       .from = share ? std::optional(share->provenance) : std::nullopt});
       },
       [](const AppState&, const OpenMatrix&, const FastestRun* b) {
         return b && b->share ? real_text(b->share->share, 4) : "";
       }}};
  return all;
}

void MatrixTable::filter(const AppState& s, Ui& ui, float width) {
  const Look& l = ui.look;
  if (!typing_) filter_ = s.matrices_view.filter;
  const FontScope font(*l.fonts, Face::ui, 13);
  ImGui::SetNextItemWidth(width);
  const bool changed = ImGui::InputTextWithHint("##filter", "filter: name, structure, format, kernel", &filter_);
  text_stop(l, "##filter");
  show_item(l, "filter");
  typing_ = ImGui::IsItemActive();
  if (!changed) return;
  MatricesView next = s.matrices_view;
  next.filter = filter_;
  ui.out(SetMatricesView{next});
}

void MatrixTable::draw(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const auto best = fastest_runs(s);
  const auto listed = listed_matrices(s, best);
  keys(s, ui, listed);
  if (listed.empty()) return caption(l, "No open matrix answers this filter.");
  std::vector<TableColumn> looks;
  int sorted = -1;
  for (const Column& c : columns()) {
    if (c.id == s.matrices_view.sort) sorted = static_cast<int>(looks.size());
    looks.push_back(c.look);
  }
  Table table(l, "matrices", std::move(looks), size,
              {.pad_x = 3, .pad_y = 2, .row = kHeight, .head = 12, .least_share = 96, .held = 2, .follows = false});
  has_keys_ = table.has_keys(), on_names_ = table.on_names();
  if (!table) return;
  if (const int by = table.sortable_head(sorted, s.matrices_view.descending); by >= 0) {
    MatricesView next = s.matrices_view;
    next.descending = by == sorted && !next.descending;
    next.sort = columns()[static_cast<std::size_t>(by)].id;
    ui.out(SetMatricesView{next});
  }
  for (std::size_t k = 0; k < listed.size(); ++k) {
    const OpenMatrix& m = *listed[k];
    const auto run = best.find(m.source);
    ImGui::PushID(static_cast<int>(m.id));
    const auto& chosen = s.matrices_view.chosen;
    table.row(chosen.empty() ? m.id == s.selected : chosen.contains(m.id));
    if (table.pick()) click(s, ui, listed, k);
    show_item(l, "row " + m.name);
    menu(s, ui, table.row_keys(), m);
    const Row row{s, ui, table, m, run == best.end() ? nullptr : &run->second};
    for (const Column& c : columns()) c.cell(row);
    ImGui::PopID();
  }
}

// A click selects a matrix, a double click opens it. Ctrl adds or removes one; Shift selects all from the last click.
void MatrixTable::click(const AppState& s, Ui& ui, const std::vector<const OpenMatrix*>& listed, std::size_t k) {
  const auto& io = ImGui::GetIO();
  const MatrixId id = listed[k]->id;
  MatricesView next = s.matrices_view;
  if (io.KeyCtrl) {
    if (next.chosen.empty() && s.selected != 0) next.chosen.insert(s.selected);
    if (next.chosen.erase(id) == 0) next.chosen.insert(id);
    anchor_ = id;
    return ui.out(SetMatricesView{next});
  }
  if (io.KeyShift) {
    const auto from = std::find_if(listed.begin(), listed.end(),
                                   [&](const OpenMatrix* m) { return m->id == (anchor_ != 0 ? anchor_ : s.selected); });
    const auto a = from == listed.end() ? k : static_cast<std::size_t>(from - listed.begin());
    next.chosen.clear();
    for (std::size_t j = std::min(a, k); j <= std::max(a, k); ++j) next.chosen.insert(listed[j]->id);
    return ui.out(SetMatricesView{next});
  }
  anchor_ = id;
  next.chosen.clear();
  ui.out(SetMatricesView{next});
  ui.out(SelectMatrix{id});
  if (io.MouseClickedLastCount[0] == 2) ui.out(ShowTab{"matrix"});  // a row is selected when the button is released
}

// Arrow keys move between matrices, and with Shift select them. Enter opens, Ctrl+A selects all listed ones.
void MatrixTable::keys(const AppState& s, Ui& ui, const std::vector<const OpenMatrix*>& listed) {
  if (!s.dialog.empty() || ImGui::GetIO().WantTextInput || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) return;
  if (listed.empty()) return;
  const Look& l = ui.look;
  const bool own = has_keys_ || !l.focus || l.focus->free() || l.focus->spare(true);
  MatricesView next = s.matrices_view;
  if (own && key_pressed(l, {key('A'), true})) {
    for (const OpenMatrix* m : listed) next.chosen.insert(m->id);
    return ui.out(SetMatricesView{next});
  }
  if (has_keys_ && on_names_) return;  // the column heads have the keys, which sort
  if (own && key_pressed(l, {Key::enter})) return ui.out(ShowTab{"matrix"});
  const auto at = std::find_if(listed.begin(), listed.end(), [&](const OpenMatrix* m) { return m->id == s.selected; });
  const int before = at == listed.end() ? 0 : static_cast<int>(at - listed.begin());
  keys_.put(before);
  keys_.take(l, static_cast<int>(listed.size()), 10, own);
  if (keys_.at() == before) return;
  const MatrixId id = listed[static_cast<std::size_t>(keys_.at())]->id;
  next.chosen.clear();
  if (keys_.extends()) {
    if (s.matrices_view.chosen.empty()) anchor_ = s.selected;
    next.chosen = s.matrices_view.chosen;
    next.chosen.insert({s.selected, id});
  }
  ui.out(SetMatricesView{next});
  ui.out(SelectMatrix{id});
}

void MatrixTable::menu(const AppState& s, Ui& ui, const Keys& keys, const OpenMatrix& m) {
  const auto& chosen = s.matrices_view.chosen;
  bool opened = false;
  const bool open = begin_context_menu(ui.look, "menu", keys, &opened);
  // If the matrix is not among the selected ones, the menu applies only to it.
  if (opened && !chosen.contains(m.id)) {
    MatricesView next = s.matrices_view;
    next.chosen.clear();
    ui.out(SetMatricesView{next});
    ui.out(SelectMatrix{m.id});
  }
  if (!open) return;
  const std::vector<MatrixId> ids = chosen_matrices(s);
  const std::string those = matrices_text(ids.size());
  const auto item = [&](const std::string& words, bool enabled = true) {
    return menu_item(ui.look, words, {.enabled = enabled});
  };
  if (item("Open")) {
    ui.out(SelectMatrix{m.id});
    ui.out(ShowTab{"matrix"});
  }
  const KernelInfo* kernel = s.kernel();
  if (kernel && item("Run " + kernel->label + " on " + those, s.why_not().empty()))
    ui.out(StartSweep{ids, {s.knobs.kernel}, {s.knobs.precision}, {s.knobs.device}});
  if (item("Run a sweep on " + those + "\xE2\x80\xA6")) {
    MatricesView next = s.matrices_view;
    next.chosen = {ids.begin(), ids.end()};
    ui.out(SetMatricesView{next});
    ui.out(ShowDialog{"sweep"});
  }
  if (item("Copy path")) {
    std::string text;
    for (const MatrixId id : ids) text += (text.empty() ? "" : "\n") + s.matrix(id)->source;
    ui.out(CopyText{text});
  }
  if (item("Copy the table")) {
    const auto best = fastest_runs(s);
    std::string text;
    for (const Column& c : columns())
      if (c.csv) text += (text.empty() ? "" : "\t") + c.look.name;
    for (const OpenMatrix* each : listed_matrices(s, best)) {
      const auto run = best.find(each->source);
      std::string line;
      for (const Column& c : columns())
        if (c.csv) line += (line.empty() ? "" : "\t") + c.csv(s, *each, run == best.end() ? nullptr : &run->second);
      text += "\n" + line;
    }
    ui.out(CopyText{text});
  }
  if (item("Close " + those))
    for (const MatrixId id : ids) ui.out(CloseMatrix{id});
  end_menu(ui.look);
}

}  // namespace warpspy::ui
