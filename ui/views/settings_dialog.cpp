#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ui/platform/compat.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/engines_panel.hpp"
#include "ui/views/shortcuts_panel.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr double kScales[] = {0, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3};

std::string scale_text(double scale) {
  return scale == 0 ? "the monitor's" : std::to_string(std::lround(scale * 100)) + " %";
}

class SettingsDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Settings", ImVec2(640, 520))) return keys_.leave(ui);
    const int k = segments(l, "page", {"General", "Engines", "Keys"}, page_);
    if (k >= 0) page_ = k, keys_.leave(ui);
    gap(l, 14);
    const float room = ImGui::GetContentRegionAvail().y;
    if (page_ == 1) {
      engines_.draw(s, ui, room);
      return end_dialog(ui);
    }
    if (page_ == 2) {
      keys_.draw(s, ui, room);
      return end_dialog(ui);
    }
    ImGui::BeginChild("general", ImVec2(0, room), false);
    look(s, ui);
    runs(s, ui);
    desk(s, ui);
    end_child();
    end_dialog(ui);
  }

 private:
  // The name on the left; its setting follows.
  static void name(const Look& l, const char* text, const char* help) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(l, ImGui::GetWindowDrawList(), ImVec2(at.x, at.y + l.u(3)), Face::ui, 13, l.palette->ink, text);
    show_text(l, text);
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton(text, ImVec2(l.u(160), l.u(22)));
    tip(l, help);
    ImGui::SetCursorScreenPos(ImVec2(at.x + l.u(180), at.y));
  }
  // A drop-down as wide as its words need.
  static int drop(const Look& l, const char* id, const std::vector<Choice>& choices, int now) {
    ImGui::BeginChild(id, ImVec2(l.u(300), l.u(28)), false, ImGuiWindowFlags_NoScrollbar);
    const int k = choose(l, id, choices, now);
    end_child();
    return k;
  }
  static void part(const Look& l, const char* text) {
    heading(l, text);
    gap(l, 4);
  }

  static void look(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    part(l, "Look");
    name(l, "Theme", "Paper for projectors and papers, dark for work.");
    const int theme = segments(l, "theme", {"paper", "dark"}, static_cast<int>(s.theme));
    if (theme >= 0) ui.out(choose("theme", static_cast<ThemeId>(theme)));
    gap(l, 10);
    name(l, "Scale", "Of everything in the window. --scale on the command line goes before it.");
    std::vector<Choice> scales;
    int now = -1;
    for (const double scale : kScales) {
      if (scale == s.settings.scale) now = static_cast<int>(scales.size());
      scales.push_back({scale_text(scale), "", true, ""});
    }
    if (now < 0) now = static_cast<int>(scales.size()), scales.push_back({scale_text(s.settings.scale), "", true, ""});
    const int scale = drop(l, "##scale", scales, now);
    if (scale >= 0 && scale < static_cast<int>(std::size(kScales)))
      change(s, ui, [&](Settings& next) { next.scale = kScales[scale]; });
    gap(l, 4);
    name(l, "Colours of the pattern", "All are even in lightness; cividis is safe for colour-blind eyes.");
    const int map = segments(l, "map", {"cividis", "viridis", "grey"}, static_cast<int>(s.spy.style.map));
    if (map >= 0) ui.out(choose("colours", static_cast<Colormap>(map)));
    gap(l, 22);
  }

  static void runs(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    part(l, "Runs");
    for (const ChoiceRow& row : choice_rows())
      if (row.usual) usual(s, ui, row);
    gap(l, 22);
  }

  // A few values are buttons side by side, many are a list.
  static void usual(const AppState& s, Ui& ui, const ChoiceRow& row) {
    constexpr std::size_t most_segments = 3;
    const Look& l = ui.look;
    const UsualChoice& of = *row.usual;
    name(l, of.title, of.help);
    const std::vector<UsualChoice::Option> options = of.options(s);
    const auto set = s.settings.usual.find(row.id);
    std::vector<Choice> choices;
    std::vector<std::string> words;
    bool listed = options.size() > most_segments;
    int now = 0;
    for (const auto& o : options) {
      if (set != s.settings.usual.end() && set->second == o.value) now = static_cast<int>(choices.size());
      choices.push_back({o.label, o.note, o.possible, ""});
      words.push_back(o.label);
      listed = listed || !o.note.empty();
    }
    const std::string id = std::string("##") + of.title;
    const int k = listed ? drop(l, id.c_str(), choices, now) : segments(l, id.c_str(), words, now);
    gap(l, 4);
    if (k < 0) return;
    const std::string& value = options[static_cast<std::size_t>(k)].value;
    change(s, ui, [&](Settings& next) {
      next.usual[row.id] = value;
      if (value.empty()) next.usual.erase(row.id);
    });
    if (of.now) ui.out(choose(row.id, value));
  }

  static void desk(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    part(l, "Desk and files");
    const auto on_off = [&](const char* label, bool Settings::* member, const char* help) {
      if (toggle(l, label, s.settings.*member)) change(s, ui, [&](Settings& next) { next.*member = !(next.*member); });
      show_item(l, label);
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + l.u(28));
      caption(l, help);
      gap(l, 8);
    };
    on_off("Keep the desk", &Settings::keep_desk, "What is open comes back at the next start, and after a crash.");
    on_off("The system's file dialogs", &Settings::system_dialogs,
           "Where it has any; else Warpspy's own, as over ssh.");
  }

  template <class Change>
  static void change(const AppState& s, Ui& ui, Change&& how) {
    Settings next = s.settings;
    how(next);
    ui.out(SetSettings{next});
  }

  int page_ = 0;
  EnginesPanel engines_;
  ShortcutsPanel keys_;
};

}  // namespace

extern const ViewRow settings_dialog = {
    .id = "settings",
    .label = "Settings",
    .place = Place::overlay,
    .help =
        "Theme, scale, colours, what an empty desk begins with, the engines of other machines, and the keys of every "
        "command.",
    .keys = {key(','), true},
    .opener = {"edit.settings", "Edit", "Settings...", "matrix.fit"},
    .make = make<SettingsDialog>,
};

}  // namespace warpspy::ui
