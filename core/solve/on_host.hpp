// The methods on this machine's processors, in the precision of the system. They do what the kernels of kernels/solve
// do, so that they give the numbers of a modelled solve, and a test can compare the kernels with them.
#pragma once

#include <vector>

#include "core/jobs/progress.hpp"
#include "core/solve/system.hpp"

namespace warpspy {

// `x` gets the last iterate, whatever the end. Throws Cancelled.
SolveResult solve_on_host(const LinearSystem& s, const SolveOptions& options, Progress& progress,
                          std::vector<double>& x);

// At most `most_iterations` of CG, for what they leave beside x. `us`: their time here. Throws Cancelled.
CgCoefficients cg_on_host(const LinearSystem& s, const SolveOptions& options, Progress& progress);

// Fills `end` and `why` of a result whose residuals are known. `broke_down`: the method could not go on. `last`: the
// true residual of the last iterate is in the result already.
void judge(SolveResult& r, const SolveOptions& options, bool broke_down);

}  // namespace warpspy
