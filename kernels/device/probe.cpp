#if defined(WARPSPY_HAVE_CUDA)
#include <cstdio>

#include "kernels/device/architectures.hpp"
#include "kernels/device/cuda.hpp"
#include "kernels/device/device.hpp"

namespace warpspy {
namespace {

int attribute(cudaDeviceAttr which, int ordinal) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, ordinal) == cudaSuccess ? value : 0;
}

std::string text_of(const cudaUUID_t& uuid) {
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    char byte[4];
    std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += byte;
  }
  return text;
}

DeviceProperties properties(int ordinal) {
  cudaDeviceProp p{};
  cuda::check(cudaGetDeviceProperties(&p, ordinal), "asking about CUDA device " + std::to_string(ordinal));
  char bus_id[32] = "";
  cuda::check(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, ordinal), "asking for the device's bus id");
  const int capability = 10 * p.major + p.minor;
  const bool runs = runs_on(compiled_gpu_code(), capability);
  const NoGpuCode none = runs ? NoGpuCode{} : why_no_code(compiled_gpu_code(), p.name, capability);
  return {.ordinal = ordinal,
          .name = p.name,
          .pci_bus_id = bus_id,
          .compute_capability = capability,
          .sm_count = p.multiProcessorCount,
          .clock_mhz = attribute(cudaDevAttrClockRate, ordinal) / 1e3,
          .memory_clock_mhz = attribute(cudaDevAttrMemoryClockRate, ordinal) / 1e3,
          .memory_bus_bits = p.memoryBusWidth,
          .memory_bytes = p.totalGlobalMem,
          .l2_bytes = static_cast<std::size_t>(p.l2CacheSize),
          .shared_bytes_per_sm = p.sharedMemPerMultiprocessor,
          .shared_bytes_per_block = p.sharedMemPerBlockOptin,  // the limit that kernels can request
          .max_threads_per_sm = p.maxThreadsPerMultiProcessor,
          .max_blocks_per_sm = p.maxBlocksPerMultiProcessor,
          .max_threads_per_block = p.maxThreadsPerBlock,
          .registers_per_sm = p.regsPerMultiprocessor,
          .uuid = text_of(p.uuid),
          .no_code = none.reason,
          .no_code_remedy = none.remedy};
}

// Says why there is no device: the driver or the runtime reports it, each in its own words.
void say_why(DeviceProbe& probe, cudaError_t status) {
  const std::string text = cudaGetErrorString(status);
  if (probe.driver_version == 0) {
    probe.reason = "no NVIDIA driver library (libcuda) on this machine";
    probe.remedy = "install the NVIDIA driver";
  } else if (status == cudaErrorInsufficientDriver) {
    probe.reason = "the NVIDIA driver is too old for CUDA " + std::to_string(probe.runtime_version / 1000) + "." +
                   std::to_string(probe.runtime_version % 1000 / 10) + ": " + text;
    probe.remedy = "install a newer NVIDIA driver";
  } else if (status == cudaErrorNoDevice || status == cudaSuccess) {
    probe.reason = "no CUDA device: " + std::string(cudaGetErrorString(cudaErrorNoDevice));
    probe.remedy = "check that the GPU is visible (nvidia-smi, CUDA_VISIBLE_DEVICES)";
  } else {
    probe.reason = "CUDA does not start: " + text;
    probe.remedy = "check the driver with nvidia-smi";
  }
}

}  // namespace

DeviceProbe probe_devices() {
  DeviceProbe probe;
  cudaRuntimeGetVersion(&probe.runtime_version);
  if (cudaDriverGetVersion(&probe.driver_version) != cudaSuccess) probe.driver_version = 0;
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();  // clears the error, which would otherwise look like the failure of a later call
  if (status != cudaSuccess || count == 0) {
    say_why(probe, status);
    return probe;
  }
  try {
    for (int i = 0; i < count; ++i) probe.devices.push_back(properties(i));
    probe.available = true;
  } catch (const Error& e) {
    probe.devices.clear();
    probe.reason = e.reason;
    probe.remedy = e.remedy;
  }
  return probe;
}

void use_device(int ordinal) {
  const std::string what = "choosing CUDA device " + std::to_string(ordinal);
  int major = 0, minor = 0;
  cuda::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal), what);
  cuda::check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal), what);
  if (!runs_on(compiled_gpu_code(), 10 * major + minor)) {
    const DeviceProperties device = properties(ordinal);
    throw Error(device.no_code, {}, device.no_code_remedy);
  }
  cuda::check(cudaSetDevice(ordinal), what);
}

}  // namespace warpspy
#endif
