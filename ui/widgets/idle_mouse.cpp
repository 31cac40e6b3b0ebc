#include "ui/widgets/idle_mouse.hpp"

#include <imgui.h>

#include <cfloat>

namespace warpspy::ui {

void IdleMouse::begin_frame(const Focus& focus) {
  ImGuiIO& io = ImGui::GetIO();
  const bool held = io.MouseDown[0] || io.MouseDown[1] || io.MouseDown[2];
  const bool moved = io.MousePos.x != x_ || io.MousePos.y != y_;
  x_ = io.MousePos.x, y_ = io.MousePos.y;
  if (moved || held || io.MouseWheel != 0)
    idle_ = false;
  else if (focus.any_pressed() || !io.InputQueueCharacters.empty())
    idle_ = true;
  if (idle_ && focus.by_keys()) io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
}

// Restores the mouse position, so that the wheel scrolls the window below it.
void IdleMouse::end_frame() const { ImGui::GetIO().MousePos = ImVec2(x_, y_); }

}  // namespace warpspy::ui
