#include <imgui.h>

#include <string>
#include <vector>

#include "ui/state/choice_rows.hpp"
#include "ui/views/studies_tab.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// A paper, or one of its studies.
struct StudyLine {
  const OpenStudy* study = nullptr;
  std::string paper;
};

std::vector<StudyLine> study_lines(const StudiesShown& v) {
  std::vector<StudyLine> lines;
  std::string paper;
  for (const OpenStudy& s : v.all) {
    if (s.study->source.paper != paper) lines.push_back({nullptr, paper = s.study->source.paper});
    lines.push_back({&s, paper});
  }
  return lines;
}

// The verdicts of this session; else those of the kept results; else the study's state.
std::string verdicts_of(const StudiesShown& v, const OpenStudy& s) {
  if (v.running == s.study->id) return "running";
  if (!s.verdicts.empty()) return s.verdicts;
  if (const auto kept = v.results.studies.find(s.study->id); kept != v.results.studies.end()) {
    std::string text;
    for (int k = 0; k < kVerdicts; ++k)
      if (const int n = kept->second.verdicts[static_cast<std::size_t>(k)]; n > 0)
        text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + name_of(static_cast<CellVerdict>(k));
    return text + " (kept)";
  }
  return s.study->set_aside ? "set aside" : "not run yet";
}

void study_row(const StudiesShown& v, Ui& ui, Table& table, const OpenStudy& s) {
  const Palette& p = *ui.look.palette;
  table.row(v.running == s.study->id);
  if (table.pick(("##" + s.study->id).c_str())) ui.out(choose("study", s.study->id));
  tip(ui.look, s.study->title + "\n" + source_text(*s.study) + "\n" + cost_text(v.results, s.study->id, s.products) +
                   (s.study->set_aside ? "\nSet aside by lot: looked at when the model is done, so that it can say "
                                         "something about it."
                                       : ""));
  table.text(s.study->source.place, p.ink, Face::ui);
  table.text(s.study->title, p.ink, Face::ui, s.study->title);
  table.text(std::to_string(s.study->cells.size()), p.ink);
  table.text(std::to_string(s.products), p.ink);
  const std::string verdicts = verdicts_of(v, s);
  table.text(verdicts, s.verdicts.empty() ? p.muted : p.ink, Face::ui, verdicts);
}

}  // namespace

void draw_study_list(const AppState& s, Ui& ui, ImVec2 size) {
  const Look& l = ui.look;
  const StudiesShown& v = s.studies;
  Table table(
      l, "studies",
      {{.name = "Place", .width = 112, .inset = 6},
       {.name = "What it shows", .share = 1.5f},
       {.name = "Cells", .help = "Printed numbers and claims", .width = 46, .right = true},
       {.name = "Products", .help = "That are modelled for it", .width = 64, .right = true},
       {.name = "Came to", .help = "Verdicts of its cells, modelled on the paper's GPU", .share = 1.4f, .inset = 10}},
      size, {.pad_x = 4, .row = 18, .least_share = 80, .follows = false});
  if (!table) return;
  table.head();
  const std::vector<StudyLine> lines = study_lines(v);
  table.rows(static_cast<int>(lines.size()), [&](int place) {
    const StudyLine& line = lines[static_cast<std::size_t>(place)];
    if (line.study) return study_row(v, ui, table, *line.study);
    table.row();
    table.text("", l.palette->ink);
    table.text(line.paper, l.palette->ink, Face::bold);
    table.skip(3);
  });
}

}  // namespace warpspy::ui
