// The one list of commands. Menus, shortcuts, the action search, the help tab and scripted runs are all made from it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ui/state/command.hpp"

namespace warpspy::ui {

std::span<const Command> commands();
// The commands of each file of this folder, in the order of menus and lists.
void add_desk_commands(std::vector<Command>& all);
void add_matrix_commands(std::vector<Command>& all);
void add_run_commands(std::vector<Command>& all);
void add_roofline_commands(std::vector<Command>& all);
// Commands that are made from tables: views, figures, reorderings, formats. A new row of such a table is a new command.
void add_table_commands(std::vector<Command>& all);
// Commands that move the focus and divide the window: panels, tabs, matrices, scale.
void add_place_commands(std::vector<Command>& all);
// Makes a Command::why_not: this sentence if the condition does not hold.
std::function<std::string(const AppState&)> only_if(bool (*holds)(const AppState&), const char* else_why);
const Command* command(const std::string& id);  // nullptr when there is none
// Performs the command. Returns false if no command has that id, or it is disabled.
bool perform(const std::string& id, const AppState& s, ActionSink& out);
// Tells what the keyboard is used for now. covered: a dialog, list or menu covers the rest of the window. letters: a
// control reads letters. signs: a control reads plus and minus.
struct Keyboard {
  std::function<bool(Chord, bool again)> pressed;
  bool covered = false, letters = false, signs = false;
};
// Performs the commands whose keys were pressed since the last frame. A control that reads letters gets plain keys, and
// an open dialog, list or menu gets Esc. The focus does not move in covered parts.
void perform_shortcuts(const AppState& s, ActionSink& out, const Keyboard& keyboard);

}  // namespace warpspy::ui
