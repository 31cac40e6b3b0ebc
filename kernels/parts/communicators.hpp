// NCCL's communicators of some GPUs of this machine, one for each.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/vendor/nccl.hpp"

namespace warpspy {

class Communicators {
 public:
  // Each GPU once; making them takes up to some seconds. Throws Error if NCCL is missing or refuses.
  explicit Communicators(std::vector<int> gpus);
  ~Communicators();
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  const std::vector<int>& gpus() const { return gpus_; }
  nccl::Communicator of(std::size_t gpu) const { return all_[gpu]; }
  // Ends what waits for messages that never come. They are of no use then.
  void abort();
  bool aborted() const { return aborted_; }

 private:
  std::vector<int> gpus_;
  std::vector<nccl::Communicator> all_;
  bool aborted_ = false;
};

}  // namespace warpspy
