// THE list of commands. Menus, shortcuts, the action search, the help tab and scripted runs are all made from it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ui/state/command.hpp"

namespace warpspy::ui {

std::span<const Command> commands();
// Those of each file of this folder, in the order in which menus and lists show them.
void add_desk_commands(std::vector<Command>& all);
void add_matrix_commands(std::vector<Command>& all);
void add_run_commands(std::vector<Command>& all);
void add_roofline_commands(std::vector<Command>& all);
// Those that tables make: views, figures, reorderings, formats. A new row of theirs is a command by itself.
void add_table_commands(std::vector<Command>& all);
// Those that go from place to place and divide the window: panels, tabs, matrices, scale.
void add_place_commands(std::vector<Command>& all);
// Behind it stands what such a sentence says, where it does not hold.
std::function<std::string(const AppState&)> only_if(bool (*holds)(const AppState&), const char* else_why);
const Command* command(const std::string& id);  // nullptr when there is none
// Performs it unless it is disabled. False when there is none of that id or it is disabled.
bool perform(const std::string& id, const AppState& s, ActionSink& out);
// What the keyboard is used for now. covered: a dialog, list or menu is open over the rest. letters: a control reads
// them. signs: it reads plus and minus.
struct Keyboard {
  std::function<bool(Chord, bool again)> pressed;
  bool covered = false, letters = false, signs = false;
};
// Those whose keys went down since the last frame. Plain keys are left to what reads them, Esc to what covers the
// rest; and what is covered is not walked through.
void perform_shortcuts(const AppState& s, ActionSink& out, const Keyboard& keyboard);

}  // namespace warpspy::ui
