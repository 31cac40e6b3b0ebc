// THE list of commands. Menus, shortcuts, the action search, the help tab and scripted runs are all made from it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ui/actions.hpp"
#include "ui/platform/input.hpp"

namespace warpspy::ui {

struct Command {
  const char* id;
  const char* menu;  // "File"; "" for none
  const char* label;
  Chord keys;
  const char* help;
  std::function<bool(const AppState&)> enabled;  // empty: always
  std::function<void(const AppState&, ActionSink&)> perform;
  std::function<bool(const AppState&)> checked = {};
  bool line_above = false;  // in the menu
};
std::span<const Command> commands();
// Those that the tables of reorderings and formats make: a new row of theirs is a command by itself.
void add_table_commands(std::vector<Command>& out);
const Command* command(const std::string& id);  // nullptr when there is none
// Performs it unless it is disabled. False when there is none of that id or it is disabled.
bool perform(const std::string& id, const AppState& s, ActionSink& out);
// Those whose keys went down since the last frame: the chords that the window heard, or what ImGui saw when there is no
// window (tests). ImGui looks once per frame, so a quick press on a slow machine would be lost.
void perform_shortcuts(const AppState& s, ActionSink& out, const std::optional<std::vector<Chord>>& heard);

}  // namespace warpspy::ui
