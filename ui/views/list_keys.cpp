#include "ui/views/list_keys.hpp"

#include <imgui.h>

#include <algorithm>

#include "ui/platform/input.hpp"

namespace warpspy::ui {

namespace {

bool either(Key k) { return pressed({k}, true) || pressed({k, false, true}, true); }  // Shift extends a choice

}  // namespace

void ListKeys::take(int count, int page) {
  const int before = at_;
  if (either(Key::down)) ++at_;
  if (either(Key::up)) --at_;
  if (pressed({Key::page_down}, true)) at_ += page;
  if (pressed({Key::page_up}, true)) at_ -= page;
  if (pressed({Key::home, true})) at_ = 0;
  if (pressed({Key::end, true})) at_ = count - 1;
  at_ = std::clamp(at_, 0, std::max(0, count - 1));
  moved_ = moved_ || at_ != before;
}

void ListKeys::follow(float row_height) {
  if (!moved_) return;
  moved_ = false;
  const float top = static_cast<float>(at_) * row_height, room = ImGui::GetWindowHeight();
  if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
  if (top + row_height > ImGui::GetScrollY() + room) ImGui::SetScrollY(top + row_height - room);
}

}  // namespace warpspy::ui
