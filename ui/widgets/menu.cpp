#include "ui/widgets/menu.hpp"

#include <imgui.h>

#include "ui/platform/compat.hpp"
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
  end_popup();
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

bool asks_for_menu(const Look& l, const Keys& keys) {
  return keys.has && (key_pressed(l, {Key::menu}) || key_pressed(l, {Key::f10, false, true}));
}

void open_context_menu(const char* id, ImVec2 at) {
  auto* store = ImGui::GetStateStorage();
  store->SetFloat(ImGui::GetID("menu x"), at.x), store->SetFloat(ImGui::GetID("menu y"), at.y);
  ImGui::OpenPopup(id);
}

bool begin_opened_menu(const Look& l, const char* id) {
  if (!ImGui::IsPopupOpen(id)) return false;
  const auto* store = ImGui::GetStateStorage();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const ImVec2 at(store->GetFloat(ImGui::GetID("menu x")), store->GetFloat(ImGui::GetID("menu y")));
  const bool low = at.y > screen.y * 0.6f, far = at.x > screen.x * 0.75f;
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, ImVec2(far ? 1.f : 0.f, low ? 1.f : 0.f));
  return begin_menu(l, id);
}

bool begin_context_menu(const Look& l, const char* id, const Keys& keys, bool* opened) {
  const bool by_mouse = ImGui::IsItemHovered() && ImGui::IsMouseClicked(1);
  if (by_mouse || asks_for_menu(l, keys)) {
    const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
    open_context_menu(id, by_mouse ? ImGui::GetIO().MousePos : ImVec2(lo.x + l.u(24), hi.y));
    if (opened) *opened = true;
  }
  return begin_opened_menu(l, id);
}

}  // namespace warpspy::ui
