#include "core/run/over_parts.hpp"

namespace warpspy {

std::optional<Error> refused_over_parts(const RunRequest& request, const KernelInfo& kernel, const DeviceInfo& device) {
  if (request.parts == 1) return std::nullopt;
  if (!device.simulated)
    return Error("several real GPUs are not run yet", "parts", "choose a simulated one (--device sim:h200)");
  if (kernel.operation != Operation::product || kernel.format.empty())
    return Error("kernel " + kernel.id + " computes no A x, which is all that is divided among GPUs", "parts",
                 "choose another kernel, or one GPU (--parts 1)");
  if (request.solver == Solver::none) return std::nullopt;
  if (request.preconditioner == Preconditioner::block_jacobi)
    return Error("block Jacobi needs neighbouring rows together, and a part has its boundary rows behind all others",
                 "precond", "choose Jacobi (--precond jacobi), Chebyshev or none, or one GPU (--parts 1)");
  if (request.refine)
    return Error("the steps of a refinement in f64 are not run over parts yet", "refine",
                 "solve in f64, leave refinement out, or choose one GPU (--parts 1)");
  return std::nullopt;
}

}  // namespace warpspy
