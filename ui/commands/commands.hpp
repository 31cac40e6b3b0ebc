// THE list of commands. Menus, shortcuts, the action search, the help tab and scripted runs are all made from it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ui/state/command.hpp"

namespace warpspy::ui {

std::span<const Command> commands();
// Those that tables make: views, figures, reorderings, formats. A new row of theirs is a command by itself.
void add_table_commands(std::vector<Command>& all);
const Command* command(const std::string& id);  // nullptr when there is none
// Performs it unless it is disabled. False when there is none of that id or it is disabled.
bool perform(const std::string& id, const AppState& s, ActionSink& out);
// Those whose keys went down since the last frame: the chords that the window heard, or what ImGui saw when there is no
// window (tests). ImGui looks once per frame, so a quick press on a slow machine would be lost.
void perform_shortcuts(const AppState& s, ActionSink& out, const std::optional<std::vector<Chord>>& heard);

}  // namespace warpspy::ui
