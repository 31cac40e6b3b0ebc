#include "ui/views/shortcuts_panel.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>

#include "ui/platform/compat.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

const Command* named(const Ui& ui, const std::string& id) {
  const auto found = std::find_if(ui.commands.begin(), ui.commands.end(), [&](const Command& c) { return c.id == id; });
  return found == ui.commands.end() ? nullptr : &*found;
}

// The command that has these keys now, other than `own`.
const Command* owner_of(const AppState& s, const Ui& ui, Chord chord, const std::string& own) {
  for (const Command& c : ui.commands)
    if (c.id != own && has_keys(s, c, chord)) return &c;
  return nullptr;
}

}  // namespace

void ShortcutsPanel::leave(Ui& ui) {
  if (!waits_.empty()) ui.takes_keys = false;
  waits_.clear();
  taken_from_.clear();
}

void ShortcutsPanel::draw(const AppState& s, Ui& ui, float height) {
  const Look& l = ui.look;
  const float top = ImGui::GetCursorPosY();
  {
    const FontScope font(*l.fonts, Face::ui, 13);
    ImGui::SetNextItemWidth(l.u(260));
    ImGui::InputTextWithHint("##filter", "find a command or a key", &filter_);
    text_stop(l, "##filter");
  }
  ImGui::SameLine(0, l.u(12));
  if (button(l, "Reset all", Weight::plain, 0, !s.settings.keys.empty())) {
    leave(ui);
    Settings next = s.settings;
    next.keys.clear();
    ui.out(SetSettings{next});
  }
  tip(l, "Every command has its own keys again.");
  ImGui::SameLine(0, l.u(12));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + l.u(6));
  caption(l, "Click keys, or Enter on them; then press others.");
  gap(l, 8);
  listen(s, ui);
  conflict(s, ui);
  ImGui::BeginChild("commands", ImVec2(0, std::max(l.u(60), height - (ImGui::GetCursorPosY() - top))), false);
  for (const Command& c : ui.commands) {
    const std::string words = lower(c.menu + " " + c.label + " " + label_of(keys_of(s, c)));
    if (words.find(lower(filter_)) != std::string::npos) row(s, ui, c);
  }
  end_child();
}

void ShortcutsPanel::row(const AppState& s, Ui& ui, const Command& c) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  ImGui::PushID(c.id.c_str());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float w = ImGui::GetContentRegionAvail().x, h = l.u(24), keys_w = l.u(150);
  auto* list = ImGui::GetWindowDrawList();
  const bool waits = waits_ == c.id, own = has_own_keys(s, c);
  const float keys_x = at.x + w - keys_w - l.u(64);
  draw_text(l, list, ImVec2(at.x, at.y + l.u(4)), Face::ui, 13, p.muted, c.menu.empty() ? "Search" : c.menu);
  draw_text(l, list, ImVec2(at.x + l.u(70), at.y + l.u(4)), Face::ui, 13, p.ink, c.label, keys_x - at.x - l.u(80));
  ImGui::SetCursorScreenPos(ImVec2(keys_x, at.y + l.u(1)));
  const std::string text = label_of(keys_of(s, c));
  const bool clicked = ImGui::InvisibleButton("keys", ImVec2(keys_w, h - l.u(2)));
  if (key_stop(l, "keys", Focus::Takes::press).pressed || clicked) {
    waits_ = waits ? "" : c.id;
    taken_from_.clear();
    ui.takes_keys = !waits_.empty();
  }
  show_item(l, "Keys of " + c.label);
  const bool hot = ImGui::IsItemHovered();
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  list->AddRectFilled(a, b, u32(waits ? p.select : hot ? p.control_hot : p.control), l.u(4));
  if (waits) list->AddRect(a, b, u32(p.accent), l.u(4));
  const std::string shown = waits ? "press the keys" : text.empty() ? "\xE2\x80\x93" : text;
  draw_text(l, list, ImVec2(a.x + l.u(8), a.y + l.u(4)), waits ? Face::ui : Face::mono, 12, own ? p.ink : p.muted,
            shown, keys_w - l.u(12));
  tip(l, c.help + "\nClick, then press other keys. Esc leaves them as they are, Backspace takes them away.");
  if (own) {
    ImGui::SetCursorScreenPos(ImVec2(at.x + w - l.u(56), at.y));
    if (button(l, "Reset", Weight::quiet)) {
      leave(ui);
      Settings next = s.settings;
      next.keys.erase(c.id);
      ui.out(SetSettings{next});
    }
    tip(l, c.keys.key == Key::none ? "It has no keys of its own." : "Its own keys again: " + label_of(c.keys));
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + h));
  ImGui::PopID();
}

// The next chord becomes the command's, unless another command has it.
void ShortcutsPanel::listen(const AppState& s, Ui& ui) {
  if (waits_.empty() || !taken_from_.empty()) return;
  const Chord chord = any_pressed();
  if (chord.key == Key::none) return;
  if (chord == Chord{Key::escape}) return leave(ui);
  if (chord == Chord{Key::backspace}) {
    set(s, ui, {});
    return leave(ui);
  }
  wanted_ = chord;
  if (const Command* other = owner_of(s, ui, chord, waits_)) {
    taken_from_ = other->id;
    return;
  }
  set(s, ui, chord);
  leave(ui);
}

void ShortcutsPanel::conflict(const AppState& s, Ui& ui) {
  const Command* c = named(ui, waits_);
  const Command* other = named(ui, taken_from_);
  if (!c || !other) return;
  const Look& l = ui.look;
  label(l, Face::ui, 13, l.palette->warning, "! " + label_of(wanted_) + " belongs to \"" + other->label + "\".");
  ImGui::SameLine(0, l.u(12));
  if (button(l, "Take it for \"" + c->label + "\"", Weight::primary)) {
    set(s, ui, wanted_);
    return leave(ui);
  }
  ImGui::SameLine(0, l.u(6));
  if (button(l, "Leave it")) leave(ui);
  gap(l, 6);
}

// The command that had the keys before loses them.
void ShortcutsPanel::set(const AppState& s, Ui& ui, Chord chord) const {
  Settings next = s.settings;
  const Command* c = named(ui, waits_);
  if (c && chord == c->keys)
    next.keys.erase(waits_);
  else
    next.keys[waits_] = label_of(chord);
  if (!taken_from_.empty()) next.keys[taken_from_] = "";
  ui.out(SetSettings{next});
}

}  // namespace warpspy::ui
