// What is true beside what was predicted: both stay.
#pragma once

#include "ui/views/ui.hpp"

namespace warpspy::ui {

// At the cursor, so wide: the mark, and the prediction as a ghost beside the truth.
void draw_reveal(const AppState& s, Ui& ui, float width);
// And why it is so.
void draw_why(const AppState& s, Ui& ui, float width);

// "right", "half of it", "not right".
const char* mark_text(double mark);

}  // namespace warpspy::ui
