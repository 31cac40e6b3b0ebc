// Draws what a view shows while its data are not ready, or could not be made.
#pragma once

#include "ui/views/ui.hpp"

namespace warpspy::ui {

// If the matrix is being read, or could not be opened, draws a sentence on that and returns true. Otherwise it draws
// nothing and returns false.
bool waits_for_matrix(const Ui& ui, const OpenMatrix* m);
// Does the same for the current matrix and its running run.
bool waits_for_run(const AppState& s, const Ui& ui);

}  // namespace warpspy::ui
