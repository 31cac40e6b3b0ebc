// What is told of a solve beside its record, since it depends on other runs or on what was measured of the device.
#pragma once

#include <vector>

#include "core/model/copy_share.hpp"
#include "core/run/solve_break_even.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

// Against the solves of this session, and those that were saved before.
SolveBreakEven solve_break_even_of(const AppState& s, const RunRecord& solve);
CopyShare copy_share_of(const AppState& s, const RunRecord& solve);

// What limits a run: its findings; those of a solve judged with the other solves.
std::vector<Finding> findings_of(const AppState& s, const RunRecord& run);

}  // namespace warpspy::ui
