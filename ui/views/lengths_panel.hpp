// Shows the row lengths of two matrices in one figure. A click on a curve selects its matrix, and the rows of that
// length.
#pragma once

#include "ui/views/ui.hpp"

struct ImVec2;

namespace warpspy::ui {

void draw_lengths(const AppState& s, Ui& ui, ImVec2 size, const OpenMatrix& left, const OpenMatrix& right);

}  // namespace warpspy::ui
