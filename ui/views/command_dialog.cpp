#include <imgui.h>
#include <imgui_stdlib.h>

#include <string>
#include <utility>
#include <vector>

#include "ui/platform/compat.hpp"
#include "ui/state/search.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/list_keys.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

class CommandDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Search actions", ImVec2(640, 440), true)) return;
    const bool appears = ImGui::IsWindowAppearing();
    if (appears) {
      words_.clear();
      keys_.put(0);
    }
    bool enter = false;
    {
      const FontScope font(*l.fonts, Face::ui, 15);
      ImGui::SetNextItemWidth(-1);
      enter = ImGui::InputTextWithHint("##words", "a command, kernel, device, matrix, or \"threads 16\"", &words_,
                                       ImGuiInputTextFlags_EnterReturnsTrue);
      text_stop(l, "##words", appears);
    }
    gap(l, 6);
    const std::vector<SearchHit> found = search(s, ui.commands, words_);
    if (std::exchange(asked_, words_) != words_) keys_.put(0);
    keys_.take(ui.look, static_cast<int>(found.size()), 10);
    const SearchHit* go = nullptr;
    ImGui::BeginChild("found", ImVec2(0, 0), false);
    gap(l, 3);  // a marked line is higher than the line
    for (std::size_t k = 0; k < found.size(); ++k) {
      ImGui::PushID(static_cast<int>(k));
      if (line(l, found[k], static_cast<int>(k) == keys_.at())) go = &found[k];
      ImGui::PopID();
    }
    keys_.follow(l.u(kLine));
    if (found.empty())
      caption(l, "Nothing by that name. A kernel, a device, an open matrix, a value and a word are found too.");
    end_child();
    if (enter && !found.empty()) go = &found[static_cast<std::size_t>(keys_.at())];
    if (go && go->why_not.empty()) {
      ui.out(ShowDialog{});
      go->perform(s, ui.out);
    }
    end_dialog(ui);
  }

 private:
  static constexpr float kLine = 26;

  // A command that is not possible now is grey, followed by the reason.
  static bool line(const Look& l, const SearchHit& hit, bool at) {
    const bool can = hit.why_not.empty();
    const bool clicked = ImGui::Selectable("##c", at, 0, ImVec2(0, l.u(kLine) - ImGui::GetStyle().ItemSpacing.y));
    show_item(l, hit.title);
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    auto* list = ImGui::GetWindowDrawList();
    const Color muted = l.palette->muted, ink = can ? l.palette->ink : muted;
    const float y = from.y + l.u(5), keys = hit.keys.empty() ? 0 : text_width(l, Face::mono, 12, hit.keys) + l.u(14);
    draw_text(l, list, ImVec2(from.x + l.u(6), y), Face::ui, 13, muted, hit.kind);
    float x = from.x + l.u(78);
    x += draw_text(l, list, ImVec2(x, y), Face::ui, 13, ink, hit.title, to.x - keys - x - l.u(can ? 4 : 160)) + l.u(14);
    const std::string& behind = can ? hit.note : hit.why_not;
    if (!behind.empty())
      draw_text(l, list, ImVec2(x, y + l.u(1)), Face::ui, 12, muted, behind, to.x - keys - x - l.u(4));
    if (keys > 0) draw_text(l, list, ImVec2(to.x - keys + l.u(8), y + l.u(1)), Face::mono, 12, muted, hit.keys);
    tip(l, hit.help + (can || hit.help.empty() ? "" : "\n") + hit.why_not);
    return clicked;
  }

  std::string words_, asked_;
  ListKeys keys_;
};

}  // namespace

extern const ViewRow command_dialog = {
    .id = "commands",
    .label = "Search actions",
    .place = Place::overlay,
    .help = "Commands, kernels, devices, matrices, generators, and values such as \"threads 16\", by a few letters.",
    .keys = {key('P'), true, true},
    .opener = {"view.commands", "View", "Search actions...", "tab.matrix"},
    .make = make<CommandDialog>,
};

}  // namespace warpspy::ui
