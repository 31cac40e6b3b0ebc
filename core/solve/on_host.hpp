// The solve methods on this machine's processors, in the precision of the system. They compute the same steps as the
// kernels of kernels/solve. So they give the numbers of a solve whose GPU is only modelled, and tests compare the
// kernels with them.
#pragma once

#include <vector>

#include "core/jobs/progress.hpp"
#include "core/solve/system.hpp"

namespace warpspy {

// Solves the system. `x` gets the last iterate, however the solve ended. Throws Cancelled.
SolveResult solve_on_host(const LinearSystem& s, const SolveOptions& options, Progress& progress,
                          std::vector<double>& x);

// Runs at most `most_iterations` iterations of CG and returns their coefficients instead of x; the eigenvalues of A are
// estimated from these. `us` is their time on this machine. Throws Cancelled.
CgCoefficients cg_on_host(const LinearSystem& s, const SolveOptions& options, Progress& progress);

// Fills `end` and `why` of a result whose residuals are known. `broke_down` means that the method could not go on, for
// example because it would divide by 0.
void judge(SolveResult& r, const SolveOptions& options, bool broke_down);

}  // namespace warpspy
