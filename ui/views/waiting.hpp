// What a view says that has nothing to show yet, since something is under way or has failed.
#pragma once

#include "ui/views/ui.hpp"

namespace warpspy::ui {

// The matrix is being read, or could not be opened. False: it is neither, and nothing was drawn.
bool waits_for_matrix(const Ui& ui, const OpenMatrix* m);
// The current matrix, or its run that is under way.
bool waits_for_run(const AppState& s, const Ui& ui);

}  // namespace warpspy::ui
