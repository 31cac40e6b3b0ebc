// Iterative refinement (Wilkinson 1963; Buttari et al. 2008): iterations in f32 inside steps in f64, so that a solve
// reaches what f32 alone cannot. A step computes r = b - A x in f64, solves A d = r in f32 to a modest tolerance, and
// adds d to x in f64. Where that is done is the work's (RefinementWork).
#pragma once

#include <memory>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/solve/system.hpp"

namespace warpspy {

// By which the iterations of a step make its residual smaller; f32 reaches it on most systems.
inline constexpr double inner_tolerance = 1e-4;

// What the iterations of one step gave, beside d.
struct InnerSolve {
  std::vector<double> residuals;  // as SolveResult
  bool broke_down = false;
};
// Does the work of the steps, where the vectors are. x is the start of the system at first.
class RefinementWork {
 public:
  virtual ~RefinementWork() = default;
  virtual double residual() = 0;  // r = b - A x in f64; returns |r|
  // Solves A d = scale r in f32, from d = 0 on. Its residuals are parts of |scale r|.
  virtual InnerSolve solve(double scale, const SolveOptions& options) = 0;
  virtual void add() = 0;        // x += d / scale
  virtual void take_back() = 0;  // the last addition; nothing follows
  virtual std::vector<double> x() = 0;
};
// This machine's processors do it. `inner`: the same matrix in f32 with its preconditioner; its b and x0 are replaced.
std::unique_ptr<RefinementWork> refinement_on_host(const LinearSystem& outer, LinearSystem& inner, Progress& progress);

struct Refined {
  SolveResult result;  // its iterations are those of all steps; after each step the residual is that of f64
  std::vector<double> x;
  int steps = 0;
  double us = 0;  // by the clock, with the iterations
};

// `outer`: the system in f64. The steps end at the tolerance, after the most iterations, or when a step does not halve
// the residual; a step that makes it larger does not count. |scale r| is inner_tolerance / the tolerance of the step,
// so that all steps end at the same length of the residual. Throws Cancelled.
Refined refined(RefinementWork& work, const LinearSystem& outer, const SolveOptions& options, const Progress& progress);

}  // namespace warpspy
