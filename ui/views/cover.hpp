// Covers parts of the window until the student has predicted the step of a lesson.
#pragma once

#include "ui/views/ui.hpp"

namespace warpspy::ui {

// If this kind of data is covered, draws the cover in the room at the cursor and returns true.
bool draw_cover(const AppState& s, const Ui& ui, Covered what);
// Draws, in place of a covered tab, the sheet on which the question is answered, or the cover.
void draw_covered_tab(const AppState& s, Ui& ui, const std::string& tab);

}  // namespace warpspy::ui
