#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/numbers.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/views/studies_tab.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/flow.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

struct StudyBudget {
  std::uint64_t seconds;
  const char* words;
};
constexpr StudyBudget kStudyBudgets[] = {{60, "1 min"}, {600, "10 min"}, {0, "no limit"}};

std::size_t stand_ins_of(const Study& s) {
  return static_cast<std::size_t>(std::count_if(s.matrices.begin(), s.matrices.end(), [](const auto& m) {
    return m.second.kind == StudyMatrix::Kind::stand_in;
  }));
}

void study_button(const AppState& s, Ui& ui, const OpenStudy& study, Flow& flow) {
  const Look& l = ui.look;
  const StudiesShown& v = s.studies;
  const bool runs = v.running == study.study->id;
  ImGui::SetCursorScreenPos(flow.next(l.u(88), l.u(10)));
  if (runs) {
    if (button(l, "Stop", Weight::plain, l.u(88))) ui.out(SteerStudy{SteerStudy::To::stop});
    return tip(l, "Stops the product under way. What has run is kept, and Run goes on there.");
  }
  const bool goes_on = study.done > 0 && study.done < study.products;
  if (button(l, goes_on ? "Go on" : "Run", Weight::primary, l.u(88), v.running.empty()))
    ui.out(SteerStudy{SteerStudy::To::run});
  tip(l, v.running.empty()
             ? "Models every product on the paper's own GPU, counts what is counted, and judges each cell. "
               "It takes: " +
                   cost_text(v.results, study.study->id, study.products) + ". A run asked for meanwhile comes next."
             : "The study " + v.running + " is under way: stop it first.");
}

void budget_choice(const AppState& s, Ui& ui, Flow& flow) {
  const Look& l = ui.look;
  std::vector<std::string> words;
  int chosen = -1;
  for (const StudyBudget& b : kStudyBudgets) {
    if (b.seconds == s.studies.budget_s) chosen = static_cast<int>(words.size());
    words.emplace_back(b.words);
  }
  const ImVec2 at = flow.next(segments_width(l, words), l.u(10));
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(3)));
  const int picked = segments(l, "budget", words, chosen);
  tip(l,
      "No product begins once they have taken so long; what is left runs the next time. Products that have run before "
      "take none of it.");
  if (picked >= 0) ui.out(choose("study seconds", kStudyBudgets[picked].seconds));
}

void here_choice(const AppState& s, Ui& ui, Flow& flow) {
  const Look& l = ui.look;
  const DeviceInfo* d = s.device();
  if (!d) return;
  const std::string words = "Also on " + d->name;
  const ImVec2 at = flow.next(toggle_width(l, words), l.u(10));
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(3)));
  if (toggle(l, words, s.studies.here, d->available)) ui.out(choose("study here", !s.studies.here));
  tip(l, d->available
             ? "Runs every product on the device of the run panel too: orders, ratios and winners are held there. "
               "Rates are, where it is the paper's GPU."
             : d->reason);
}

void out_buttons(Ui& ui, const OpenStudy& study, Flow& flow) {
  const Look& l = ui.look;
  struct Way {
    const char *label, *help;
    std::string (*text)(const StudyReport&);
  };
  static constexpr Way kWays[] = {
      {"Copy CSV", "Every cell with verdict and reason, as CSV.", to_csv},
      {"LaTeX", "The table for LaTeX (booktabs, longtable).", to_latex},
      {"Deviations", "Every cell that differs, and why, as Markdown.", deviations_of},
  };
  const auto next = [&](const char* label) {
    ImGui::SetCursorScreenPos(flow.next(text_width(l, Face::ui, 15, label) + l.u(24), l.u(2)));
    return button(l, label, Weight::quiet, 0, study.report != nullptr);
  };
  if (next("Export...")) ui.out(ShowExport{"study"});
  tip(l, "Printed against made again, as SVG, PDF or PNG; the numbers as CSV or JSON.");
  for (const Way& w : kWays) {
    if (next(w.label)) ui.out(CopyText{w.text(*study.report)});
    tip(l, std::string(w.help) + " To the clipboard.");
  }
  if (next("Bundle")) ui.out(SaveStudy{study.study->id + "-bundle"});
  tip(l,
      "A new folder " + study.study->id +
          "-bundle for who evaluates the paper: the study, one command for each claim with tolerance and verdict, the "
          "results, the deviations. As warpspy study run " +
          study.study->id + " -o DIR does.");
}

// Before it runs, how long it takes; while it runs, its progress; afterwards, how it ended.
void study_progress(const AppState& s, const Look& l, const OpenStudy& study) {
  const StudiesShown& v = s.studies;
  if (v.running == study.study->id) {
    const double share = v.of > 0 ? static_cast<double>(v.done) / static_cast<double>(v.of) : 0;
    std::string text = std::to_string(v.done) + " of " + counted(static_cast<index_t>(v.of), "product");
    if (v.done > 0 && v.seconds > 1 && v.done < v.of)
      text +=
          ", " + duration_text(v.seconds / static_cast<double>(v.done) * static_cast<double>(v.of - v.done)) + " left";
    caption(l, text + "; " + v.now);
    progress_bar(l, ImGui::GetContentRegionAvail().x, share);
    return;
  }
  std::string text = "Takes: " + cost_text(v.results, study.study->id, study.products) + ".";
  if (study.done > 0) text += " " + std::to_string(study.done) + " of them have run.";
  if (!v.said.empty()) text += " " + v.said;
  caption(l, text);
}

std::string cell_unit(const StudyCell& c) { return c.unit == "1" ? "" : c.unit == "us" ? "\xC2\xB5s" : c.unit; }

// The number of value_text(), with thousands as the printed number has them.
std::string made_text(const StudyCell& c, const Judged& j) {
  const std::optional<double>& v = j.here.value;
  const bool count = v && c.claim != Claim::winner && std::abs(*v) < 1e15 && *v == std::floor(*v);
  return count ? count_text(static_cast<index_t>(*v)) : value_text(c, j);
}

}  // namespace

void draw_study_head(const AppState& s, Ui& ui, const OpenStudy& study) {
  const Look& l = ui.look;
  const Study& of = *study.study;
  const float width = ImGui::GetContentRegionAvail().x;
  if (button(l, "All studies", Weight::quiet)) ui.out(choose("study", ""));
  tip(l, "The list of all studies.");
  ImGui::SameLine();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float left = width - (at.x - ImGui::GetWindowPos().x);
  draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x + l.u(6), at.y + l.u(4)), Face::bold, 15, l.palette->ink,
            of.title, left - l.u(8));
  ImGui::NewLine();
  caption(l, source_text(of) + (of.set_aside ? "; set aside by lot" : ""));
  std::string notes;
  for (const std::string& note : of.notes) notes += (notes.empty() ? "" : "\n") + note;
  if (!notes.empty()) tip(l, notes);
  gap(l, 4);
  Flow flow(ImGui::GetCursorScreenPos(), width, l.u(34));
  const ImVec2 line = ImGui::GetCursorScreenPos();
  study_button(s, ui, study, flow);
  budget_choice(s, ui, flow);
  here_choice(s, ui, flow);
  out_buttons(ui, study, flow);
  ImGui::SetCursorScreenPos(ImVec2(line.x, line.y + flow.height()));
  study_progress(s, l, study);
  if (const std::size_t n = stand_ins_of(of); n > 0 || !study.files.empty()) {
    std::string text;
    if (n > 0)
      text = counted(static_cast<index_t>(n), "stand-in") +
             ": the paper's own files take their place when they are dropped here.";
    for (const auto& [matrix, file] : study.files) text += (text.empty() ? "" : " ") + matrix + " is " + file + ".";
    caption(l, text);
    tip(l,
        "A stand-in is another matrix with printed facts of the paper's, and never called reproduced. A file takes its "
        "place when it has the paper's size, and its numbers where their hash is known; a file is known by its name or "
        "by its "
        "size.");
  }
  if (!study.verdicts.empty()) {
    gap(l, 2);
    label(l, Face::ui, 14, l.palette->ink, study.verdicts);
    tip(l, study.summary);
  }
  gap(l, 4);
}

void draw_study_cells(const AppState& s, Ui& ui, const OpenStudy& study, ImVec2 size, std::size_t& seen) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  const StudyReport* r = study.report.get();
  const bool here = r && !r->here.empty();
  std::vector<TableColumn> columns = {
      {.name = "Cell", .share = 1.4f, .inset = 6},
      {.name = "Printed", .width = 78, .right = true},
      {.name = "Made again",
       .help = "Modelled on the paper's own GPU, or derived from the matrix alone: the mark says which",
       .width = 78,
       .right = true}};
  if (here) columns.push_back({.name = "Here", .help = "On " + r->device, .width = 78, .right = true});
  columns.push_back({.name = "Unit", .width = 58, .inset = 6});
  columns.push_back({.name = "Verdict",
                     .help = "Of the number made again; why stands below, and behind the row",
                     .share = 1.6f,
                     .inset = 6});
  // Whole rows, so that none is cut; a list that scrolls to its end may still begin with a part of one.
  constexpr float row_height = 34 + 2 * 2, head_height = 12 + 12;
  const float rows = std::floor((size.y - l.u(head_height)) / l.u(row_height));
  if (rows >= 1) size.y = l.u(head_height) + rows * l.u(row_height);
  Table table(l, "cells", std::move(columns), size, {.pad_x = 4, .pad_y = 2, .row = 34, .head = 12, .least_share = 80});
  if (!table) return;
  table.head();
  if (s.studies.cell > 0 && std::exchange(seen, s.studies.cell) != s.studies.cell)
    table.show_place(static_cast<int>(s.studies.cell) - 1);
  table.rows(static_cast<int>(study.study->cells.size()), [&](int place) {
    const auto k = static_cast<std::size_t>(place);
    const StudyCell& c = study.study->cells[k];
    ImGui::PushID(place);
    table.row(s.studies.cell == k + 1);
    if (table.pick()) ui.out(choose("study cell", k + 1));
    const std::string foot = c.footnote.empty() ? c.quote : c.footnote;
    table.cell({.text = c.row, .ink = p.ink, .face = Face::ui, .help = foot, .second = c.column});
    table.text(printed_text(c) + (c.footnote.empty() ? "" : "*"), p.ink, Face::mono, foot);
    const auto made = [&](const Judged& j) {
      Cell cell{.text = made_text(c, j), .ink = p.ink, .help = j.reason};
      if (j.here.value) cell.from = j.here.provenance;
      table.cell(cell);
    };
    if (r)
      made(r->modelled[k]);
    else
      table.text("", p.muted);
    if (here) made(r->here[k]);
    table.text(cell_unit(c), p.muted, Face::ui);
    if (!r) return ImGui::PopID(), table.text("", p.muted);
    const Judged& j = r->modelled[k];
    const std::string there = here ? "; here: " + verdict_text(r->here[k]) : "";
    table.cell({.text = std::string(sign_of(j.verdict)) + " " + verdict_text(j) + there,
                .ink = ink_of(j.verdict, p),
                .face = Face::ui,
                .help = verdict_text(j) + ": " + j.reason + (here ? "\nHere: " + r->here[k].reason : ""),
                .second = j.reason,
                .second_ink = p.muted});
    ImGui::PopID();
  });
}

void draw_study_cell(const AppState& s, Ui& ui, const OpenStudy& study) {
  const Look& l = ui.look;
  const std::size_t at = s.studies.cell;
  if (at == 0 || at > study.study->cells.size()) return;
  const StudyCell& c = study.study->cells[at - 1];
  const StudyReport* r = study.report.get();
  label(l, Face::bold, 14, l.palette->ink, c.name());
  if (r) {
    const Judged& j = r->modelled[at - 1];
    const std::string unit = cell_unit(c).empty() ? "" : " " + cell_unit(c);
    std::string text = "Printed " + printed_text(c) + unit;
    const char* how = j.here.value ? warpspy::name_of(j.here.provenance) : "made again";
    if (!value_text(c, j).empty()) text += std::string(", ") + how + " " + made_text(c, j) + unit;
    paragraph(l, ink_of(j.verdict, *l.palette), text + ": " + verdict_text(j) + "; " + j.reason + ".");
    const std::string why = explanation_of(c, j);
    if (!why.empty() && j.reason.find(why) == std::string::npos) paragraph(l, l.palette->ink, "Why: " + why + ".");
    struct Way {
      const char *label, *help;
      StudyWay way;
    };
    constexpr Way kWays[] = {{"Its run", "Opens the matrix and selects the run that tells this number.", StudyWay::run},
                             {"Its warp", "The warp of that run with the most sectors, step by step.", StudyWay::warp},
                             {"What limits it", "What the model says holds this run back.", StudyWay::why}};
    for (const bool here : {false, true}) {
      if (here && (r->here.empty() || !r->here[at - 1].here.run)) continue;
      for (const Way& w : kWays) {
        const std::string label = here ? std::string(w.label) + " here" : w.label;
        if (button(l, label, w.way == StudyWay::run ? Weight::plain : Weight::quiet, 0, here || j.here.run != nullptr))
          ui.out(FollowStudyCell{w.way, here});
        tip(l, here || j.here.run ? w.help : "No run is behind this number.");
        ImGui::SameLine();
      }
    }
    ImGui::NewLine();
  }
  caption(l, "Made again as: " + recipe_text(c) + (tolerance_text(c).empty() ? "" : ". Agrees: " + tolerance_text(c)));
  if (!c.quote.empty()) paragraph(l, l.palette->muted, "\xE2\x80\x9C" + c.quote + "\xE2\x80\x9D");
  if (!c.footnote.empty()) caption(l, "* " + c.footnote);
}

}  // namespace warpspy::ui
