// Iterative refinement (Wilkinson 1963; Buttari et al. 2008): iterations in f32 inside steps in f64, so that a solve
// reaches what f32 alone cannot. A step computes r = b - A x in f64, solves A d = r in f32 to a modest tolerance, and
// adds d to x in f64.
#pragma once

#include <functional>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/solve/system.hpp"

namespace warpspy {

// By which the iterations of a step make its residual smaller; f32 reaches it on most systems.
inline constexpr double inner_tolerance = 1e-4;

// What the iterations of one step gave.
struct InnerSolve {
  std::vector<double> x;
  std::vector<double> residuals;  // as SolveResult
  bool broke_down = false;
};
// Solves a system in f32 that begins at 0, whose right-hand side has a length of about 1.
using SolveInner = std::function<InnerSolve(const LinearSystem& inner, const SolveOptions& options)>;

struct Refined {
  SolveResult result;  // its iterations are those of all steps; after each step the residual is that of f64
  std::vector<double> x;
  int steps = 0;
  double steps_us = 0;  // of this machine: residuals and additions in f64, without `solve`
};

// `outer`: the system in f64. `inner`: the same matrix in f32 with its preconditioner; its b and x0 are replaced.
// The steps end at the tolerance, after the most iterations, or when a step does not halve the residual; a step that
// makes it larger does not count. Throws Cancelled.
Refined refined(const LinearSystem& outer, LinearSystem& inner, const SolveOptions& options, const SolveInner& solve,
                Progress& progress);

}  // namespace warpspy
