#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <string>

#include "ui/platform/compat.hpp"
#include "ui/views/dialog.hpp"
#include "ui/views/view.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// A layout in words: "Roofline beside Runs", "Matrix; the run panel is folded".
std::string words_of(const Layout& one) {
  const auto label = [](const std::string& id) {
    const ViewRow* row = view_row(id);
    return std::string(row ? row->label : "");
  };
  std::string text = label(one.tab);
  if (!one.panes.beside.empty()) text += " beside " + label(one.panes.beside);
  if (!one.panes.workspace) text += ", workspace folded";
  if (!one.panes.controls) text += ", run panel folded";
  return text;
}

// Named layouts of the window: saves the current one, applies one, deletes one.
class LayoutsDialog final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    if (!begin_dialog(s, ui, "Layouts", ImVec2(520, 380))) return;
    caption(l,
            "A layout is the open tab, the one beside it, and how wide everything is. They are kept for every matrix "
            "and session.");
    gap(l, 8);
    save(s, ui, ImGui::IsWindowAppearing());
    gap(l, 10);
    hairline(l);
    gap(l, 8);
    ImGui::BeginChild("layouts", ImVec2(0, 0), false);
    if (s.settings.layouts.empty()) caption(l, "None has been saved yet.");
    for (std::size_t k = 0; k < s.settings.layouts.size(); ++k) line(s, ui, k);
    end_child();
    end_dialog(ui);
  }

 private:
  void save(const AppState& s, Ui& ui, bool appears) {
    const Look& l = ui.look;
    if (appears) name_.clear();
    bool enter = false;
    {
      const FontScope font(*l.fonts, Face::ui, 13);
      ImGui::SetNextItemWidth(-l.u(150));
      enter = ImGui::InputTextWithHint("##name", "name of the layout as it is now", &name_,
                                       ImGuiInputTextFlags_EnterReturnsTrue);
      text_stop(l, "##name", appears);
    }
    ImGui::SameLine();
    const auto& all = s.settings.layouts;
    const bool there = std::any_of(all.begin(), all.end(), [&](const Layout& one) { return one.name == name_; });
    const bool asked = button(l, there ? "Replace##save" : "Save##save", Weight::primary, l.u(140), !name_.empty());
    if (name_.empty() || (!asked && !enter)) return;
    Settings next = s.settings;
    std::erase_if(next.layouts, [&](const Layout& one) { return one.name == name_; });
    next.layouts.push_back({name_, s.tab, s.panes});
    ui.out(SetSettings{next});
    name_.clear();
  }

  static void line(const AppState& s, Ui& ui, std::size_t k) {
    const Look& l = ui.look;
    const Layout& one = s.settings.layouts[k];
    ImGui::PushID(static_cast<int>(k));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float w = ImGui::GetContentRegionAvail().x - l.u(28), h = l.u(38);
    const bool clicked = ImGui::InvisibleButton("use", ImVec2(std::max(1.f, w), h));
    show_item(l, one.name);
    const bool hot = ImGui::IsItemHovered();
    auto* list = ImGui::GetWindowDrawList();
    if (hot) list->AddRectFilled(at, ImVec2(at.x + w, at.y + h), u32(l.palette->control), l.u(4));
    draw_text(l, list, ImVec2(at.x + l.u(8), at.y + l.u(3)), Face::ui, 13, l.palette->ink, one.name, w - l.u(16));
    draw_text(l, list, ImVec2(at.x + l.u(8), at.y + l.u(20)), Face::ui, 12, l.palette->muted, words_of(one),
              w - l.u(16));
    if (key_stop(l, "use", Focus::Takes::press).pressed || clicked) {
      if (view_row(one.tab)) ui.out(ShowTab{one.tab});
      ui.out(SetPanes{one.panes});
      ui.out(ShowDialog{});
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x + w + l.u(8), at.y + l.u(10)));
    if (cross_button(l, "delete", "Delete this layout")) {
      Settings next = s.settings;
      next.layouts.erase(next.layouts.begin() + static_cast<std::ptrdiff_t>(k));
      ui.out(SetSettings{next});
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + h + l.u(2)));
    ImGui::PopID();
  }

  std::string name_;
};

}  // namespace

extern const ViewRow layouts_dialog = {
    .id = "layouts",
    .label = "Layouts",
    .place = Place::overlay,
    .help = "Saves how the window is divided under a name, and brings one back.",
    .keys = {key('Y'), true, true},
    .opener = {"view.layouts", "View", "Layouts...", "view.divide"},
    .make = make<LayoutsDialog>,
};

}  // namespace warpspy::ui
