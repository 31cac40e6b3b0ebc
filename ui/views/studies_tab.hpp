// The parts of the tab Studies: the list, and one study.
#pragma once

#include "core/study/report.hpp"
#include "ui/views/ui.hpp"
#include "ui/widgets/table.hpp"

struct ImVec2;

namespace warpspy::ui {

// Its sign and word, and what it is drawn in: quiet, but for what differs.
const char* sign_of(CellVerdict v);
Color ink_of(CellVerdict v, const Palette& p);

// Every study, paper by paper; a row opens one.
void draw_study_list(const AppState& s, Ui& ui, ImVec2 size);
// Its head: what it is, what it costs, run and stop, what it came to.
void draw_study_head(const AppState& s, Ui& ui, const OpenStudy& study);
// A row for each cell; one is looked at.
// `seen`: the cell that was scrolled to last.
void draw_study_cells(const AppState& s, Ui& ui, const OpenStudy& study, ImVec2 size, std::size_t& seen);
// The cell that is looked at: how it is made again, what agrees, and the ways to its run.
void draw_study_cell(const AppState& s, Ui& ui, const OpenStudy& study);

}  // namespace warpspy::ui
