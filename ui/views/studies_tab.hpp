// The parts of the tab Studies: the list, and one study.
#pragma once

#include "core/study/report.hpp"
#include "ui/views/ui.hpp"
#include "ui/widgets/table.hpp"

struct ImVec2;

namespace warpspy::ui {

// The sign, word and colour of a verdict; only cells that differ have a strong colour.
const char* sign_of(CellVerdict v);
Color ink_of(CellVerdict v, const Palette& p);

// Draws the list of studies, paper by paper; a click on a row opens one.
void draw_study_list(const AppState& s, Ui& ui, ImVec2 size);
// Draws the head of a study: its title, how long it takes, buttons to run and stop, and a summary of results.
void draw_study_head(const AppState& s, Ui& ui, const OpenStudy& study);
// Draws a row for each cell; one is selected. `seen`: the cell to which the table scrolled last.
void draw_study_cells(const AppState& s, Ui& ui, const OpenStudy& study, ImVec2 size, std::size_t& seen);
// Draws the selected cell: how its number is made again, its tolerance, and buttons to its run.
void draw_study_cell(const AppState& s, Ui& ui, const OpenStudy& study);

}  // namespace warpspy::ui
