#include "ui/widgets/panel.hpp"

#include <imgui.h>

#include <algorithm>

namespace warpspy::ui {

void begin_panel(const Look& l, const char* id, ImVec2 at, ImVec2 size) {
  const float above = l.u(4);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y - above));
  ImGui::BeginChild(id, ImVec2(size.x, size.y + above), false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::SetCursorPosY(above);
}

ImVec2 room_at_least(const Look& l, float height) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  return {room.x, std::max(room.y, l.u(height))};
}

}  // namespace warpspy::ui
