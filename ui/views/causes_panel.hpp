// Shows the causes of a run's time as bars, and why another run takes more or less time.
#pragma once

#include "ui/views/ui.hpp"

namespace warpspy::ui {

// Draws a bar for each cause of the run's time; nothing if they are not known.
void draw_causes(const AppState& s, Ui& ui, const RunRecord& r, float width);

// Draws the difference of two times, cause by cause: of the baseline and the run that was last compared with it. At
// least two runs must be compared.
void draw_difference(const AppState& s, Ui& ui, float width);

}  // namespace warpspy::ui
