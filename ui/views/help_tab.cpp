#include <imgui.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "ui/platform/compat.hpp"
#include "ui/views/roofline_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/terms.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

class HelpTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const float room = ImGui::GetContentRegionAvail().x;
    const bool two = room > l.u(620);
    const float width = two ? std::floor((room - l.u(40)) / 2) : room;
    const ImVec2 top = ImGui::GetCursorPos();
    ImGui::BeginGroup();
    shortcuts(s, ui, width);
    nvprof(s, ui, width);
    end_group();
    const float left_end = ImGui::GetCursorPosY();
    ImGui::SetCursorPos(two ? ImVec2(top.x + width + l.u(40), top.y) : ImVec2(top.x, left_end + l.u(16)));
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    legend(s, ui, width);
    ImGui::PopTextWrapPos();
    end_group();
    ImGui::SetCursorPosY(std::max(left_end, ImGui::GetCursorPosY()));
    ImGui::Dummy(ImVec2(1, 1));
  }

 private:
  static void shortcuts(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    heading(l, "Keys and mouse");
    const auto line = [&](const std::string& keys, const std::string& what) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      auto* list = ImGui::GetWindowDrawList();
      draw_text(l, list, at, Face::ui, 13, l.palette->ink, what, width - l.u(140));
      draw_text(l, list, ImVec2(at.x + width - text_width(l, Face::mono, 12, keys), at.y), Face::mono, 12,
                l.palette->muted, keys);
      ImGui::Dummy(ImVec2(width, l.u(15)));
    };
    for (const Command& c : ui.commands)
      if (const Chord keys = keys_of(s, c); keys.key != Key::none && c.menu != "Help") {
        const bool second = c.also.key != Key::none && !has_own_keys(s, c);
        line(label_of(keys) + (second ? " or " + label_of(c.also) : ""), c.label);
      }
    gap(l, 12);
    line("wheel", "Pattern: zoom at the mouse");
    line("drag", "Pattern: move");
    line("Shift+drag, right drag", "Pattern: zoom to a box");
    line("double-click", "Pattern: whole matrix");
    line("arrows, Home, End, Enter", "Pattern: go from cell to cell; mark its rows");
    line("Shift+arrows, PgUp, PgDn", "Pattern: further; a view down or up");
    line("plus, minus", "Pattern and roofline: zoom");
    line("click", "Row lengths: mark these rows in the pattern");
    line("click, Ctrl+click", "Roofline: select the run, copy its numbers");
    line("Ctrl+click, Shift+arrows", "Runs: compare with the first selected");
    line("right click, Shift+F10", "Row, mark, figure: what can be done with it");
    line("double-click, Enter", "Parameter: type a value");
    line("Ctrl+wheel, arrows", "Parameter: one step");
    line("Enter or Space", "Control: press");
    line("arrows", "Buttons, ticks, workspace: to a neighbour");
    line("Ctrl+Enter", "Dialog: press its button, wherever you are");
    line("arrows, Home, End", "Table: go through it, pick");
    line("Up from the first row", "Table: its names, which sort with Enter");
    line("Ctrl+C", "Table: copy it");
    line("letters, arrows, Enter", "List: filter, go, choose");
    line("PgUp, PgDn, Home, End", "Help, Facts, Traffic, Diagnosis: scroll");
    line("left, right, Home, End", "Warp: steps");
    line("drag a line between", "Divide the window; double-click: as at first");
  }

  // The metrics of the papers, whose authors used a profiler that no longer exists.
  static void nvprof(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    if (s.catalog->nvprof_names.empty()) return;
    gap(l, 16);
    heading(l, "What nvprof called it",
            "The papers read their counters with nvprof. Click a line to copy it; see also warpspy metrics.");
    for (const auto& n : s.catalog->nvprof_names) {
      const auto* metric = s.catalog->metric(n.metric);
      const std::string here = n.formula.empty() ? (metric ? metric->label : n.metric) : n.formula;
      const ImVec2 at = ImGui::GetCursorScreenPos();
      auto* list = ImGui::GetWindowDrawList();
      draw_text(l, list, at, Face::mono, 12, l.palette->ink, n.name, width * 0.52f);
      draw_text(l, list, ImVec2(at.x + width * 0.54f, at.y), Face::ui, 12, l.palette->muted, here, width * 0.46f);
      ImGui::PushID(n.name.c_str());
      if (ImGui::InvisibleButton("name", ImVec2(width, l.u(15))))
        ui.out(CopyText{n.name + "\t" + n.metric + "\t" + here});
      ImGui::PopID();
      tip(l, (metric ? metric->label + ": " + metric->help : n.metric) +
                 (n.formula.empty() ? "" : "\n" + n.name + " = " + n.formula) + (n.note.empty() ? "" : "\n" + n.note) +
                 (metric && !metric->cupti.empty() ? "\n" + metric->cupti : ""));
    }
  }

  // All words; the one that was asked for is marked and scrolled into view.
  void words_of_the_field(const AppState& s, const Look& l, float width) {
    const bool asked = s.words_shown != words_shown_;
    words_shown_ = s.words_shown;
    for (const Term& t : terms()) {
      const bool this_one = s.word == t.id;
      if (this_one && asked) ImGui::SetScrollHereY(0.2f);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      show_term(l, t, width);
      if (this_one)
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x - l.u(10), at.y),
                                                  ImVec2(at.x - l.u(7), ImGui::GetCursorScreenPos().y),
                                                  u32(l.palette->ink), l.u(1));
      gap(l, 8);
    }
  }

  void legend(const AppState& s, Ui& ui, float width) {
    const Look& l = ui.look;
    const float top = ImGui::GetCursorPosX();
    const auto words = [&](const std::string& text) {
      const FontScope font(*l.fonts, Face::ui, 13);
      ImGui::PushStyleColor(ImGuiCol_Text, u32(l.palette->muted));
      const std::string lines = broken_at_spaces(text, top + width - ImGui::GetCursorPosX());
      ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
      ImGui::PopStyleColor();
    };
    const auto mark = [&](auto draw, const std::string& name, const std::string& text) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      draw(ImGui::GetWindowDrawList(), ImVec2(at.x + l.u(7), at.y + l.u(8)));
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + l.u(22));
      ImGui::BeginGroup();
      label(l, Face::bold, 13, l.palette->ink, name);
      words(text);
      end_group();
      gap(l, 10);
    };
    heading(l, "Where things are",
            "The names at the top. Point at one to see its tabs, click one to come back to the tab of it that was open "
            "last.");
    for (const TabGroup& group : tab_groups()) {
      std::string tabs;
      for (const ViewRow* row : tab_rows())
        if (row->group == group.id) tabs += (tabs.empty() ? "" : ", ") + std::string(row->label);
      label(l, Face::bold, 13, l.palette->ink, group.label);
      words(group.help + std::string(tabs == group.label ? "" : " " + tabs + "."));
      gap(l, 6);
    }
    gap(l, 6);
    heading(l, "Where a number comes from");
    struct Row {
      Provenance p;
      const char* text;
    };
    for (const auto& r : {Row{Provenance::measured, "Read from a timer or a hardware counter."},
                          Row{Provenance::derived, "Computed from measured numbers only."},
                          Row{Provenance::modelled, "From the emulator, a formula or a data sheet; not measured."}})
      mark([&](ImDrawList* list, ImVec2 c) { draw_provenance(l, list, c, l.u(5), r.p, l.palette->ink); },
           warpspy::name_of(r.p), r.text);
    gap(l, 6);
    heading(l, "What a colour means");
    struct Hue {
      Level level;
      const char* text;
    };
    for (const auto& h : {Hue{Level::dram,
                              "Device memory: large and slow. A product that does not fit into L2, or is cold, is "
                              "usually bound by it; a "
                              "small warm one stays in L2 and moves next to nothing here."},
                          Hue{Level::l2, "The cache that all multiprocessors share."},
                          Hue{Level::l1, "The cache of one multiprocessor."}})
      mark(
          [&](ImDrawList* list, ImVec2 c) {
            list->AddRectFilled(ImVec2(c.x - l.u(5), c.y - l.u(5)), ImVec2(c.x + l.u(5), c.y + l.u(5)),
                                u32(color_of(h.level)), l.u(2));
          },
          name_of(h.level), h.text);
    gap(l, 6);
    heading(l, "Words");
    caption(l, "Blue: works, or is used. Orange: fetched, and not used. Grey: idle, or waits.");
    gap(l, 4);
    words_of_the_field(s, l, std::min(width, l.u(420)));
    gap(l, 6);
    heading(l, "How to read the roofline");
    words(
        "A run that touches its level's slope is bound by that memory. Far below every roof something else limits: "
        "Diagnosis says what. Intensity is 2 nnz / bytes moved at the level.");
    gap(l, 12);
    if (s.catalog->notices.empty()) return;
    heading(l, "On this machine");
    for (const auto& n : s.catalog->notices) words(n);
    for (const auto& d : s.catalog->devices)
      if (!d.access.remedy.empty() && button(l, "Copy the remedy for " + d.id)) ui.out(CopyText{d.access.remedy});
  }

  int words_shown_ = 0;  // value of AppState::words_shown in the last frame
};

}  // namespace

extern const ViewRow help_tab = {
    .id = "help",
    .label = "Help",
    .place = Place::tab,
    .group = Topic::learn,
    .help = "Where things are, keys, and what words and marks mean.",
    .keys = {Key::f1},
    .scrolls = true,
    .make = make<HelpTab>,
};

}  // namespace warpspy::ui
