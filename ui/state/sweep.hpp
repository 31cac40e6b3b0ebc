// What a sweep that is asked for in the window is, as a plan.
#pragma once

#include "core/run/sweep.hpp"
#include "ui/state/actions.hpp"

namespace warpspy::ui {

struct AppState;

// Matrices that failed to open are left out. Parameters that are not swept are those of the run panel.
SweepPlan sweep_plan(const AppState& s, const StartSweep& a);

}  // namespace warpspy::ui
