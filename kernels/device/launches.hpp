// The launches of one product on a CUDA device. Code that does not depend on the kernel's type is compiled once, here,
// and not for each of hundreds of kernels.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/spmv/spmv.hpp"

namespace warpspy {

class DeviceLaunches {
 public:
  explicit DeviceLaunches(std::string kernel) : kernel_(std::move(kernel)) {}

  // Adds a launch of `function`, which takes (Code, bool overlap). Throws Error if this device cannot launch it with
  // this grid and block.
  template <class Code>
  void add(void (*function)(Code, bool), const LaunchSpec& spec, const Code& code, bool overlap) {
    static_assert(std::is_trivially_copyable_v<Code> && alignof(Code) <= alignof(std::max_align_t));
    add(reinterpret_cast<const void*>(function), spec, &code, sizeof code, overlap);
  }

  const std::vector<LaunchShape>& shapes() const { return shapes_; }
  // Adds the first `count` launches once more, after all others.
  void repeat(std::size_t count);
  // Lets each launch so far begin while the launch before it ends, if the device and all their code can.
  void overlap_all();
  void run(cudaStream_t stream) const;
  void run_one(std::size_t index, cudaStream_t stream) const;

 private:
  struct Launch {
    const void* function;
    std::shared_ptr<std::max_align_t[]> code;
    LaunchSpec spec;
    bool overlap;
    int compiled_for;                         // compute capability
    void enqueue(cudaStream_t stream) const;  // run() checks for errors
  };
  void add(const void* function, const LaunchSpec& spec, const void* code, std::size_t bytes, bool overlap);

  std::string kernel_;
  std::vector<LaunchShape> shapes_;
  std::vector<Launch> launches_;
};

}  // namespace warpspy
