#include "ui/widgets/splitter.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

SplitterMove splitter(const Look& l, const char* id, ImVec2 at, ImVec2 size, bool upright) {
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton(id, ImVec2(std::max(1.f, size.x), std::max(1.f, size.y)));
  show_item(l, id);
  const bool hot = ImGui::IsItemHovered(), down = ImGui::IsItemActive();
  if (hot || down) ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  const float thin = std::max(1.f, std::floor(l.scale)), thick = hot || down ? l.u(2) : thin;
  const float x = std::floor(at.x + size.x / 2) + 0.5f, y = std::floor(at.y + size.y / 2) + 0.5f;
  ImGui::GetWindowDrawList()->AddLine(upright ? ImVec2(x, at.y) : ImVec2(at.x, y),
                                      upright ? ImVec2(x, at.y + size.y) : ImVec2(at.x + size.x, y),
                                      u32(hot || down ? l.palette->outline : l.palette->hairline), thick);
  tip(l, "Drag to divide the room otherwise; double click: as it was at first.");
  const Keys keys = key_stop(l, id);
  SplitterMove move;
  move.reset = (hot && ImGui::IsMouseDoubleClicked(0)) || keys.pressed;
  const ImVec2 by = ImGui::GetIO().MouseDelta;
  if (down && !move.reset) move.by = upright ? by.x : by.y;
  move.by += static_cast<float>(upright ? keys.along : keys.down) * l.u(16);
  return move;
}

}  // namespace warpspy::ui
