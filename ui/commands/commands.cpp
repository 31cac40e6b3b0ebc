#include "ui/commands/commands.hpp"

#include <imgui.h>

#include <cctype>
#include <string>
#include <vector>

namespace warpspy::ui {

namespace {

const std::vector<Command>& all() {
  static const std::vector<Command> every = [] {
    std::vector<Command> out;
    add_desk_commands(out);
    add_matrix_commands(out);
    add_run_commands(out);
    add_roofline_commands(out);
    add_place_commands(out);
    add_table_commands(out);
    return out;
  }();
  return every;
}

}  // namespace

std::span<const Command> commands() { return all(); }

const Command* command(const std::string& id) {
  for (const auto& c : all())
    if (id == c.id) return &c;
  return nullptr;
}

bool perform(const std::string& id, const AppState& s, ActionSink& out) {
  const Command* c = command(id);
  if (!c || !why_not(s, *c).empty()) return false;
  c->perform(s, out);
  return true;
}

void perform_shortcuts(const AppState& s, ActionSink& out, const Keyboard& keyboard) {
  const bool typing = ImGui::GetIO().WantTextInput;
  for (const auto& c : all()) {
    const Chord keys = keys_of(s, c);
    const bool plain = !keys.ctrl && static_cast<int>(keys.key) < 256;
    const bool sign = keys.key == key('=') || keys.key == key('-');
    const bool letter = plain && std::isalnum(static_cast<int>(keys.key)) != 0;
    if (plain && (typing || keyboard.covered || (sign && keyboard.signs))) continue;
    if (letter && keyboard.letters) continue;
    if ((keys.key == Key::escape || c.of_desk) && keyboard.covered) continue;
    if (typing && (c.of_text || keys.key == Key::escape)) continue;
    const Chord also = has_own_keys(s, c) ? Chord{} : c.also;
    const auto is_down = [&](Chord chord) { return chord.key != Key::none && keyboard.pressed(chord, c.repeats); };
    if ((is_down(keys) || is_down(also)) && why_not(s, c).empty()) c.perform(s, out);
  }
}

std::function<std::string(const AppState&)> only_if(bool (*holds)(const AppState&), const char* else_why) {
  return [holds, else_why](const AppState& s) { return std::string(holds(s) ? "" : else_why); };
}

}  // namespace warpspy::ui
