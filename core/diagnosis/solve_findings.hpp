// What limits a solve: whether it converged, what an iteration's time goes to, and whether its format pays.
#pragma once

#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

// Findings of a run that is a solve, the most important first; empty for any other run.
std::vector<Finding> diagnose_solve(const RunRecord& r);

}  // namespace warpspy
