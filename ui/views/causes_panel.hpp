// What a run's time is made of, as bars; and why another run takes more or less.
#pragma once

#include "ui/views/ui.hpp"

namespace warpspy::ui {

// A bar for each cause of the run's time; nothing where they are not known.
void draw_causes(const AppState& s, Ui& ui, const RunRecord& r, float width);

// The baseline and the run that was compared with it last, of which there are at least two: the difference of their
// times, cause by cause.
void draw_difference(const AppState& s, Ui& ui, float width);

}  // namespace warpspy::ui
