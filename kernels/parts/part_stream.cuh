// Streams and events of a GPU that works together with others.
#pragma once

#include "kernels/device/device_product.cuh"

namespace warpspy::parts {

// A stream for messages is served before others: its small kernels need not wait until a product leaves room.
class PartStream {
 public:
  explicit PartStream(bool for_messages) {
    int last = 0, first = 0;
    cudaStream_t s{};
    cuda::check(cudaDeviceGetStreamPriorityRange(&last, &first), "creating a CUDA stream");
    cuda::check(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, for_messages ? first : last),
                "creating a CUDA stream");
    stream_ = cuda::Owner<cudaStream_t, cudaStreamDestroy>(s);
  }
  cudaStream_t get() const { return stream_.get(); }

 private:
  cuda::Owner<cudaStream_t, cudaStreamDestroy> stream_;
};

// An event for which other streams wait, or, if `timed`, that has a time.
class Mark {
 public:
  explicit Mark(bool timed = false) {
    cudaEvent_t e{};
    cuda::check(cudaEventCreateWithFlags(&e, timed ? cudaEventDefault : cudaEventDisableTiming),
                "creating a CUDA event");
    event_ = cuda::Owner<cudaEvent_t, cudaEventDestroy>(e);
  }
  cudaEvent_t get() const { return event_.get(); }
  void record(const PartStream& s) const { cuda::check(cudaEventRecord(get(), s.get()), "recording a CUDA event"); }
  // Inside a graph: each launch of the graph records it.
  void record_in_graph(const PartStream& s) const {
    cuda::check(cudaEventRecordWithFlags(get(), s.get(), cudaEventRecordExternal), "recording a CUDA event");
  }
  void hold(const PartStream& s) const {
    cuda::check(cudaStreamWaitEvent(s.get(), get(), 0), "exchanging numbers between GPUs");
  }

 private:
  cuda::Owner<cudaEvent_t, cudaEventDestroy> event_;
};

inline double us_between(const Mark& from, const Mark& to) {
  float ms = 0;
  cuda::check(cudaEventElapsedTime(&ms, from.get(), to.get()), "reading a CUDA timer");
  return 1e3 * ms;
}

}  // namespace warpspy::parts
