// Iterative refinement (Wilkinson 1963; Buttari et al. 2008): iterations in f32 inside steps in f64, so that a solve
// reaches what f32 alone cannot. A step computes r = b - A x in f64, solves A d = r in f32 to a modest tolerance, and
// adds d to x in f64. A RefinementWork decides where this is computed: on a device, or on this machine's processors.
#pragma once

#include <memory>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/solve/system.hpp"

namespace warpspy {

// The iterations of one step end when they have reduced its residual by this factor; f32 reaches it on most systems.
inline constexpr double inner_tolerance = 1e-4;

// Tells how the iterations of one step went; they also compute d.
struct InnerSolve {
  std::vector<double> residuals;  // as SolveResult
  bool broke_down = false;
};
// The operations of refinement, carried out where the vectors are. At first x is the start x0 of the system.
class RefinementWork {
 public:
  virtual ~RefinementWork() = default;
  virtual double residual() = 0;  // r = b - A x in f64; returns |r|
  // Solves A d = scale r in f32, from d = 0 on. The residuals that it returns are relative to |scale r|.
  virtual InnerSolve solve(double scale, const SolveOptions& options) = 0;
  virtual void add() = 0;        // x += d / scale
  virtual void take_back() = 0;  // takes the last add() back; no other call may follow
  virtual std::vector<double> x() = 0;
};
// Refinement on this machine's processors. `inner` is the same system in f32 with its preconditioner; its b and x0 are
// replaced.
std::unique_ptr<RefinementWork> refinement_on_host(const LinearSystem& outer, LinearSystem& inner, Progress& progress);

struct Refined {
  SolveResult result;  // its iterations are those of all steps; after each step the residual is that of f64
  std::vector<double> x;
  int steps = 0;
  double us = 0;  // by the clock, with the iterations
};

// `outer`: the system in f64. The steps end at the tolerance, after the most iterations, or when a step does not halve
// the residual. A step that makes the residual larger is taken back. `scale` is chosen so that all steps end at the
// same absolute residual: |scale r| = inner_tolerance / (the step's tolerance). Throws Cancelled.
Refined refined(RefinementWork& work, const LinearSystem& outer, const SolveOptions& options, const Progress& progress);

}  // namespace warpspy
