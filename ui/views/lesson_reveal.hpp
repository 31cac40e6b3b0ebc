// Shows the truth beside the prediction.
#pragma once

#include "ui/views/ui.hpp"

namespace warpspy::ui {

// Draws, with this width, the mark, and the prediction beside the truth.
void draw_reveal(const AppState& s, Ui& ui, float width);
// Draws the sentence that explains the truth.
void draw_why(const AppState& s, Ui& ui, float width);

// The mark of an answer in words: "right", "half of it", "not right".
const char* mark_text(double mark);
// The sign of a mark: a tick, "!" for a part of the mark, or a cross.
const char* mark_sign(double mark);

}  // namespace warpspy::ui
