// What a lesson covers until its step is predicted.
#pragma once

#include "ui/views/ui.hpp"

namespace warpspy::ui {

// Draws the cover in the room at the cursor and returns true where it is covered.
bool draw_cover(const AppState& s, const Ui& ui, Covered what);
// In the place of a tab that is covered: the sheet on which the question is answered there, or the cover.
void draw_covered_tab(const AppState& s, Ui& ui, const std::string& tab);

}  // namespace warpspy::ui
