// Classes that own CUDA objects such as streams and device memory, for .cu files and for .cpp files of a build with
// CUDA. They can be moved but not copied; destructors neither throw nor exit.
#pragma once

#include <cuda_runtime_api.h>

#include <span>
#include <string>
#include <utility>

#include "core/base/types.hpp"

namespace warpspy::cuda {

// Throws Error "what: <CUDA's text>" if `status` is a failure, with a remedy if one is known. Throws DeviceLost if
// nothing can run on the device any more.
void check(cudaError_t status, const std::string& what);

// Free and total memory of the current device.
struct Memory {
  std::size_t free = 0, total = 0;
};
Memory device_memory();
// Throws Error naming both sizes when `bytes` do not fit into the free memory of the current device.
void require_device_memory(const std::string& what, std::size_t bytes);

// Returns the bytes of shared memory that a block of the current device can have at most. Throws Error naming both
// sizes when these are fewer than `bytes`.
int require_shared_memory(const std::string& what, int bytes);
// Throws Error when launches cannot overlap on the current device, or not with code made for compute capability
// `compiled_for` (90).
void require_overlap(const std::string& what, int compiled_for);
// Whether launches can overlap on the current device.
bool launches_overlap();

template <class Handle, cudaError_t (*destroy)(Handle)>
class Owner {
 public:
  Owner() = default;
  explicit Owner(Handle h) : handle_(h) {}
  Owner(Owner&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
  Owner& operator=(Owner&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owner() {
    if (handle_) destroy(handle_);
  }
  Handle get() const { return handle_; }

 private:
  Handle handle_{};
};

class Stream {
 public:
  Stream();
  cudaStream_t get() const { return stream_.get(); }
  void synchronize() const;

 private:
  Owner<cudaStream_t, cudaStreamDestroy> stream_;
};

class Event {
 public:
  Event();
  cudaEvent_t get() const { return event_.get(); }
  void record(const Stream& stream) const;
  void synchronize() const;
  // Milliseconds from `start` to this event, once both have happened.
  double milliseconds_since(const Event& start) const;

 private:
  Owner<cudaEvent_t, cudaEventDestroy> event_;
};

// A recorded sequence of launches that one call starts.
class Graph {
 public:
  // Captures `count` calls of enqueue(stream).
  template <class F>
  static Graph of(const Stream& stream, int count, F&& enqueue) {
    begin_capture(stream);
    try {
      for (int i = 0; i < count; ++i) enqueue(stream);
    } catch (...) {
      cancel_capture(stream);
      throw;
    }
    return Graph(stream);
  }
  void launch(const Stream& stream) const;

 private:
  explicit Graph(const Stream& stream);  // ends the capture
  static void begin_capture(const Stream& stream);
  static void cancel_capture(const Stream& stream) noexcept;
  Owner<cudaGraphExec_t, cudaGraphExecDestroy> graph_;
};

// Waits until copies and fills on the default stream have ended. They may still be under way when their calls return,
// and our streams do not wait for that stream. `what`: what an error says was being done.
void await_copies(const std::string& what);

// Device memory as bytes; DeviceBuffer<T> is the typed one.
class DeviceBytes {
 public:
  DeviceBytes() = default;
  explicit DeviceBytes(std::size_t bytes);
  void* data() const { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }
  void upload(const void* from) const;
  void download(void* to) const;
  // Sets every byte to 0xff, which is NaN as f32 and as f64. So a read of memory that nobody has written shows in the
  // result.
  void poison() const;

 private:
  Owner<void*, cudaFree> memory_;
  std::size_t bytes_ = 0;
};

// Enqueues a kernel that reads all of `memory`, which must have been filled. If it is larger than L2, L2 then has no
// other data.
void read_all(const Stream& stream, const DeviceBytes& memory);
// Returns the operand with which a load asks L2 to evict `share` of an array last (simt::EvictLast). The GPU computes
// it, once for each share.
std::uint64_t l2_wish(float share);

// An array of `size` elements on the current device.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t size) : bytes_(size * sizeof(T)) {}
  explicit DeviceBuffer(std::span<const T> host) : DeviceBuffer(host.size()) { bytes_.upload(host.data()); }
  T* data() const { return static_cast<T*>(bytes_.data()); }
  std::size_t size() const { return bytes_.bytes() / sizeof(T); }
  std::size_t bytes() const { return bytes_.bytes(); }
  void poison() const { bytes_.poison(); }
  void download(std::span<T> host) const { bytes_.download(host.data()); }

 private:
  DeviceBytes bytes_;
};

}  // namespace warpspy::cuda
