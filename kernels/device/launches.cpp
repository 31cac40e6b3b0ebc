#if defined(WARPSPY_HAVE_CUDA)
#include "kernels/device/launches.hpp"

#include <cstring>

#include "kernels/device/cuda.hpp"

namespace warpspy {

void DeviceLaunches::add(const void* function, const LaunchSpec& spec, const void* code, std::size_t bytes,
                         bool overlap) {
  require_launchable(kernel_, spec);
  if (spec.grid == 0) return;
  cudaFuncAttributes attributes{};
  cuda::check(cudaFuncGetAttributes(&attributes, function), "loading kernel " + kernel_);
  if (spec.block > attributes.maxThreadsPerBlock)
    throw Error("kernel " + kernel_ + " can have " + std::to_string(attributes.maxThreadsPerBlock) +
                    " threads per block on this device (" + std::to_string(attributes.numRegs) +
                    " registers each), not " + std::to_string(spec.block),
                {}, "use a smaller block size");
  const int code_bytes = static_cast<int>(attributes.sharedSizeBytes), shared_bytes = spec.shared_bytes + code_bytes;
  const int most_bytes = cuda::require_shared_memory("kernel " + kernel_, shared_bytes);
  // More than the default must be requested. The last request applies to all launches of this code, so each one
  // requests the maximum.
  if (shared_bytes > 48 * 1024)
    cuda::check(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, most_bytes - code_bytes),
                "loading kernel " + kernel_);
  if (overlap) cuda::require_overlap("kernel " + kernel_, attributes.ptxVersion);
  shapes_.push_back({.grid = spec.grid,
                     .block = spec.block,
                     .shared_bytes = shared_bytes,
                     .registers = attributes.numRegs,
                     .overlap = overlap});
  auto copy = std::make_shared<std::max_align_t[]>((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  std::memcpy(copy.get(), code, bytes);
  launches_.push_back({function, std::move(copy), spec, overlap, attributes.ptxVersion});
}

void DeviceLaunches::repeat(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    launches_.push_back(Launch(launches_[i]));
    shapes_.push_back(LaunchShape(shapes_[i]));
  }
}

void DeviceLaunches::overlap_all() {
  if (!cuda::launches_overlap()) return;
  for (const Launch& launch : launches_)
    if (launch.compiled_for < 90) return;
  for (Launch& launch : launches_) launch.overlap = true;
  for (LaunchShape& shape : shapes_) shape.overlap = true;
}

void DeviceLaunches::Launch::enqueue(cudaStream_t stream) const {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3(static_cast<unsigned>(spec.grid));
  launch.blockDim = dim3(static_cast<unsigned>(spec.block));
  launch.dynamicSmemBytes = static_cast<std::size_t>(spec.shared_bytes);
  launch.stream = stream;
  launch.attrs = &early;
  launch.numAttrs = overlap ? 1 : 0;
  bool overlapping = overlap;
  void* arguments[] = {code.get(), &overlapping};
  cudaLaunchKernelExC(&launch, function, arguments);
}

void DeviceLaunches::run(cudaStream_t stream) const {
  for (const Launch& launch : launches_) launch.enqueue(stream);
  cuda::check(cudaGetLastError(), "launching kernel " + kernel_);
}

void DeviceLaunches::run_one(std::size_t index, cudaStream_t stream) const {
  launches_.at(index).enqueue(stream);
  cuda::check(cudaGetLastError(), "launching kernel " + kernel_);
}

}  // namespace warpspy
#endif
