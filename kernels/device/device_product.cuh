// Any product kernel on a CUDA device.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>

#include "kernels/device/cuda.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy {

template <class Code>
__global__ void spmv_kernel(const Code code) {
  code(
      simt::Thread{static_cast<std::int64_t>(blockIdx.x), static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x)});
}

// Uploads the arrays of one product and keeps them.
template <class T>
class DeviceMemory {
 public:
  // To keep nvcc's work small: 32-bit columns, row pointers of both widths.
  template <class Ptr, class Col>
  static constexpr bool compiled = sizeof(Col) == 4;

  DeviceMemory(std::span<const double> x, index_t rows) : x_(x.begin(), x.end()), y_(static_cast<std::size_t>(rows)) {
    y_.poison();
  }

  template <class E>
  simt::Array<E> in(const char*, std::span<E> host) {
    cuda::DeviceBytes& bytes = arrays_.emplace_back(host.size_bytes());
    bytes.upload(host.data());
    return {static_cast<E*>(bytes.data()), static_cast<std::int64_t>(host.size())};
  }
  template <class>
  simt::Array<const T> x() {
    return in("x", std::span<const T>(x_));
  }
  template <class>
  simt::Array<T> y() {
    return {y_.data(), static_cast<std::int64_t>(y_.size())};
  }
  std::vector<double> download_y() const {
    std::vector<T> host(y_.size());
    y_.download(host);
    return {host.begin(), host.end()};
  }
  std::size_t bytes() const {
    std::size_t sum = y_.bytes();
    for (const cuda::DeviceBytes& a : arrays_) sum += a.bytes();
    return sum;
  }

 private:
  std::vector<T> x_;
  cuda::DeviceBuffer<T> y_;
  std::vector<cuda::DeviceBytes> arrays_;
};

template <class Kernel, class T>
class DeviceSpmv final : public DeviceProduct {
 public:
  DeviceSpmv(const typename Kernel::Input& a, const typename Kernel::Params& params, std::span<const double> x)
      : memory_(x, a.rows()),
        shape_(row_grid(Kernel::info().id, a.rows(), Kernel::rows_per_block(params), params.block_size)) {
    Kernel::template bind<T>(a, params, memory_, [this]<class Code>(const Code& code) {
      cudaFuncAttributes attributes{};
      cuda::check(cudaFuncGetAttributes(&attributes, spmv_kernel<Code>), "loading kernel " + Kernel::info().id);
      shape_.registers = attributes.numRegs;
      shape_.shared_bytes = static_cast<int>(attributes.sharedSizeBytes);
      launch_ = [this, code](cudaStream_t stream) {
        spmv_kernel<<<static_cast<unsigned>(shape_.grid), static_cast<unsigned>(shape_.block), 0, stream>>>(code);
      };
    });
    if (!launch_)
      throw Error("kernel " + Kernel::info().id + " has no CUDA version for 64-bit column indices", {},
                  "run it in the emulator, or use a matrix with fewer than 2^31 columns");
  }

  LaunchShape shape() const override { return shape_; }
  void launch(void* stream) override {
    launch_(static_cast<cudaStream_t>(stream));
    cuda::check(cudaGetLastError(), "launching kernel " + Kernel::info().id);
  }
  std::vector<double> y() override {
    cuda::check(cudaDeviceSynchronize(), "running kernel " + Kernel::info().id);
    return memory_.download_y();
  }
  std::size_t device_bytes() const override { return memory_.bytes(); }

 private:
  DeviceMemory<T> memory_;
  LaunchShape shape_;
  std::function<void(cudaStream_t)> launch_;
};

template <class Kernel>
std::unique_ptr<DeviceProduct> on_device(std::shared_ptr<const Format> format, Precision precision,
                                         const ParamSet& params, std::span<const double> x) {
  const KernelInfo info = Kernel::info();
  const auto& a = input_of<typename Kernel::Input>(info, *format);
  require_inputs(a, precision, x.size());
  const auto p = params_of(Kernel::fields(), params);
  const auto vectors = static_cast<std::size_t>(a.rows() + a.cols()) * static_cast<std::size_t>(bytes_of(precision));
  cuda::require_device_memory("format " + format->id() + " with x and y", format->size().bytes() + vectors);
  if (precision == Precision::f32) return std::make_unique<DeviceSpmv<Kernel, float>>(a, p, x);
  return std::make_unique<DeviceSpmv<Kernel, double>>(a, p, x);
}

}  // namespace warpspy
