#include "profiling/engine/cuda_devices.hpp"

#include <type_traits>

#include "core/gpu/gpu_match.hpp"
#include "kernels/device/device.hpp"
#include "profiling/cupti/plan.hpp"
#include "profiling/cupti/probe.hpp"

namespace warpspy {
namespace {

// Operations in f32 and f64 per clock and SM (CUDA C++ Programming Guide, throughput of arithmetic instructions).
struct Rates {
  int capability, f32, f64;
};
constexpr Rates rates[] = {{70, 64, 32}, {75, 64, 2},   {80, 64, 32},   {86, 128, 2}, {87, 128, 2},
                           {89, 128, 2}, {90, 128, 64}, {100, 128, 64}, {120, 128, 2}};

// Figures that only the data sheet has are kept; those that the driver reports replace it.
GpuSpec spec_of(const DeviceProperties& d, const std::vector<GpuSpec>& sheets) {
  const GpuSpec* sheet = spec_of_device(d.name, d.compute_capability, sheets);
  GpuSpec gpu = sheet ? *sheet : GpuSpec{};
  gpu.id = "cuda:" + std::to_string(d.ordinal);
  gpu.name = d.name;
  const auto say = [&](auto& figure, auto value, const char* name) {
    if (!(value > 0)) return;
    figure = static_cast<std::decay_t<decltype(figure)>>(value);
    gpu.sources[name] = "the CUDA driver";
  };
  say(gpu.compute_capability, d.compute_capability, "compute_capability");
  say(gpu.sm_count, d.sm_count, "sm_count");
  say(gpu.memory_bytes, d.memory_bytes, "memory_bytes");
  say(gpu.l2_bytes, d.l2_bytes, "l2_bytes");
  say(gpu.shared_bytes_per_sm, d.shared_bytes_per_sm, "shared_bytes_per_sm");
  say(gpu.shared_bytes_per_block, d.shared_bytes_per_block, "shared_bytes_per_block");
  say(gpu.max_threads_per_sm, d.max_threads_per_sm, "max_threads_per_sm");
  say(gpu.max_blocks_per_sm, d.max_blocks_per_sm, "max_blocks_per_sm");
  say(gpu.max_threads_per_block, d.max_threads_per_block, "max_threads_per_block");
  if (sheet) return gpu;
  say(gpu.clock_mhz, d.clock_mhz, "clock_mhz");
  // Double data rate: two transfers per memory clock, as the driver reports that clock.
  say(gpu.dram_gbs, 2.0 * d.memory_clock_mhz * 1e6 * d.memory_bus_bits / 8 * 1e-9, "dram_gbs");
  for (const Rates& r : rates) {
    if (r.capability != d.compute_capability) continue;
    gpu.peak_f32_gflops = 2e-3 * r.f32 * gpu.sm_count * gpu.clock_mhz;
    gpu.peak_f64_gflops = 2e-3 * r.f64 * gpu.sm_count * gpu.clock_mhz;
    gpu.sources["peak_f32_gflops"] = gpu.sources["peak_f64_gflops"] =
        "2 x results per clock and SM (CUDA C++ Programming Guide) x SMs x clock (the CUDA driver)";
  }
  return gpu;
}

std::string counters_text(const CounterAccess& a) {
  if (!a.open) return "time is measured; no hardware counters: " + a.reason + "; " + a.remedy;
  std::string text = "hardware counters (chip " + (a.chip.empty() ? "unknown" : a.chip) + ")";
  for (const CounterSetInfo& set : counter_sets())
    if (const auto at = a.passes.find(set.id); at != a.passes.end())
      text += ", " + set.id + " set in " + std::to_string(at->second) + (at->second == 1 ? " pass" : " passes");
  return text;
}

}  // namespace

CudaDevices cuda_devices(const std::vector<GpuSpec>& data_sheets) {
  const DeviceProbe probe = probe_devices();
  CudaDevices found;
  for (const DeviceProperties& device : probe.devices) {
    DeviceInfo info;
    info.id = "cuda:" + std::to_string(device.ordinal);
    info.name = device.name;
    info.spec = spec_of(device, data_sheets);
    info.access = counter_access(device, probe.driver_version);
    info.counters = counters_text(info.access);
    if (!device.no_code.empty()) {
      info.available = false;
      info.reason = device.no_code + "; " + device.no_code_remedy;
      info.counters = "none: nothing runs there";
    }
    found.list.push_back(std::move(info));
  }
  if (!found.list.empty()) return found;
  found.reason = probe.reason.empty() ? "no CUDA device" : probe.reason;
  found.remedy = probe.remedy;
  return found;
}

}  // namespace warpspy
