// A device that is busy with copies of other work, as where several programs share it.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <thread>

namespace warpspy::testing {

class BusyDevice {
 public:
  BusyDevice() : thread_([this] { copy(); }) {}
  BusyDevice(const BusyDevice&) = delete;
  BusyDevice& operator=(const BusyDevice&) = delete;
  ~BusyDevice() {
    ended_ = true;
    thread_.join();
  }

 private:
  // Copies of 256 MiB from pinned memory take some milliseconds each; two are always under way.
  void copy() const {
    constexpr std::size_t bytes = std::size_t{256} << 20;
    void *host = nullptr, *there = nullptr;
    cudaStream_t stream{};
    cudaMallocHost(&host, bytes);
    cudaMalloc(&there, bytes);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    while (!ended_) {
      for (int k = 0; k < 2; ++k) cudaMemcpyAsync(there, host, bytes, cudaMemcpyHostToDevice, stream);
      cudaStreamSynchronize(stream);
    }
    cudaStreamDestroy(stream);
    cudaFree(there);
    cudaFreeHost(host);
  }

  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

}  // namespace warpspy::testing
