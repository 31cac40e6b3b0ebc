#include "ui/widgets/menu.hpp"

#include <imgui.h>

#include "ui/widgets/text.hpp"

namespace warpspy::ui {

bool begin_menu(const Look& l, const char* id) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(l.u(8), l.u(8)));
  const bool open = ImGui::BeginPopup(id);
  ImGui::PopStyleVar();
  if (!open) return false;
  l.fonts->push(Face::ui, 13);
  if (!l.focus) return true;
  l.focus->begin_layer();
  using To = FocusTo;
  if (ImGui::IsWindowAppearing()) {
    if (l.focus->by_keys()) l.focus->move(To::next);
  } else {
    if (l.focus->pressed({Key::down}, true)) l.focus->move(To::next);
    if (l.focus->pressed({Key::up}, true)) l.focus->move(To::previous);
  }
  return true;
}

void end_menu(const Look& l) {
  if (key_pressed(l, {Key::escape})) ImGui::CloseCurrentPopup();
  if (l.focus) l.focus->end_layer();
  FontSet::pop();
  ImGui::EndPopup();
}

bool menu_item(const Look& l, const std::string& words, const MenuWords& more) {
  bool chosen =
      ImGui::MenuItem(words.c_str(), more.keys.empty() ? nullptr : more.keys.c_str(), more.checked, more.enabled);
  show_item(l, words);
  if (more.enabled && key_stop(l, words.c_str()).pressed) {
    chosen = true;
    ImGui::CloseCurrentPopup();
  }
  tip(l, more.help, true);
  return chosen;
}

bool begin_context_menu(const Look& l, const char* id, const Keys& keys, bool* opened) {
  auto* store = ImGui::GetStateStorage();
  const ImGuiID x = ImGui::GetID("menu x"), y = ImGui::GetID("menu y");
  const bool by_mouse = ImGui::IsItemHovered() && ImGui::IsMouseClicked(1);
  const bool by_keys = keys.has && (key_pressed(l, {Key::menu}) || key_pressed(l, {Key::f10, false, true}));
  if (by_mouse || by_keys) {
    const ImVec2 at =
        by_mouse ? ImGui::GetIO().MousePos : ImVec2(ImGui::GetItemRectMin().x + l.u(24), ImGui::GetItemRectMax().y);
    store->SetFloat(x, at.x), store->SetFloat(y, at.y);
    ImGui::OpenPopup(id);
    if (opened) *opened = true;
  }
  if (!ImGui::IsPopupOpen(id)) return false;
  const ImVec2 screen = ImGui::GetIO().DisplaySize, at(store->GetFloat(x), store->GetFloat(y));
  const bool low = at.y > screen.y * 0.6f, far = at.x > screen.x * 0.75f;
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, ImVec2(far ? 1.f : 0.f, low ? 1.f : 0.f));
  return begin_menu(l, id);
}

}  // namespace warpspy::ui
