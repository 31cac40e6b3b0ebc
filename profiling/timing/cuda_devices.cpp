#include "profiling/timing/cuda_devices.hpp"

#ifdef WARPSPY_HAVE_CUDA
#include <cuda_runtime_api.h>
#endif

namespace warpspy {

#ifndef WARPSPY_HAVE_CUDA

CudaDevices cuda_devices(const std::vector<GpuSpec>&) {
  return {{}, "built without CUDA; install the CUDA toolkit 12.6 or later and build again"};
}

#else

namespace {

const char* reason_of(cudaError_t status) {
  switch (status) {
    case cudaErrorInsufficientDriver: return "no NVIDIA driver that fits this CUDA runtime was found";
    case cudaErrorNoDevice: return "the NVIDIA driver sees no device";
    default: return cudaGetErrorString(status);
  }
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

// "NVIDIA H200" names the data sheet "NVIDIA H200 SXM", "Tesla V100-SXM2-16GB" the "Tesla V100": by the word of the id.
const GpuSpec* sheet_of(const std::string& name, int capability, const std::vector<GpuSpec>& sheets) {
  std::string key;
  for (const char c : name)
    if (c != ' ') key += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const GpuSpec& sheet : sheets)
    if (sheet.compute_capability == capability && key.find(sheet.id) != std::string::npos) return &sheet;
  return nullptr;
}

// FP32 and FP64 cores per SM (CUDA C++ Programming Guide, arithmetic instructions).
struct Cores {
  int capability, f32, f64;
};
constexpr Cores cores[] = {{70, 64, 32},  {75, 64, 2},   {80, 64, 32},   {86, 128, 2},  {87, 128, 2},
                           {89, 128, 2}, {90, 128, 64}, {100, 128, 64}, {120, 128, 2}};

GpuSpec spec_of(int device, const cudaDeviceProp& prop, const std::vector<GpuSpec>& sheets) {
  const int capability = prop.major * 10 + prop.minor;
  const GpuSpec* sheet = sheet_of(prop.name, capability, sheets);
  GpuSpec gpu = sheet ? *sheet : GpuSpec{};
  const auto say = [&](const char* figure) { gpu.sources[figure] = "the CUDA driver"; };
  gpu.id = "cuda:" + std::to_string(device);
  gpu.name = prop.name;
  gpu.compute_capability = capability;
  gpu.sm_count = prop.multiProcessorCount;
  gpu.memory_bytes = static_cast<double>(prop.totalGlobalMem);
  gpu.l2_bytes = prop.l2CacheSize;
  gpu.shared_bytes_per_sm = static_cast<double>(prop.sharedMemPerMultiprocessor);
  gpu.shared_bytes_per_block = static_cast<double>(prop.sharedMemPerBlockOptin);
  gpu.max_threads_per_sm = prop.maxThreadsPerMultiProcessor;
  gpu.max_blocks_per_sm = prop.maxBlocksPerMultiProcessor;
  gpu.max_threads_per_block = prop.maxThreadsPerBlock;
  for (const char* f : {"compute_capability", "sm_count", "memory_bytes", "l2_bytes", "shared_bytes_per_sm",
                        "shared_bytes_per_block", "max_threads_per_sm", "max_blocks_per_sm", "max_threads_per_block"})
    say(f);
  if (sheet) return gpu;
  gpu.clock_mhz = attribute(cudaDevAttrClockRate, device) * 1e-3;
  say("clock_mhz");
  // Twice per clock: double data rate, which is how the driver reports the memory clock.
  gpu.dram_gbs = 2.0 * attribute(cudaDevAttrMemoryClockRate, device) * 1e3 *
                 attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8 * 1e-9;
  say("dram_gbs");
  for (const Cores& c : cores) {
    if (c.capability != capability) continue;
    gpu.peak_f32_gflops = 2e-3 * c.f32 * gpu.sm_count * gpu.clock_mhz;
    gpu.peak_f64_gflops = 2e-3 * c.f64 * gpu.sm_count * gpu.clock_mhz;
    gpu.sources["peak_f32_gflops"] = gpu.sources["peak_f64_gflops"] =
        "2 x cores per SM (CUDA C++ Programming Guide) x SMs x clock, both from the CUDA driver";
  }
  return gpu;
}

}  // namespace

CudaDevices cuda_devices(const std::vector<GpuSpec>& data_sheets) {
  CudaDevices found;
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    found.reason = reason_of(status == cudaSuccess ? cudaErrorNoDevice : status);
    return found;
  }
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp prop{};
    if (cudaGetDeviceProperties(&prop, device) != cudaSuccess) continue;
    DeviceInfo info;
    info.id = "cuda:" + std::to_string(device);
    info.name = prop.name;
    info.counters = "time is measured; hardware counters are not read by this version";
    info.spec = spec_of(device, prop, data_sheets);
    found.list.push_back(std::move(info));
  }
  if (found.list.empty()) found.reason = "the CUDA driver does not describe its devices";
  return found;
}

#endif

}  // namespace warpspy
