// Runs the steps of iterative refinement on a CUDA device. x, its residuals in f64 and the iterations in f32 stay there
// between the steps. The host only reads |r| and the residuals of the iterations.
#pragma once

#include <memory>

#include "core/solve/refine.hpp"
#include "kernels/solve/refinement.hpp"
#include "profiling/timing/solve_timing.hpp"

namespace warpspy {

class RefinementOnDevice : public RefinementWork {
 public:
  virtual double solve_us() const = 0;             // of the iterations of all steps
  virtual const SolveTiming& longest() const = 0;  // of the step with the most samples
};
// `iteration` begins anew (restarting_inputs), for the same matrix in f32 and with inner_tolerance; both must live as
// long as the result, and so must `progress`. Throws Error when the build has no CUDA or CUDA reports a failure;
// solve() also throws Cancelled.
std::unique_ptr<RefinementOnDevice> refinement_on_device(const DeviceIteration& iteration,
                                                         const DeviceRefinement& refinement, index_t rows,
                                                         std::uint64_t most_iterations, const Progress& progress);

}  // namespace warpspy
