#include "core/run/over_parts.hpp"

#include "core/catalog/host.hpp"

namespace warpspy {

std::optional<Error> refused_over_parts(const RunRequest& request, const KernelInfo& kernel, const DeviceInfo& device) {
  if (request.parts == 1) return std::nullopt;
  if (kernel.operation != Operation::product || kernel.format.empty())
    return Error("kernel " + kernel.id + " computes no A x, which is all that is divided among GPUs", "parts",
                 "choose another kernel, or one GPU (--parts 1)");
  if (!kernel.library.empty())
    return Error("kernel " + kernel.id + " is " + kernel.library + "'s, whose x and y parts cannot share", "parts",
                 "choose a kernel of ours, or one GPU (--parts 1)");
  if (!device.simulated) {
    if (request.cache_state == CacheState::cold)
      return Error("products of several real GPUs follow one another, so caches are warm", "cache_state",
                   "leave --cold out, or choose simulated GPUs");
    const auto overlap = request.params.find("overlap");
    if (overlap != request.params.end() && overlap->second != 0)
      return Error("a product over parts waits for other GPUs, so the next one cannot begin early", "overlap",
                   "leave overlap out, or choose one GPU (--parts 1)");
  }
  if (request.solver == Solver::none) return std::nullopt;
  if (request.preconditioner == Preconditioner::block_jacobi)
    return Error("block Jacobi needs neighbouring rows together, and a part has its boundary rows behind all others",
                 "precond", "choose Jacobi (--precond jacobi), Chebyshev or none, or one GPU (--parts 1)");
  if (request.refine)
    return Error("the steps of a refinement in f64 are not run over parts yet", "refine",
                 "solve in f64, leave refinement out, or choose one GPU (--parts 1)");
  return std::nullopt;
}

std::vector<const DeviceInfo*> real_gpus_from(const std::vector<DeviceInfo>& devices, const std::string& id,
                                              std::uint64_t most) {
  std::vector<const DeviceInfo*> gpus;
  for (const DeviceInfo& d : devices) {
    if (gpus.size() == most) break;
    if (d.simulated || !d.available || host_of(d.id) != host_of(id)) continue;
    if (d.id == id || !gpus.empty()) gpus.push_back(&d);
  }
  return gpus;
}

}  // namespace warpspy
