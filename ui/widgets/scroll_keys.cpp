#include "ui/widgets/scroll_keys.hpp"

#include <imgui.h>

#include <algorithm>

#include "ui/widgets/focus.hpp"

namespace warpspy::ui {

void scroll_by_keys(const Look& l, const std::string& panel, const std::string& strip) {
  if (!l.focus || ImGui::GetIO().WantTextInput || !l.focus->spare(false)) return;
  const std::string now = l.focus->panel_now();
  const bool first = strip == "tabs";  // if nothing has the keys, they are for the first of two tabs
  if (now != panel && now != strip && !(now.empty() && first)) return;
  const float page = ImGui::GetWindowHeight() * 0.85f, line = l.u(40), at = ImGui::GetScrollY();
  const auto by = [&](Key k, float pixels) { return key_pressed(l, {k}, true) ? pixels : 0.f; };
  float to = at + by(Key::page_down, page) - by(Key::page_up, page);
  if (l.focus->spare(true)) to += by(Key::down, line) - by(Key::up, line);
  if (key_pressed(l, {Key::home})) to = 0;
  if (key_pressed(l, {Key::end})) to = ImGui::GetScrollMaxY();
  if (to != at) ImGui::SetScrollY(std::clamp(to, 0.f, ImGui::GetScrollMaxY()));
}

}  // namespace warpspy::ui
