#include "kernels/solve/iteration.hpp"

#include <utility>

#include "kernels/solve/refinement.hpp"

namespace warpspy {

IterationInputs iteration_inputs(const LinearSystem& system, const SolveOptions& options, int unit) {
  IterationInputs in{system, options, unit, residual(system, system.x0), {}, {}, {}};
  in.x = preconditioned(system, in.r);
  if (options.solver == Solver::pipelined_cg) {
    in.u = std::move(in.x);
    in.w = product(system, in.u);
    in.x = preconditioned(system, in.w);
  }
  if (options.solver == Solver::gmres) {
    const double length = norm(in.r);
    for (double& e : in.x) e = length > 0 ? e / length : 0;
  }
  return in;
}

IterationInputs restarting_inputs(LinearSystem& system, const SolveOptions& options, int unit) {
  const std::vector<double> zeros(static_cast<std::size_t>(system.rows()));
  system.x0 = zeros;
  system.b_norm = 1;
  return {system, options, unit, system.b, zeros, zeros, zeros, true};
}

#if !defined(WARPSPY_HAVE_CUDA)
DeviceRefinement device_refinement(const KernelRow&, ProductInputs, const LinearSystem&) {
  throw Error("this build has no CUDA", {}, "solve on a simulated GPU");
}
DeviceIteration device_iteration(const KernelRow&, ProductInputs, const IterationInputs&) {
  throw Error("this build has no CUDA", {}, "solve on a simulated GPU");
}
#endif

CgCoefficients cg_coefficients(const IterationPlan& plan, int launched,
                               const std::function<std::vector<double>(const std::string&)>& state) {
  const std::vector<double> rr = state("rr"), rz = state("rz"), alpha = state("alpha");
  const auto first = static_cast<std::size_t>(plan.first_slot), end = first + static_cast<std::size_t>(launched);
  CgCoefficients cg{.rz = {rz.at(first)}, .alpha = {}};
  for (std::size_t slot = first; slot < end && rr.at(slot) > plan.enough; ++slot) {
    cg.alpha.push_back(alpha.at(slot));
    if (!(alpha.at(slot) > 0)) break;
    cg.rz.push_back(rz.at(slot + 1));
  }
  return cg;
}

namespace solve {

void require_product(const KernelRow& kernel) {
  const KernelInfo& info = kernel.info;
  if (info.operation != Operation::product || info.format.empty())
    throw Error("kernel " + info.id + " does not compute A x, which a solve needs", {}, "choose a kernel for products");
}

}  // namespace solve
}  // namespace warpspy
