#include "ui/views/dialog.hpp"

#include <imgui.h>

#include <algorithm>

#include "ui/platform/compat.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

bool begin_dialog(const AppState&, Ui& ui, const char* title, ImVec2 size, bool at_top) {
  const Look& l = ui.look;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const ImVec2 wanted(std::min(l.u(size.x), screen.x - l.u(16)), std::min(l.u(size.y), screen.y - l.u(16)));
  const float top = at_top ? std::min(l.u(40), (screen.y - wanted.y) / 2) : (screen.y - wanted.y) * 0.4f;
  ImGui::SetNextWindowPos(ImVec2(std::floor((screen.x - wanted.x) / 2), std::floor(top)), ImGuiCond_Always);
  ImGui::SetNextWindowSize(wanted, ImGuiCond_Always);
  if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(l.u(16), l.u(14)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, l.u(8));
  // The window behind is not dimmed: painting all of it again would take longer than a frame without a GPU.
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.f, std::floor(l.u(1))));
  ImGui::PushStyleColor(ImGuiCol_Border, u32(l.palette->outline));
  ImGui::PushStyleColor(ImGuiCol_PopupBg, u32(l.palette->raised));
  const auto flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                     ImGuiWindowFlags_NoSavedSettings;
  const bool open = ImGui::BeginPopupModal(title, nullptr, flags);
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(3);
  if (!open) return false;
  if (l.focus) {
    l.focus->begin_layer();
    l.focus->panel(title);
    // Opened by keys, it is used by keys.
    if (ImGui::IsWindowAppearing() && l.focus->by_keys()) l.focus->move(FocusTo::next);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  label(l, Face::bold, 15, l.palette->ink, title);
  ImGui::SetCursorScreenPos(ImVec2(at.x + ImGui::GetContentRegionAvail().x - l.u(16), at.y));
  // Esc first closes what is open in the dialog: a list or a menu.
  const bool is_top = !l.focus || l.focus->on_top();
  const bool crossed = cross_button(l, "close", "Close (Esc)", false);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + l.u(30)));
  const ImVec2 lo = ImGui::GetWindowPos(), hi(lo.x + wanted.x, lo.y + wanted.y);
  const bool outside = ImGui::IsMouseClicked(0) && !ImGui::IsMouseHoveringRect(lo, hi, false) &&
                       !ImGui::IsWindowAppearing() && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
  if (crossed || outside || (!ui.takes_keys && is_top && key_pressed(l, {Key::escape}))) ui.out(ShowDialog{});
  return true;
}

bool entered(const Look& l) {
  if (key_pressed(l, {Key::enter, true})) return true;
  return key_pressed(l, {Key::enter}) && (!l.focus || l.focus->free());
}

void end_dialog(Ui& ui) {
  if (ui.look.focus) ui.look.focus->end_layer();
  end_popup();
}

}  // namespace warpspy::ui
