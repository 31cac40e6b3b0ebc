#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>

#include "ui/platform/input.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// Lower-case subsequence match; lower is better, -1: no match.
int match(const std::string& needle, const std::string& text) {
  std::size_t at = 0;
  int cost = 0, last = -1;
  for (char raw : needle) {
    const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(raw)));
    if (c == ' ') continue;
    while (at < text.size() && std::tolower(static_cast<unsigned char>(text[at])) != c) ++at;
    if (at == text.size()) return -1;
    if (last >= 0) cost += static_cast<int>(at) - last - 1;
    last = static_cast<int>(at++);
  }
  return cost;
}

class CommandDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Search actions", ImVec2(520, 420), true)) return;
    if (ImGui::IsWindowAppearing()) {
      ImGui::SetKeyboardFocusHere();
      words_.clear();
      chosen_ = 0;
    }
    bool enter = false;
    {
      const FontScope font(*l.fonts, Face::ui, 15);
      ImGui::SetNextItemWidth(-1);
      const std::string before = words_;
      enter =
          ImGui::InputTextWithHint("##words", "what do you want to do?", &words_, ImGuiInputTextFlags_EnterReturnsTrue);
      if (before != words_) chosen_ = 0;
    }
    gap(l, 6);
    std::vector<std::pair<int, const Command*>> found;
    for (const Command& c : ui.commands) {
      if (c.enabled && !c.enabled(s)) continue;
      const int cost = match(words_, c.menu + " " + title_of(s, c));
      if (cost >= 0) found.push_back({cost, &c});
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const int n = static_cast<int>(found.size());
    if (pressed({Key::down}, true)) chosen_ = std::min(n - 1, chosen_ + 1);
    if (pressed({Key::up}, true)) chosen_ = std::max(0, chosen_ - 1);
    const Command* go = nullptr;
    ImGui::BeginChild("found", ImVec2(0, 0), false);
    for (int k = 0; k < n; ++k) {
      const Command& c = *found[static_cast<std::size_t>(k)].second;
      ImGui::PushID(k);
      if (ImGui::Selectable("##c", k == chosen_, 0, ImVec2(0, l.u(22)))) go = &c;
      if (k == chosen_ && (pressed({Key::down}, true) || pressed({Key::up}, true))) ImGui::SetScrollHereY();
      const ImVec2 at = ImGui::GetItemRectMin();
      const float right = ImGui::GetItemRectMax().x;
      auto* list = ImGui::GetWindowDrawList();
      draw_text(l, list, ImVec2(at.x + l.u(6), at.y + l.u(4)), Face::ui, 13, l.palette->muted, c.menu);
      draw_text(l, list, ImVec2(at.x + l.u(66), at.y + l.u(4)), Face::ui, 13, l.palette->ink, title_of(s, c));
      const std::string keys = label_of(keys_of(s, c));
      draw_text(l, list, ImVec2(right - l.u(6) - text_width(l, Face::mono, 12, keys), at.y + l.u(5)), Face::mono, 12,
                l.palette->muted, keys);
      tip(l, c.help);
      ImGui::PopID();
    }
    if (n == 0) caption(l, "Nothing by that name.");
    ImGui::EndChild();
    if (enter && chosen_ < n) go = found[static_cast<std::size_t>(chosen_)].second;
    if (go) {
      ui.out(ShowDialog{});
      go->perform(s, ui.out);
    }
    end_dialog();
  }

 private:
  std::string words_;
  int chosen_ = 0;
};

}  // namespace

extern const ViewRow command_dialog = {
    .id = "commands",
    .label = "Search actions",
    .place = Place::overlay,
    .help = "Type a few letters of what you want.",
    .keys = {key('P'), true, true},
    .opener = {"view.commands", "View", "Search actions...", "tab.matrix"},
    .make = make<CommandDialog>,
};

}  // namespace warpspy::ui
