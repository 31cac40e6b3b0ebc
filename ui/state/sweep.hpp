// Makes the plan of a sweep from the choices in the window.
#pragma once

#include "core/run/sweep.hpp"
#include "ui/state/actions.hpp"

namespace warpspy::ui {

struct AppState;

// Matrices that failed to open are left out. Parameters that are not swept are those of the run panel.
SweepPlan sweep_plan(const AppState& s, const StartSweep& a);

}  // namespace warpspy::ui
