// Finds what limits a solve: whether it converged, where the time of an iteration goes, and whether its format pays.
#pragma once

#include <vector>

#include "core/run/record.hpp"
#include "core/run/solve_break_even.hpp"

namespace warpspy {

// Findings of a run that is a solve, the most important first; empty for any other run. Over several GPUs also those
// of its parts. `break_even` tells from how
// many iterations on the solve's format pays. If it is nullptr or not known, only the solve's own preparation is
// considered. A finding that comes from a break-even depends on other runs, so it is computed when it is shown and is
// not saved.
std::vector<Finding> diagnose_solve(const RunRecord& r, const SolveBreakEven* break_even = nullptr);

}  // namespace warpspy
