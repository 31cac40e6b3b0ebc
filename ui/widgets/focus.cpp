#include "ui/widgets/focus.hpp"

#include <imgui.h>
#include <imgui_internal.h>  // for ClearActiveID: no public function ends the editing of a field

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "ui/widgets/text.hpp"

namespace warpspy::ui {

void Focus::begin_frame() {
  stops_.clear();
  panel_.clear();
  layer_ = seen_ = 0;
  if (ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1)) by_keys_ = false;
}

bool Focus::pressed(Chord c, bool again) const {
  if (muted_) return false;
  if (!heard_) return ui::pressed(c, again);
  const auto has = [&](const std::vector<Chord>& all) { return std::find(all.begin(), all.end(), c) != all.end(); };
  return has(heard_->pressed) || (again && has(heard_->again));
}

bool Focus::any_pressed() const {
  if (!heard_) return ui::any_pressed().key != Key::none;
  return !heard_->pressed.empty() || !heard_->again.empty();
}

void Focus::begin_layer() {
  seen_ = std::max(seen_, ++layer_);
  // The layer's previous content belonged to another dialog.
  if (places_.size() <= layer_) places_.resize(layer_ + 1);
}
void Focus::end_layer() { --layer_; }

void Focus::add(std::uint32_t id, Takes takes, Area area) { stops_.push_back({id, layer_, panel_, takes, area}); }

void Focus::take(std::uint32_t id) {
  if (places_[layer_].id == id) return;
  places_[layer_].id = id;
  for (std::size_t k = 0; k < stops_.size(); ++k)
    if (stops_[k].id == id) places_[layer_] = {id, k, stops_[k].panel};
}

std::string Focus::panel_now() const { return by_keys_ && top_ < places_.size() ? places_[top_].panel : ""; }

bool Focus::spare(bool arrows) const {
  if (top_ > 0 || muted_) return false;
  return !by_keys_ || current() == 0 || takes_ == Takes::along || (!arrows && takes_ == Takes::press);
}

void Focus::fall_back() {
  const std::string to = std::exchange(otherwise_, "");
  if (to.empty()) return;
  for (const Stop& s : stops_)
    if (s.layer == 0 && s.id == places_[0].id) return;
  for (const Stop& s : stops_)
    if (s.layer == 0 && s.panel == to) return take(s.id);
}

void Focus::go(const std::vector<Stop>& stops, std::size_t to) {
  places_[top_] = {stops[to].id, to, stops[to].panel};
  arrived_ = by_keys_ = true;
  ImGui::ClearActiveID();
}

// The control from which the next one is counted: the focused one, else the control that is now at its position.
std::optional<std::size_t> Focus::next_in(const std::vector<Stop>& stops, const Place& from) const {
  if (from.id == 0) return std::nullopt;
  const auto found = std::find_if(stops.begin(), stops.end(), [&](const Stop& s) { return s.id == from.id; });
  if (found != stops.end()) return static_cast<std::size_t>(found - stops.begin());
  return std::min(from.index, stops.size() - 1);
}

void Focus::go_to_panel(const std::vector<Stop>& stops, const std::string& name) {
  const auto at = std::find_if(stops.begin(), stops.end(), [&](const Stop& s) { return s.panel == name; });
  if (at != stops.end()) go(stops, static_cast<std::size_t>(at - stops.begin()));
}

void Focus::go_by_panel(const std::vector<Stop>& stops, bool on) {
  std::vector<std::string> panels;
  for (const Stop& s : stops)
    if (!s.panel.empty() && std::find(panels.begin(), panels.end(), s.panel) == panels.end()) panels.push_back(s.panel);
  if (panels.empty()) return go(stops, 0);
  const auto from = next_in(stops, places_[top_]);
  const auto at = std::find(panels.begin(), panels.end(), from ? stops[*from].panel : "");
  const std::size_t k = static_cast<std::size_t>(at - panels.begin()), m = panels.size();
  if (at == panels.end()) return go_to_panel(stops, on ? panels.front() : panels.back());
  go_to_panel(stops, panels[(on ? k + 1 : k + m - 1) % m]);
}

// Moves from a control that does not use arrow keys to the nearest such control of its panel in that direction.
void Focus::go_by_arrows(const std::vector<Stop>& stops) {
  const auto now = std::find_if(stops.begin(), stops.end(), [&](const Stop& s) { return s.id == current(); });
  if (now == stops.end() || now->takes != Takes::press || !by_keys_) return;
  const auto way = [&](Key on, Key back) {
    return static_cast<int>(pressed({on}, true)) - static_cast<int>(pressed({back}, true));
  };
  const int along = way(Key::right, Key::left), down = way(Key::down, Key::up);
  if (along == 0 && down == 0) return;
  constexpr float kTouch = 2, kAside = 3, kEdge = 0.01f;  // sideways counts more; of two equal ones the edge decides
  const float reach = 3 * (now->area.y1 - now->area.y0);  // farther controls across a panel are not neighbours
  const auto gap = [](float a0, float a1, float b0, float b1) { return std::max({0.f, b0 - a1, a0 - b1}); };
  float best = FLT_MAX;
  std::size_t to = stops.size();
  for (std::size_t k = 0; k < stops.size(); ++k) {
    const Stop& s = stops[k];
    const Area &a = now->area, &b = s.area;
    if (&s == &*now || s.takes != Takes::press || s.panel != now->panel) continue;
    const float ahead = down > 0 ? b.y0 - a.y1 : down < 0 ? a.y0 - b.y1 : along > 0 ? b.x0 - a.x1 : a.x0 - b.x1;
    if (ahead < -kTouch || ahead > reach) continue;
    const float aside = down != 0 ? gap(a.x0, a.x1, b.x0, b.x1) : gap(a.y0, a.y1, b.y0, b.y1);
    const float edge = down != 0 ? std::abs(b.x0 - a.x0) : std::abs(b.y0 - a.y0);
    const float far = ahead + kAside * aside + kEdge * edge;
    if (far < best) best = far, to = k;
  }
  if (to < stops.size()) go(stops, to);
}

void Focus::end_frame() {
  arrived_ = false;
  if (seen_ > top_)  // a new layer begins with no control
    for (std::size_t k = top_ + 1; k <= seen_; ++k) places_[k] = {};
  top_ = seen_;
  fall_back();
  std::vector<Stop> stops;
  for (const Stop& s : stops_)
    if (s.layer == top_) stops.push_back(s);
  // A list has no stops and closes with Tab. The focus moves on from its field in the next frame.
  if (stops.empty() && top_ > 0) return;
  const auto wanted = std::exchange(wanted_, std::nullopt);
  using To = FocusTo;
  if (wanted == To::none) {
    places_[top_] = {};
    by_keys_ = false;
  } else if (wanted && !stops.empty()) {
    const std::size_t n = stops.size();
    const auto from = next_in(stops, places_[top_]);
    if (wanted == To::menu)
      go_to_panel(stops, "top");
    else if (wanted == To::next)
      go(stops, from ? (*from + 1) % n : 0);
    else if (wanted == To::previous)
      go(stops, from ? (*from + n - 1) % n : n - 1);
    else
      go_by_panel(stops, *wanted == To::next_panel);
  } else if (!ImGui::GetIO().WantTextInput) {
    go_by_arrows(stops);
  }
  takes_ = Takes::keys;
  for (const Stop& s : stops)
    if (s.id == current()) takes_ = s.takes;
}

namespace {

void ring(const Look& l, ImVec2 from, ImVec2 to) {
  const float out = l.u(3), width = std::max(2.f, l.u(2));
  auto* list = ImGui::GetWindowDrawList();
  // The window's clip rectangle would cut an item at its edge.
  const ImVec2 lo = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const ImVec2 a(std::max(lo.x, from.x - out), std::max(lo.y, from.y - out));
  const ImVec2 b(std::min(lo.x + size.x, to.x + out), std::min(lo.y + size.y, to.y + out));
  list->PushClipRect(lo, ImVec2(lo.x + size.x, lo.y + size.y), false);
  list->AddRect(ImVec2(a.x + width / 2, a.y + width / 2), ImVec2(b.x - width / 2, b.y - width / 2),
                u32(l.palette->accent), l.u(5), 0, width);
  list->PopClipRect();
}

// Scrolls an item into the visible part of its window. Of an item higher than that, the beginning is shown.
void show_item_at(ImVec2 from, ImVec2 to) {
  const ImVec2 lo = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  if (from.y < lo.y) ImGui::SetScrollY(std::max(0.f, ImGui::GetScrollY() - (lo.y - from.y) - size.y * 0.1f));
  const float by = std::min(to.y - lo.y - size.y + size.y * 0.1f, from.y - lo.y);
  if (to.y > lo.y + size.y && by > 0) ImGui::SetScrollY(ImGui::GetScrollY() + by);
}

}  // namespace

bool key_pressed(const Look& l, Chord c, bool again) {
  return l.focus ? l.focus->pressed(c, again) : pressed(c, again);
}

Keys key_stop(const Look& l, std::uint32_t id, ImVec2 from, ImVec2 to, Focus::Takes takes) {
  if (!l.focus) return {};
  Focus& f = *l.focus;
  f.add(id, takes, {from.x, from.y, to.x, to.y});
  if (!f.by_keys() || !f.at(id)) return {};
  if (f.arrived(id)) show_item_at(from, to);
  ring(l, from, to);
  Keys k;
  k.has = true;
  if (ImGui::GetIO().WantTextInput) return k;
  k.pressed = f.pressed({Key::enter}) || f.pressed({Key::space});
  k.along = static_cast<int>(f.pressed({Key::right}, true)) - static_cast<int>(f.pressed({Key::left}, true));
  k.down = static_cast<int>(f.pressed({Key::down}, true)) - static_cast<int>(f.pressed({Key::up}, true));
  return k;
}

Keys key_stop(const Look& l, const char* label, Focus::Takes takes) {
  const ImGuiID id = ImGui::GetID(label);
  const Keys keys = key_stop(l, id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), takes);
  if (l.focus && ImGui::IsItemActivated()) l.focus->take(id);
  return keys;
}

void type_here() { ImGui::SetKeyboardFocusHere(-1); }

void text_stop(const Look& l, const char* label, bool now) {
  if (now) type_here();
  if (!l.focus) return;
  const ImGuiID id = ImGui::GetID(label);
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  l.focus->add(id, Focus::Takes::text, {from.x, from.y, to.x, to.y});
  if (ImGui::IsItemActive()) l.focus->take(id);
  if (ImGui::IsItemActive() && !ImGui::GetIO().InputQueueCharacters.empty()) l.focus->use_keys();
  if (!l.focus->by_keys() || !l.focus->at(id)) return;
  ring(l, from, to);
  const bool arrived = l.focus->arrived(id);
  if (arrived) show_item_at(from, to);
  if (arrived || (!ImGui::GetIO().WantTextInput && l.focus->pressed({Key::enter}))) type_here();
}

bool mouse_has_keys(const Look& l) { return !l.focus || !l.focus->by_keys(); }

}  // namespace warpspy::ui
