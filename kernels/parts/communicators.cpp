#include "kernels/parts/communicators.hpp"

#include <string>
#include <utility>

#include "core/base/types.hpp"

namespace warpspy {

Communicators::Communicators(std::vector<int> gpus) : gpus_(std::move(gpus)), all_(gpus_.size()) {
  if (!nccl::library().available)
    throw Error("NCCL is not available: " + nccl::library().reason, {}, nccl::library().remedy);
  nccl::check(nccl::functions()->init_all(all_.data(), static_cast<int>(gpus_.size()), gpus_.data()),
              "joining " + std::to_string(gpus_.size()) + " GPUs");
}

Communicators::~Communicators() {
  for (const nccl::Communicator c : all_)
    if (!aborted_) nccl::functions()->destroy(c);
}

void Communicators::abort() {
  if (std::exchange(aborted_, true)) return;
  for (const nccl::Communicator c : all_) nccl::functions()->abort(c);
}

}  // namespace warpspy
