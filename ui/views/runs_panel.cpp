#include "ui/views/runs_panel.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/plot/text.hpp"
#include "core/run/check_words.hpp"
#include "core/run/time_interval.hpp"
#include "ui/platform/compat.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/waiting.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/menu.hpp"
#include "ui/widgets/table.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kRow = 33;  // two lines

std::string from_text(Provenance from) {
  return std::string(warpspy::name_of(from)) +
         (from == Provenance::measured  ? ": read from a timer or a hardware counter."
          : from == Provenance::derived ? ": computed from measured numbers."
                                        : ": from the emulator or a formula, not measured.");
}

// Of a modelled time.
std::string interval_line(const RunRecord& r) {
  const std::string interval = interval_text(r);
  return interval.empty() ? "" : "\n90 % interval: " + plot::with_micro(interval) + ".";
}

std::string kernel_text(const RunRecord& r) { return r.kernel_label.empty() ? r.request.kernel : r.kernel_label; }

std::string details_text(const AppState& s, const RunRecord& r) {
  std::string text = kernel_text(r) + "\n" + params_text(s, r) + "\n" + r.matrix_name + " on " + r.device_name + "\n" +
                     r.started + "\n" + plot::with_micro(r.time_how);
  if (r.sampled_share < 1)
    text += std::string("\nEmulated ") + percent_text(r.sampled_share) + " of the blocks (" + name_of(r.request.depth) +
            " depth).";
  if (const std::string check = check_text(r); !check.empty()) text += "\nResult " + check + ".";
  if (r.check && r.check->rows_checked > 0)
    text += " Largest error " + real_text(r.check->max_of_bound, 3) + " of the bound.";
  for (const auto& n : r.notes) text += "\n" + n;
  return text;
}

// "2026-11-21T19:30:00Z" as day and time.
std::pair<std::string, std::string> day_and_time(const std::string& started) {
  if (started.size() < 16) return {started, ""};
  return {started.substr(0, 10), started.substr(11, 5)};
}

}  // namespace

struct RunsPanel::Row {
  const AppState& s;
  Ui& ui;
  Table& table;
  const SavedRun& kept;
  const RunRecord& r;
  ImVec2 from, to;  // the table's corners on the screen
};

struct RunsPanel::Column {
  TableColumn look;
  bool beside;     // the column is in the small table too
  bool of_result;  // the cell is empty for a run that failed
  void (RunsPanel::*cell)(const Row&);
  // The key by which a column is sorted: numbers, else text. Runs without a value come last.
  std::optional<double> (*number)(const AppState&, const RunRecord&) = nullptr;
  std::string (*words)(const SavedRun&) = nullptr;
  float least = 0;  // least width of the small table at which kernels stay readable
};

namespace {

std::optional<double> of_good(const RunRecord& r, double v) {
  return r.status == RunStatus::ok ? std::optional(v) : std::nullopt;
}
template <Level L>
std::optional<double> share_of(const AppState& s, const RunRecord& r) {
  const auto* p = s.point(r.id, L);
  return p && p->roof_gflops > 0 ? of_good(r, p->gflops / p->roof_gflops) : std::nullopt;
}

}  // namespace

const std::vector<RunsPanel::Column>& RunsPanel::columns() {
  static const std::vector<Column> all = {
      {{.name = "#",
        .help =
            "The run's number here, and its name, which it keeps for ever and on every machine. Both are for exports, "
            "and for warpspy runs on the command line.",
        .width = 60,
        .right = true},
       true,
       false,
       &RunsPanel::number_cell,
       [](const AppState&, const RunRecord& r) { return std::optional(static_cast<double>(r.id)); }},
      {{.name = "Started UTC", .width = 78},
       false,
       false,
       &RunsPanel::started_cell,
       nullptr,
       [](const SavedRun& k) { return k.record->started; }},
      {{.name = "Kernel", .help = "Kernel, precision and parameters; in the small table the matrix too."},
       true,
       false,
       &RunsPanel::kernel_cell,
       nullptr,
       [](const SavedRun& k) { return kernel_text(*k.record); }},
      {{.name = "Matrix, device"},
       false,
       false,
       &RunsPanel::matrix_cell,
       nullptr,
       [](const SavedRun& k) { return k.record->matrix_name; }},
      {{.name = "Time \xC2\xB5s",
        .help = "One product y = A x; below it, in the large table, the noise of its samples.",
        .width = 56,
        .right = true},
       true,
       true,
       &RunsPanel::time_cell,
       [](const AppState&, const RunRecord& r) { return of_good(r, r.time.value); }},
      {{.name = "GFLOP/s",
        .help = "2 nnz / time: one multiplication and one addition per entry.",
        .width = 58,
        .right = true},
       true,
       true,
       &RunsPanel::speed_cell,
       [](const AppState&, const RunRecord& r) { return of_good(r, r.gflops.value); }},
      {{.name = "L1 %",
        .help = "Share of the L1 roof: GFLOP/s over min(intensity x bandwidth, peak) at that level.",
        .width = 30,
        .right = true},
       true,
       true,
       &RunsPanel::share_cell<Level::l1>,
       share_of<Level::l1>,
       nullptr,
       430},
      {{.name = "L2 %", .help = "Share of the L2 roof.", .width = 30, .right = true},
       true,
       true,
       &RunsPanel::share_cell<Level::l2>,
       share_of<Level::l2>,
       nullptr,
       390},
      {{.name = "DRAM %", .help = "Share of the DRAM roof.", .width = 48, .right = true},
       true,
       true,
       &RunsPanel::share_cell<Level::dram>,
       share_of<Level::dram>,
       nullptr,
       352},
      {{.name = "Note", .help = "Yours: click to write, Enter keeps it.", .inset = 10},
       false,
       false,
       &RunsPanel::note_cell,
       nullptr,
       [](const SavedRun& k) { return k.note; }},
      {{.width = 16, .right = true}, true, false, &RunsPanel::remove_cell},
  };
  return all;
}

std::string params_text(const AppState& s, const RunRecord& r) {
  std::string text;
  if (const auto* k = s.catalog->kernel(r.request.kernel)) text = params_words(k->params, r.request.params);
  const auto* f = s.catalog->format(r.format);
  const std::string of_format = f ? params_words(f->params, r.request.format_params) : "";
  return text + (text.empty() || of_format.empty() ? "" : ", ") + of_format;
}

void RunsPanel::draw(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  float used = head(s, ui, origin, size.x);
  if (size_ == Size::whole) {
    ImGui::SetCursorScreenPos(ImVec2(origin.x, origin.y + used));
    used += filters(s, ui, size.x);
  }
  ImGui::SetCursorScreenPos(ImVec2(origin.x, origin.y + used));
  if (!s.list.rows.empty()) return table(s, ui, ImVec2(size.x, size.y - used));
  if (s.list.waiting) return caption(l, "Looking through all runs\xE2\x80\xA6");
  HistoryQuery none;
  none.limit = s.list.query.limit;
  if (!(s.list.query == none)) {
    if (empty_state(l, "No run answers these filters", "Take some away to see more.", "Clear the filters"))
      ui.out(ListRuns{s.list.all, none});
    return;
  }
  if (waits_for_run(s, ui)) return;
  if (empty_state(l, "No runs yet",
                  "Run a kernel on the matrix: its time, speed and share of each roof are listed here, and kept.",
                  s.can_run() ? "Run" + keys_behind(s, ui.commands, "run.start") : std::string()))
    ui.out(StartRun{});
}

void RunsPanel::table(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  std::vector<const Column*> shown;
  std::vector<TableColumn> looks;
  for (const Column& c : columns()) {
    if (size_ == Size::beside && (!c.beside || size.x < l.u(c.least))) continue;
    shown.push_back(&c);
    looks.push_back(c.look);
  }
  const ImVec2 from = ImGui::GetCursorScreenPos();
  Table table(l, "runs", std::move(looks), ImVec2(size.x, std::max(l.u(40), size.y)),
              {.pad_x = 3, .row = kRow, .head = 12, .least_share = size_ == Size::whole ? 110.f : 0.f});
  if (!table) return;
  const auto sorted = std::find(shown.begin(), shown.end(), sort_);
  const int by =
      table.sortable_head(sorted == shown.end() ? -1 : static_cast<int>(sorted - shown.begin()), descending_);
  if (by >= 0) sort_by(shown[static_cast<std::size_t>(by)]);
  for (const SavedRun* one : in_order(s)) {
    const SavedRun& kept = *one;
    ImGui::PushID(std::to_string(kept.record->id).c_str());
    row({s, ui, table, kept, *kept.record, from, ImVec2(from.x + size.x, from.y + size.y)}, shown);
    ImGui::PopID();
  }
  if (s.list.total <= s.list.rows.size()) return;
  table.row();
  table.skip(size_ == Size::whole ? 3 : 2);
  if (!button(l, "Show more", Weight::quiet)) return;
  HistoryQuery q = s.list.query;
  q.limit += 200;
  ui.out(ListRuns{s.list.all, q});
}

// A second click reverses the order; a third restores the list's order, newest first.
void RunsPanel::sort_by(const Column* c) {
  if (!c->number && !c->words) return;
  if (sort_ == c && descending_) {
    sort_ = nullptr;
    descending_ = false;
    return;
  }
  descending_ = sort_ == c;
  sort_ = c;
}

std::vector<const SavedRun*> RunsPanel::in_order(const AppState& s) const {
  std::vector<const SavedRun*> rows;
  for (const SavedRun& k : s.list.rows) rows.push_back(&k);
  if (!sort_) return rows;
  std::stable_sort(rows.begin(), rows.end(), [&](const SavedRun* a, const SavedRun* b) {
    if (sort_->words) return descending_ ? sort_->words(*b) < sort_->words(*a) : sort_->words(*a) < sort_->words(*b);
    const auto x = sort_->number(s, *a->record), y = sort_->number(s, *b->record);
    if (!x || !y) return x.has_value() && !y.has_value();
    return descending_ ? *y < *x : *x < *y;
  });
  return rows;
}

void RunsPanel::row(const Row& row, const std::vector<const Column*>& shown) {
  const RunRecord& r = row.r;
  row.table.row(r.id == row.s.selected_run || row.s.compared_as(r.id) >= 0);
  const bool picked = row.table.pick();
  // A run that was selected elsewhere, such as on the roofline, is scrolled into view once.
  if (r.id == row.s.selected_run && std::exchange(seen_, r.id) != r.id) row.table.show_row();
  if (picked) click(row.s, row.ui, r.id, row.table.extends());
  menu(row);
  bool said = false;
  for (const Column* c : shown) {
    if (!c->of_result || r.status == RunStatus::ok) {
      (this->*c->cell)(row);
      continue;
    }
    // The error is written once, across the columns of the missing numbers.
    const float room = row.table.next(said ? "" : "failed: " + r.error);
    if (std::exchange(said, true)) continue;
    const Look& l = row.ui.look;
    draw_text(l, ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), Face::bold, 13, l.palette->error,
              "\xE2\x9C\x97 failed");
    ImGui::Dummy(ImVec2(room, l.u(17)));
    tip(l, r.error);
  }
}

// Ctrl adds a run to the comparison or removes it; Shift adds all up to here; a plain click selects one.
void RunsPanel::click(const AppState& s, Ui& ui, std::uint64_t run, bool extends) const {
  std::vector<std::uint64_t> ids;
  for (const auto& r : s.comparing) ids.push_back(r->id);
  if (ids.empty() && s.run(s.selected_run)) ids.push_back(s.selected_run);
  const auto& io = ImGui::GetIO();
  const bool adds = io.KeyCtrl || (comparing(s) && !io.KeyShift && !extends);
  if (ids.empty() || (!adds && !io.KeyShift && !extends)) return ui.out(SelectRun{run});
  if (adds) {
    const auto at = std::find(ids.begin(), ids.end(), run);
    if (at == ids.end())
      ids.push_back(run);
    else
      ids.erase(at);
    return ui.out(CompareRuns{ids});
  }
  const std::vector<const SavedRun*> rows = in_order(s);
  const auto place = [&](std::uint64_t id) {
    return std::find_if(rows.begin(), rows.end(), [&](const SavedRun* k) { return k->record->id == id; });
  };
  auto a = place(ids.front()), b = place(run);
  if (a == rows.end() || b == rows.end()) return ui.out(CompareRuns{{ids.front(), run}});
  ids.resize(1);
  const int step = a < b ? 1 : -1;
  while (a != b) ids.push_back((*(a += step))->record->id);
  ui.out(CompareRuns{ids});
}

void RunsPanel::menu(const Row& row) {
  const auto& [s, ui, table, kept, r, from, to] = row;
  const Look& l = ui.look;
  bool opened = false;
  const bool open = begin_context_menu(l, "menu", table.row_keys(), &opened);
  if (opened && s.compared_as(r.id) < 0) ui.out(SelectRun{r.id});
  if (!open) return;
  if (menu_item(l, "Repeat")) ui.out(RepeatRun{r.id});
  if (menu_item(l, "Write a note\xE2\x80\xA6")) edited_ = r.id, note_ = kept.note, focus_ = true;
  if (s.compared_as(r.id) > 0 && menu_item(l, "Compare with this one")) {
    std::vector<std::uint64_t> ids = {r.id};
    for (const auto& other : s.comparing) ids.push_back(other->id);
    ui.out(CompareRuns{ids});
  }
  const auto selected = s.run(s.selected_run);
  if (s.comparing.empty() && selected && selected->id != r.id && menu_item(l, "Compare with the selected one"))
    ui.out(CompareRuns{{selected->id, r.id}});
  if (menu_item(l, "Copy as JSON")) ui.out(CopyText{to_json(r)});
  if (menu_item(l, "Copy as CSV")) ui.out(CopyText{to_csv({r})});
  if (menu_item(l, "Copy the table", {.keys = "Ctrl+C"})) table.copy();
  if (menu_item(l, "Show traffic")) ui.out(ShowTab{"traffic"});
  if (!s.list.all && menu_item(l, "Take off the list")) ui.out(RemoveRun{r.id});
  if (menu_item(l, "Remove for good")) ui.out(ForgetRun{r.id});
  end_menu(l);
}

void RunsPanel::number_cell(const Row& row) {
  const auto& [s, ui, table, kept, r, from, to] = row;
  const Palette& p = *ui.look.palette;
  const int place = s.compared_as(r.id);
  Cell cell{.text = run_number(r), .ink = p.muted, .second_ink = p.ink};
  if (place < 0 && cell.text != run_name(r)) cell.second = run_name(r), cell.second_ink = p.muted;
  if (place >= 0 && s.comparison) {
    const Delta& speed = s.comparison->rows[1].runs[static_cast<std::size_t>(place)];  // time, then speed
    cell.second = place == 0 ? "base" : speed.percent ? percent_or_times(*speed.percent) : "";
  }
  table.cell(cell);
}

void RunsPanel::started_cell(const Row& row) {
  const auto [day, time] = day_and_time(row.r.started);
  row.table.cell({.text = day, .ink = row.ui.look.palette->ink, .face = Face::ui, .second = time});
}

void RunsPanel::kernel_cell(const Row& row) {
  const auto& [s, ui, table, kept, r, from, to] = row;
  const Look& l = ui.look;
  const std::string params = params_text(s, r);
  std::string second = std::string(warpspy::name_of(r.request.precision)) + (params.empty() ? "" : ", " + params);
  if (size_ == Size::whole)
    return table.cell({.text = kernel_text(r),
                       .ink = l.palette->ink,
                       .face = Face::ui,
                       .help = details_text(s, r),
                       .second = second});
  const float room = table.next(kernel_text(r) + "; " + r.matrix_name + ", " + second);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  auto* list = ImGui::GetWindowDrawList();
  draw_text(l, list, at, Face::ui, 13, l.palette->ink, kernel_text(r), room);
  const float width = to.x - at.x - l.u(24);
  if (edited_ == r.id) {
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(16)));
    return edit_note(l, ui, kept, width);
  }
  // The second line is below the numbers, across their columns.
  list->PushClipRect(from, to, false);
  second = r.matrix_name + ": " + second;
  if (!kept.note.empty()) second = "\xE2\x80\x9C" + kept.note + "\xE2\x80\x9D  " + second;
  draw_text(l, list, ImVec2(at.x, at.y + l.u(17)), Face::ui, 12, l.palette->muted, second, width);
  list->PopClipRect();
  ImGui::Dummy(ImVec2(room, l.u(kRow)));
  tip(l, details_text(s, r));
}

void RunsPanel::matrix_cell(const Row& row) {
  const RunRecord& r = row.r;
  row.table.cell({.text = r.matrix_name,
                  .ink = row.ui.look.palette->ink,
                  .face = Face::ui,
                  .help = r.request.matrix,
                  .second = r.device_name.empty() ? r.request.device : r.device_name});
}

void RunsPanel::time_cell(const Row& row) {
  const auto noise = noise_of_time(row.r);
  const bool told = size_ == Size::whole && noise && *noise > 0;
  row.table.cell(
      {.text = real_text(row.r.time.value),
       .ink = row.ui.look.palette->ink,
       .help = from_text(row.r.time.provenance) + interval_line(row.r) + "\n" + plot::with_micro(row.r.time_how),
       .from = row.r.time.provenance,
       .second = told ? "\xC2\xB1" + real_text(*noise, 2) + " %" : ""});
}

void RunsPanel::speed_cell(const Row& row) {
  const Quantity& speed = row.r.gflops;
  row.table.cell({.text = real_text(speed.value),
                  .ink = row.ui.look.palette->ink,
                  .help = from_text(speed.provenance),
                  .from = speed.provenance});
}

template <Level L>
void RunsPanel::share_cell(const Row& row) {
  const Palette& p = *row.ui.look.palette;
  const auto* point = row.s.point(row.r.id, L);
  if (!point || point->roof_gflops <= 0)
    return row.table.text(kDash, p.muted, Face::mono,
                          point ? "This device has no such roof." : "The run does not know its bytes at this level.");
  const double share = 100 * point->gflops / point->roof_gflops;
  row.table.text(share < 0.1 ? "<0.1" : real_text(share, 2), p.ink, Face::mono,
                 std::string(name_of(L)) + ": " + real_text(point->gbs) + " GB/s, " + real_text(point->intensity) +
                     " flop/B, " + warpspy::name_of(point->provenance) + ".\nLimit: " + point->limit);
}

void RunsPanel::note_cell(const Row& row) {
  const auto& [s, ui, table, kept, r, from, to] = row;
  const Look& l = ui.look;
  const float room = table.next(kept.note);
  if (edited_ == r.id) return edit_note(l, ui, kept, room);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("note", ImVec2(room, l.u(kRow)))) edited_ = r.id, note_ = kept.note, focus_ = true;
  const bool hot = ImGui::IsItemHovered();
  auto* list = ImGui::GetWindowDrawList();
  if (kept.note.empty()) {
    if (hot) draw_text(l, list, at, Face::ui, 13, l.palette->muted, "write a note", room);
    return;
  }
  draw_text(l, list, at, Face::ui, 13, l.palette->ink, kept.note, room);
  tip(l, kept.note);
}

// Enter or a click elsewhere saves the note; Escape does not.
void RunsPanel::edit_note(const Look& l, Ui& ui, const SavedRun& kept, float width) {
  const FontScope font(*l.fonts, Face::ui, 13);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(l.u(4), l.u(1)));
  ImGui::SetNextItemWidth(width);
  ImGui::InputTextWithHint("##note", "a note, kept with the run", &note_);
  text_stop(l, "##note", std::exchange(focus_, false));
  ImGui::PopStyleVar();
  if (!ImGui::IsItemDeactivated()) return;
  if (note_ != kept.note) ui.out(SetNote{kept.record->id, note_});
  edited_ = 0;
}

void RunsPanel::remove_cell(const Row& row) {
  const auto& [s, ui, table, kept, r, from, to] = row;
  table.next();
  if (!s.list.all) {
    if (cross_button(ui.look, "remove", "Takes this run off the list; it stays among all runs"))
      ui.out(RemoveRun{r.id});
    return;
  }
  if (cross_button(ui.look, "remove", "Remove this run for good")) ImGui::OpenPopup("sure");
  if (!ImGui::BeginPopup("sure")) return;
  if (ImGui::MenuItem("Remove for good")) ui.out(ForgetRun{r.id});
  end_popup();
}

}  // namespace warpspy::ui
