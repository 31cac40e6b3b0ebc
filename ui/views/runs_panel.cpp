#include "ui/views/runs_panel.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/platform/compat.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr float kRow = 33;  // two lines

// A number with its provenance mark, right-aligned in the cell.
void number(const Look& l, const std::string& text, std::optional<Provenance> from, Color ink) {
  const float mark = from ? l.u(12) : 0, w = text_width(l, Face::mono, 13, text);
  const float room = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  auto* list = ImGui::GetWindowDrawList();
  draw_text(l, list, ImVec2(at.x + room - mark - w, at.y), Face::mono, 13, ink, text);
  if (from) draw_provenance(l, list, ImVec2(at.x + room - l.u(4), at.y + l.u(8)), l.u(3.5f), *from, l.palette->muted);
  ImGui::Dummy(ImVec2(room, l.u(17)));
  if (from)
    tip(l, std::string(warpspy::name_of(*from)) +
               (*from == Provenance::measured  ? ": read from a timer or a hardware counter."
                : *from == Provenance::derived ? ": computed from measured numbers."
                                               : ": from the emulator or a formula, not measured."));
}

// Small text below the number that was just drawn.
void under(const Look& l, const std::string& text, Color ink) {
  const ImVec2 at = ImGui::GetItemRectMin();
  const float room = ImGui::GetItemRectSize().x, w = text_width(l, Face::ui, 12, text);
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + std::max(0.f, room - w), at.y + l.u(17)), Face::ui, 12, ink,
            text, room + 1);
}

// Two lines from the left, the second quieter.
void two_lines(const Look& l, const std::string& first, const std::string& second) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  auto* list = ImGui::GetWindowDrawList();
  draw_text(l, list, at, Face::ui, 13, l.palette->ink, first, room);
  draw_text(l, list, ImVec2(at.x, at.y + l.u(17)), Face::ui, 12, l.palette->muted, second, room);
  ImGui::Dummy(ImVec2(std::max(1.f, room), l.u(kRow)));
}

void header_cell(const Look& l, const char* name, const char* unit, const char* help, bool right) {
  ImGui::TableNextColumn();
  const std::string text = *unit ? std::string(name) + " " + unit : name;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  const float w = text_width(l, Face::ui, 12, text);
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(right ? at.x + std::max(0.f, room - w) : at.x, at.y), Face::ui, 12,
            l.palette->muted, text, room);
  ImGui::Dummy(ImVec2(room, l.u(16)));
  tip(l, help);
}

std::string kernel_text(const RunRecord& r) { return r.kernel_label.empty() ? r.request.kernel : r.kernel_label; }

std::string details_text(const AppState& s, const RunRecord& r) {
  std::string text = kernel_text(r) + "\n" + params_text(s, r) + "\n" + r.matrix_name + " on " + r.device_name + "\n" +
                     r.started + "\n" + r.time_how;
  if (r.sampled_share < 1)
    text += std::string("\nEmulated ") + percent_text(r.sampled_share) + " of the blocks (" + name_of(r.request.depth) +
            " depth).";
  if (r.check)
    text += std::string("\nResult ") + verdict_of(*r.check) + ": largest error " + real_text(r.check->max_of_bound, 3) +
            " of the bound.";
  for (const auto& n : r.notes) text += "\n" + n;
  return text;
}

// "2026-11-21T19:30:00Z" as day and time.
std::pair<std::string, std::string> day_and_time(const std::string& started) {
  if (started.size() < 16) return {started, ""};
  return {started.substr(0, 10), started.substr(11, 5)};
}

// A filter with a few words to choose from, "any" first.
bool pick(const Look& l, const char* id, const std::string& any, const std::vector<std::string>& words, float width,
          std::string& chosen) {
  std::vector<Choice> choices = {{any, "", true, ""}};
  int now = 0;
  for (std::size_t k = 0; k < words.size(); ++k) {
    choices.push_back({words[k], "", true, ""});
    if (words[k] == chosen) now = static_cast<int>(k) + 1;
  }
  ImGui::BeginChild(id, ImVec2(width, l.u(26)), false, ImGuiWindowFlags_NoScrollbar);
  const int picked = choose(l, id, choices, now);
  ImGui::EndChild();
  if (picked < 0) return false;
  chosen = picked == 0 ? "" : words[static_cast<std::size_t>(picked) - 1];
  return true;
}

}  // namespace

struct RunsPanel::Row {
  const AppState& s;
  Ui& ui;
  const KeptRun& kept;
  const RunRecord& r;
  ImVec2 from, to;  // the table's corners on the screen
};

struct RunsPanel::Column {
  const char *name, *unit, *help;
  float width;  // 0: stretches
  bool right;
  bool beside;     // also in the small table
  bool of_result;  // empty for a run that failed
  void (RunsPanel::*cell)(const Row&);
};

const RunsPanel::Column RunsPanel::columns[] = {
    {"#", "", "The run's number: in exports, and for warpspy runs on the command line.", 46, true, true, false,
     &RunsPanel::number_cell},
    {"Started", "UTC", "", 78, false, false, false, &RunsPanel::started_cell},
    {"Kernel", "", "Kernel, precision and parameters; in the small table the matrix too.", 0, false, true, false,
     &RunsPanel::kernel_cell},
    {"Matrix, device", "", "", 0, false, false, false, &RunsPanel::matrix_cell},
    {"Time", "\xC2\xB5s", "One product y = A x; below it, in the large table, the noise of its samples.", 62, true,
     true, true, &RunsPanel::time_cell},
    {"GFLOP/s", "", "2 nnz / time: one multiplication and one addition per entry.", 62, true, true, true,
     &RunsPanel::speed_cell},
    {"L1", "%", "Share of the L1 roof: GFLOP/s over min(intensity x bandwidth, peak) at that level.", 30, true, true,
     true, &RunsPanel::share_cell<Level::l1>},
    {"L2", "%", "Share of the L2 roof.", 30, true, true, true, &RunsPanel::share_cell<Level::l2>},
    {"DRAM", "%", "Share of the DRAM roof.", 48, true, true, true, &RunsPanel::share_cell<Level::dram>},
    {"   Note", "", "Yours: click to write, Enter keeps it.", 0, false, false, false, &RunsPanel::note_cell},
    {"", "", "", 16, true, true, false, &RunsPanel::remove_cell},
};

std::string params_text(const AppState& s, const RunRecord& r) {
  std::string text;
  const auto add = [&](const std::vector<ParamSpec>& specs, const ParamSet& set) {
    for (const auto& p : specs) {
      const auto v = set.find(p.id);
      if (v == set.end()) continue;
      text += (text.empty() ? "" : ", ") + p.id + " " + value_text(p, v->second);
    }
  };
  if (const auto* k = s.catalog->kernel(r.request.kernel)) add(k->params, r.request.params);
  if (const auto* f = s.catalog->format(r.format)) add(f->params, r.request.format_params);
  return text;
}

void RunsPanel::draw(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  head(s, ui, origin, size.x);
  float used = l.u(24);
  if (size_ == Size::whole) {
    ImGui::SetCursorScreenPos(ImVec2(origin.x, origin.y + used));
    filters(s, ui, size.x);
    used += l.u(34);
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
  if (empty_state(l, "No runs yet",
                  "Run a kernel on the matrix: its time, speed and share of each roof are listed here, and kept.",
                  s.can_run() ? "Run (F5)" : ""))
    ui.out(StartRun{});
}

void RunsPanel::head(const AppState& s, Ui& ui, ImVec2 origin, float width) {
  const Look& l = ui.look;
  heading(l, "Runs",
          "Click a run to see its traffic. Ctrl+click or Shift+click others to compare them with it: arrows on the "
          "roofline, and a table of differences.");
  float x = origin.x + text_width(l, Face::bold, 13, "Runs") + l.u(12);
  ImGui::SetCursorScreenPos(ImVec2(x, origin.y - l.u(2)));
  const std::vector<std::string> which = {"this session", "all"};
  const int chosen = segments(l, "which runs", which, s.list.all ? 1 : 0);
  tip(l, "The runs since the window opened, or every run that was ever made here, from the command line too.");
  if (chosen >= 0 && (chosen == 1) != s.list.all) ui.out(ListRuns{chosen == 1, s.list.query});
  x += segments_width(l, which) + l.u(12);
  float right = origin.x + width;
  const auto at_right = [&](const char* words) {
    right -= text_width(l, Face::ui, 13, words) + l.u(16);
    ImGui::SetCursorScreenPos(ImVec2(right, origin.y - l.u(6)));
  };
  if (!s.list.all && !s.runs.all().empty()) {
    at_right("Clear");
    if (button(l, "Clear##runs", Weight::quiet)) ui.out(ClearRuns{});
    tip(l, "Takes every run off the list and the roofline. They stay among all runs.");
  }
  if (s.run(s.selected_run) && size_ == Size::whole) {
    at_right("Repeat");
    if (button(l, "Repeat##run", Weight::quiet)) ui.out(RepeatRun{s.selected_run});
    tip(l, "Runs again exactly what the selected run was, on its own matrix and device, and compares the two.");
  }
  std::string text;
  if (s.comparison) {
    if (size_ == Size::beside) {
      at_right("Differences");
      if (button(l, "Differences##runs", Weight::quiet)) ui.out(ShowTab{"runs"});
      tip(l, "Shows what differs between the compared runs, in numbers.");
    }
    text = std::to_string(s.comparing.size()) + " compared";
  } else if (size_ == Size::whole && s.list.total > 0) {
    text = s.list.total > s.list.rows.size()
               ? "the newest " + std::to_string(s.list.rows.size()) + " of " + std::to_string(s.list.total)
               : std::to_string(s.list.total) + (s.list.total == 1 ? " run" : " runs");
    text += "; Ctrl+click compares";
  }
  if (!text.empty() && right - x > l.u(30))
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(x, origin.y + l.u(1)), Face::ui, 12, l.palette->muted, text,
              right - x - l.u(8));
}

void RunsPanel::filters(const AppState& s, Ui& ui, float width) {
  const Look& l = ui.look;
  HistoryQuery q = s.list.query;
  bool changed = false;
  if (!typing_) words_ = q.text;
  const float gap_x = l.u(8), field = std::floor((width - 4 * gap_x - l.u(130)) / 4);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  {
    const FontScope font(*l.fonts, Face::ui, 13);
    ImGui::SetNextItemWidth(std::max(l.u(40), field));
    if (ImGui::InputTextWithHint("##words", "filter by words, notes too", &words_)) q.text = words_, changed = true;
    typing_ = ImGui::IsItemActive();
  }
  const auto next = [&](int k) {
    ImGui::SetCursorScreenPos(ImVec2(at.x + static_cast<float>(k) * (field + gap_x), at.y));
  };
  const RunList& list = s.list;
  next(1);
  changed |= pick(l, "kernel", "every kernel", list.words.kernels, field, q.kernel);
  next(2);
  changed |= pick(l, "device", "every device", list.words.devices, field, q.device);
  next(3);
  changed |= pick(l, "matrix", "every matrix", list.words.matrices, field, q.matrix);
  next(4);
  ImGui::SetCursorScreenPos(ImVec2(ImGui::GetCursorScreenPos().x, at.y + l.u(3)));
  const int now = !q.precision ? 0 : *q.precision == Precision::f32 ? 1 : 2;
  const int precision = segments(l, "precision", {"any", "f32", "f64"}, now);
  if (precision >= 0 && precision != now) {
    q.precision = precision == 0   ? std::nullopt
                  : precision == 1 ? std::optional(Precision::f32)
                                   : std::optional(Precision::f64);
    changed = true;
  }
  if (changed) ui.out(ListRuns{list.all, q});
}

void RunsPanel::table(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  const auto shown = [&](const Column& c) { return size_ == Size::whole || c.beside; };
  const int count = static_cast<int>(std::count_if(std::begin(columns), std::end(columns), shown));
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(l.u(3), l.u(3)));
  const auto flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoPadOuterX;
  if (!ImGui::BeginTable("runs", count, flags, ImVec2(size.x, std::max(l.u(40), size.y)))) {
    ImGui::PopStyleVar();
    return;
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const Column& c : columns)
    if (shown(c))
      ImGui::TableSetupColumn(c.name,
                              c.width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
                              c.width > 0 ? l.u(c.width) : 1.f);
  ImGui::TableNextRow();
  for (const Column& c : columns)
    if (shown(c)) header_cell(l, c.name, c.unit, c.help, c.right);
  for (const KeptRun& kept : s.list.rows) {
    const Row row{s, ui, kept, *kept.record, from, ImVec2(from.x + size.x, from.y + size.y)};
    const RunRecord& r = row.r;
    ImGui::PushID(number_text(r.id).c_str());
    ImGui::TableNextRow();
    bool first = true, said = false;
    for (const Column& c : columns) {
      if (!shown(c)) continue;
      ImGui::TableNextColumn();
      if (std::exchange(first, false)) {
        if (r.id == s.selected_run || s.compared_as(r.id) >= 0)
          ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, u32(p.select));
        const ImVec2 start = ImGui::GetCursorPos();
        if (ImGui::Selectable("##row", false, ImGuiSelectableFlags_SpanAllColumns | kSelectableOverlap,
                              ImVec2(0, l.u(kRow))))
          click(s, ui, r.id);
        menu(row);
        ImGui::SetCursorPos(start);
      }
      if (c.of_result && r.status != RunStatus::ok) {
        if (std::exchange(said, true)) continue;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        draw_text(l, ImGui::GetWindowDrawList(), at, Face::bold, 13, p.error, "\xE2\x9C\x97 failed");
        ImGui::Dummy(ImVec2(ImGui::GetContentRegionAvail().x, l.u(17)));
        tip(l, r.error);
        continue;
      }
      (this->*c.cell)(row);
    }
    ImGui::PopID();
  }
  if (s.list.total > s.list.rows.size()) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TableNextColumn();
    if (size_ == Size::whole) ImGui::TableNextColumn();
    if (button(l, "Show more", Weight::quiet)) {
      HistoryQuery q = s.list.query;
      q.limit += 200;
      ui.out(ListRuns{s.list.all, q});
    }
  }
  ImGui::EndTable();
  ImGui::PopStyleVar();
}

// Ctrl adds to what is compared or takes away; Shift takes all up to here; a plain click selects one.
void RunsPanel::click(const AppState& s, Ui& ui, std::uint64_t run) const {
  std::vector<std::uint64_t> ids;
  for (const auto& r : s.comparing) ids.push_back(r->id);
  if (ids.empty() && s.run(s.selected_run)) ids.push_back(s.selected_run);
  const auto& io = ImGui::GetIO();
  if (ids.empty() || (!io.KeyCtrl && !io.KeyShift)) return ui.out(SelectRun{run});
  if (io.KeyCtrl) {
    const auto at = std::find(ids.begin(), ids.end(), run);
    if (at == ids.end())
      ids.push_back(run);
    else
      ids.erase(at);
    return ui.out(CompareRuns{ids});
  }
  const auto place = [&](std::uint64_t id) {
    return std::find_if(s.list.rows.begin(), s.list.rows.end(), [&](const KeptRun& k) { return k.record->id == id; });
  };
  auto a = place(ids.front()), b = place(run);
  if (a == s.list.rows.end()) return ui.out(CompareRuns{{ids.front(), run}});
  ids.resize(1);
  const int step = a < b ? 1 : -1;
  while (a != b) ids.push_back((a += step)->record->id);
  ui.out(CompareRuns{ids});
}

void RunsPanel::menu(const Row& row) {
  const auto& [s, ui, kept, r, from, to] = row;
  if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(1)) {
    if (s.compared_as(r.id) < 0) ui.out(SelectRun{r.id});
    ImGui::OpenPopup("menu");
  }
  if (!ImGui::BeginPopup("menu")) return;
  if (ImGui::MenuItem("Repeat")) ui.out(RepeatRun{r.id});
  if (ImGui::MenuItem("Write a note\xE2\x80\xA6")) edited_ = r.id, note_ = kept.note, focus_ = true;
  if (s.compared_as(r.id) > 0 && ImGui::MenuItem("Compare with this one")) {
    std::vector<std::uint64_t> ids = {r.id};
    for (const auto& other : s.comparing) ids.push_back(other->id);
    ui.out(CompareRuns{ids});
  }
  if (ImGui::MenuItem("Copy as JSON")) ui.out(CopyText{to_json(r)});
  if (ImGui::MenuItem("Copy as CSV")) ui.out(CopyText{to_csv({r})});
  if (ImGui::MenuItem("Show traffic")) ui.out(ShowTab{"traffic"});
  if (!s.list.all && ImGui::MenuItem("Take off the list")) ui.out(RemoveRun{r.id});
  if (ImGui::MenuItem("Remove for good")) ui.out(ForgetRun{r.id});
  ImGui::EndPopup();
}

void RunsPanel::number_cell(const Row& row) {
  const auto& [s, ui, kept, r, from, to] = row;
  const Look& l = ui.look;
  number(l, number_text(r.id), {}, l.palette->muted);
  const int place = s.compared_as(r.id);
  if (place < 0 || !s.comparison) return;
  const Delta& speed = s.comparison->rows[1].runs[static_cast<std::size_t>(place)];  // time, then speed
  under(l, place == 0 ? "base" : speed.percent ? signed_percent(*speed.percent) : "", l.palette->ink);
}

void RunsPanel::started_cell(const Row& row) {
  const auto [day, time] = day_and_time(row.r.started);
  two_lines(row.ui.look, day, time);
}

void RunsPanel::kernel_cell(const Row& row) {
  const auto& [s, ui, kept, r, from, to] = row;
  const Look& l = ui.look;
  const std::string params = params_text(s, r);
  std::string second = std::string(warpspy::name_of(r.request.precision)) + (params.empty() ? "" : ", " + params);
  if (size_ == Size::whole) {
    two_lines(l, kernel_text(r), second);
    return tip(l, details_text(s, r));
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  auto* list = ImGui::GetWindowDrawList();
  draw_text(l, list, at, Face::ui, 13, l.palette->ink, kernel_text(r), room);
  const float width = to.x - at.x - l.u(24);
  if (edited_ == r.id) {
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(16)));
    return edit_note(l, ui, kept, width);
  }
  // The second line runs below the numbers, across their columns.
  list->PushClipRect(from, to, false);
  second = r.matrix_name + ": " + second;
  if (!kept.note.empty()) second = "\xE2\x80\x9C" + kept.note + "\xE2\x80\x9D  " + second;
  draw_text(l, list, ImVec2(at.x, at.y + l.u(17)), Face::ui, 12, l.palette->muted, second, width);
  list->PopClipRect();
  ImGui::Dummy(ImVec2(room, l.u(kRow)));
  tip(l, details_text(s, r));
}

void RunsPanel::matrix_cell(const Row& row) {
  two_lines(row.ui.look, row.r.matrix_name, row.r.device_name.empty() ? row.r.request.device : row.r.device_name);
  tip(row.ui.look, row.r.request.matrix);
}

void RunsPanel::time_cell(const Row& row) {
  const Look& l = row.ui.look;
  number(l, real_text(row.r.time.value), row.r.time.provenance, l.palette->ink);
  tip(l, row.r.time_how);
  const auto noise = noise_of_time(row.r);
  if (size_ == Size::whole && noise && *noise > 0) under(l, "\xC2\xB1" + real_text(*noise, 2) + " %", l.palette->muted);
}

void RunsPanel::speed_cell(const Row& row) {
  number(row.ui.look, real_text(row.r.gflops.value), row.r.gflops.provenance, row.ui.look.palette->ink);
}

template <Level L>
void RunsPanel::share_cell(const Row& row) {
  const Look& l = row.ui.look;
  const auto* point = row.s.point(row.r.id, L);
  if (!point || point->roof_gflops <= 0) {
    number(l, "\xE2\x80\x93", {}, l.palette->muted);
    return tip(l, point ? "This device has no such roof." : "The run does not know its bytes at this level.");
  }
  number(l, real_text(100 * point->gflops / point->roof_gflops, 2), {}, l.palette->ink);
  tip(l, std::string(name_of(L)) + ": " + real_text(point->gbs) + " GB/s, " + real_text(point->intensity) +
             " flop/B, " + warpspy::name_of(point->provenance) + ".\nLimit: " + point->limit);
}

void RunsPanel::note_cell(const Row& row) {
  const auto& [s, ui, kept, r, from, to] = row;
  const Look& l = ui.look;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + l.u(10));  // apart from the numbers before it
  const float room = std::max(1.f, ImGui::GetContentRegionAvail().x);
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

// Enter or a click elsewhere keeps it, Escape does not.
void RunsPanel::edit_note(const Look& l, Ui& ui, const KeptRun& kept, float width) {
  const FontScope font(*l.fonts, Face::ui, 13);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(l.u(4), l.u(1)));
  ImGui::SetNextItemWidth(width);
  if (std::exchange(focus_, false)) ImGui::SetKeyboardFocusHere();
  ImGui::InputTextWithHint("##note", "a note, kept with the run", &note_);
  ImGui::PopStyleVar();
  if (!ImGui::IsItemDeactivated()) return;
  if (note_ != kept.note) ui.out(SetNote{kept.record->id, note_});
  edited_ = 0;
}

void RunsPanel::remove_cell(const Row& row) {
  const auto& [s, ui, kept, r, from, to] = row;
  if (!s.list.all) {
    if (cross_button(ui.look, "remove", "Takes this run off the list; it stays among all runs"))
      ui.out(RemoveRun{r.id});
    return;
  }
  if (cross_button(ui.look, "remove", "Remove this run for good")) ImGui::OpenPopup("sure");
  if (!ImGui::BeginPopup("sure")) return;
  if (ImGui::MenuItem("Remove for good")) ui.out(ForgetRun{r.id});
  ImGui::EndPopup();
}

}  // namespace warpspy::ui
