// Sheets, on which a question of a lesson is answered in a view. A sheet stands in place of a covered tab: it is the
// tab's figure without the data that would show the answer. Later the prediction stays on the figure
// (lesson_ghosts.hpp).
#pragma once

#include <string>

#include "core/plot/plot.hpp"
#include "ui/views/ui.hpp"
#include "ui/widgets/focus.hpp"

struct ImVec2;

namespace warpspy::ui {

// Draws the sheet of the question in the room at the cursor; returns false if this tab has no sheet for it.
bool draw_sheet(const AppState& s, Ui& ui, const std::string& tab);

// Parts of sheets, by kind of question. Each returns the present answer.
std::string sector_sheet(const AppState& s, Ui& ui, ImVec2 size);  // lesson_sheets_warp.cpp
std::string alone_sheet(const AppState& s, Ui& ui, ImVec2 size);
std::string point_sheet(const AppState& s, Ui& ui, ImVec2 size);  // lesson_sheets_roof.cpp
std::string roof_sheet(const AppState& s, Ui& ui, ImVec2 size);
std::string padding_sheet(const AppState& s, Ui& ui, ImVec2 size);  // lesson_sheets_arrays.cpp
std::string k_sheet(const AppState& s, Ui& ui, ImVec2 size);

// Draws the cells of the question's plane as boxes, over this width.
std::string cell_boxes(const AppState& s, Ui& ui, const char* id, float width, float most_height);
// Draws arrays with their names, of which one or several can be chosen.
std::string array_rows(const AppState& s, Ui& ui, float width);

// While the question for K is open, the user drags K in the histogram of row lengths. Returns true if it used the mouse
// and the keys. Afterwards prediction and truth stand there.
bool pick_k(const AppState& s, Ui& ui, const plot::Layout& layout, bool held, const Keys& keys);

}  // namespace warpspy::ui
