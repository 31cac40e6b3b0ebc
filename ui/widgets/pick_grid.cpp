#include "ui/widgets/pick_grid.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

enum Painting : int { kNone, kMarks, kClears };

long moved(const PickGrid& g, long at, const Keys& keys) {
  const long down = g.upwards ? -keys.down : keys.down;
  const long to = at + keys.along + down * static_cast<long>(g.across);
  return to >= 0 && to < static_cast<long>(g.count) ? to : at;
}

std::vector<std::size_t> painted(const PickGrid& g, bool held) {
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID("painting");
  if (!held) storage->SetInt(id, kNone);
  std::vector<std::size_t> turned;
  if (!held) return turned;
  const bool begins = ImGui::IsMouseClicked(0);
  for (std::size_t k = 0; k < g.count; ++k) {
    const Focus::Area a = g.box(k);
    if (!ImGui::IsMouseHoveringRect(ImVec2(a.x0, a.y0), ImVec2(a.x1, a.y1))) continue;
    const bool on = g.on(k);
    if (begins) storage->SetInt(id, on ? kClears : kMarks);
    const int now = storage->GetInt(id, kNone);
    if ((begins || g.drags) && ((now == kMarks && !on) || (now == kClears && on))) turned.push_back(k);
  }
  return turned;
}

}  // namespace

std::vector<std::size_t> pick_grid(const Look& l, const char* id, Focus::Area all, const PickGrid& g) {
  ImGui::SetCursorScreenPos(ImVec2(all.x0, all.y0));
  ImGui::InvisibleButton(id, ImVec2(std::max(1.f, all.x1 - all.x0), std::max(1.f, all.y1 - all.y0)));
  const bool held = ImGui::IsItemActive();
  const Keys keys = key_stop(l, id);
  ImGui::PushID(id);
  std::vector<std::size_t> turned = painted(g, held);
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID cursor = ImGui::GetID("cursor");
  if (keys.has && g.count > 0) {
    const long at = moved(g, std::clamp<long>(storage->GetInt(cursor, 0), 0, static_cast<long>(g.count) - 1), keys);
    storage->SetInt(cursor, static_cast<int>(at));
    const Focus::Area a = g.box(static_cast<std::size_t>(at));
    draw_cursor(l, ImGui::GetWindowDrawList(), ImVec2(a.x0, a.y0), ImVec2(a.x1, a.y1));
    show_text(l, "at " + g.name(static_cast<std::size_t>(at)));
    if (keys.pressed) turned.push_back(static_cast<std::size_t>(at));
  }
  ImGui::PopID();
  for (std::size_t k = 0; l.shown && k < g.count; ++k) {
    const Focus::Area a = g.box(k);
    ImGui::SetCursorScreenPos(ImVec2(a.x0, a.y0));
    ImGui::Dummy(ImVec2(a.x1 - a.x0, a.y1 - a.y0));
    show_item(l, g.name(k));
  }
  ImGui::SetCursorScreenPos(ImVec2(all.x0, all.y1));
  return turned;
}

}  // namespace warpspy::ui
