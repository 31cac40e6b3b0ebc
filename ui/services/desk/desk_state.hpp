// Converts the window's state to a desk (what is on the screen, as data) and back. It uses no files.
#pragma once

#include <string>

#include "core/session/desk.hpp"
#include "ui/figures/figure.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

// Returns the present desk; every run has its record.
Desk desk_of(const AppState& s);

// Returns the desk that opening a figure's file restores, as JSON: the figure's tab, its matrices, its runs and all
// choices. It contains complete runs, unless they would make the file too large, since the file may be opened on
// another machine.
std::string desk_of_figure(const AppState& s, const Figure& figure);

// Removes paths of output files and the division of the window: the desk in a figure's file does not have them.
void leave_own(Desk& desk);

}  // namespace warpspy::ui
