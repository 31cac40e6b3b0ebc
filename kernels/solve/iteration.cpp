#include "kernels/solve/iteration.hpp"

#include <utility>

namespace warpspy {

IterationInputs iteration_inputs(const LinearSystem& system, const SolveOptions& options, int unit) {
  IterationInputs in{system, options, unit, residual(system, system.x0), {}};
  if (options.solver == Solver::pipelined_cg) in.w = product(system, preconditioned(system, in.r));
  return in;
}

#if !defined(WARPSPY_HAVE_CUDA)
DeviceIteration device_iteration(const KernelRow&, ProductInputs, const IterationInputs&) {
  throw Error("this build has no CUDA", {}, "solve on a simulated GPU");
}
#endif

namespace solve {

void require_product(const KernelRow& kernel) {
  const KernelInfo& info = kernel.info;
  if (!info.library.empty())
    throw Error("kernel " + info.id + " is " + info.library + "'s, whose x and y a solve cannot share", {},
                "choose a kernel of ours");
  if (info.operation != Operation::product || info.format.empty())
    throw Error("kernel " + info.id + " does not compute A x, which a solve needs", {}, "choose a kernel for products");
}

std::vector<double> first_direction(const IterationInputs& in) {
  std::vector<double> v = preconditioned(in.system, in.options.solver == Solver::pipelined_cg ? in.w : in.r);
  if (in.options.solver != Solver::gmres) return v;
  const double length = norm(in.r);
  for (double& e : v) e = length > 0 ? e / length : 0;
  return v;
}

}  // namespace solve
}  // namespace warpspy
