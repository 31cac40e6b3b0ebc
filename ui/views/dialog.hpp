// A window over the others, with a title, a way to close it, and one main button.
#pragma once

#include <string>

#include "ui/views/ui.hpp"

struct ImVec2;

namespace warpspy::ui {

// Begins the dialog in the middle of the screen (`at_top`: below the top bar). When this returns true, draw the content
// and call end_dialog. Closes on Escape, on the cross and on a click outside.
bool begin_dialog(const AppState& s, Ui& ui, const char* title, ImVec2 size, bool at_top = false);
void end_dialog(Ui& ui);
// Whether Enter was pressed and no focused control uses it: the dialog's main action must then be done.
bool entered(const Look& l);

}  // namespace warpspy::ui
