#include "ui/views/list_keys.hpp"

#include <imgui.h>

#include <algorithm>

#include "ui/widgets/focus.hpp"

namespace warpspy::ui {

void ListKeys::take(const Look& l, int count, int page, bool own) {
  const auto down = [&](Chord c) { return (own || !l.focus || l.focus->free()) && key_pressed(l, c, true); };
  const int before = at_;
  extends_ = false;
  const auto either = [&](Key k) {
    const bool with_shift = down({k, false, true});
    extends_ = extends_ || with_shift;
    return with_shift || down({k});
  };
  if (either(Key::down)) ++at_;
  if (either(Key::up)) --at_;
  if (down({Key::page_down})) at_ += page;
  if (down({Key::page_up})) at_ -= page;
  if (down({Key::home, true})) at_ = 0;
  if (down({Key::end, true})) at_ = count - 1;
  at_ = std::clamp(at_, 0, std::max(0, count - 1));
  moved_ = moved_ || at_ != before;
  if (at_ != before && l.focus && l.focus->covered()) l.focus->use_keys();
}

void ListKeys::follow(float row_height) {
  if (!moved_) return;
  moved_ = false;
  const float top = static_cast<float>(at_) * row_height, room = ImGui::GetWindowHeight();
  if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
  if (top + row_height > ImGui::GetScrollY() + room) ImGui::SetScrollY(top + row_height - room);
}

}  // namespace warpspy::ui
