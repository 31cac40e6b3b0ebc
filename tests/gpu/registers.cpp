// The registers that the model reads (assets/kernels/machine_code.json), against what the driver says of this program.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <tuple>

#include "kernels/device/device.hpp"
#include "kernels/table/table.hpp"
#include "profiling/simulated/machine_code.hpp"
#include "profiling/simulated/occupancy.hpp"
#include "tests/gpu/assets.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

// As much of a device as says how many blocks an SM holds.
GpuSpec spec_of(const DeviceProperties& d) {
  GpuSpec gpu;
  gpu.name = d.name;
  gpu.compute_capability = d.compute_capability;
  gpu.max_threads_per_sm = d.max_threads_per_sm;
  gpu.max_blocks_per_sm = d.max_blocks_per_sm;
  gpu.max_threads_per_block = d.max_threads_per_block;
  gpu.shared_bytes_per_sm = static_cast<double>(d.shared_bytes_per_sm);
  gpu.shared_bytes_per_block = static_cast<double>(d.shared_bytes_per_sm);  // more than 48 KiB are asked for, and given
  return gpu;
}

// The kernel's own parameters at their corners; loads are plain, as the asset's are.
std::vector<ParamSet> corners_with_plain_loads(const KernelInfo& kernel) {
  std::vector<ParamSpec> own;
  for (const ParamSpec& spec : kernel.params)
    if (spec.id != "x_cache" && spec.id != "matrix_cache" && spec.id != "overlap") own.push_back(spec);
  return testing::parameter_corners(own);
}

// Another nvcc than the asset's may take a few more or fewer: as many warps must fit on an SM as with the number that
// the driver tells.
TEST(Registers, WhatTheModelReadsLetsAsManyWarpsFitAsTheMachineCode) {
  const DeviceProbe probe = probe_devices();
  if (!probe.available) GTEST_SKIP() << probe.reason << "; " << probe.remedy;
  const DeviceProperties& device = probe.devices.front();
  if (device.compute_capability != 90)
    GTEST_SKIP() << "the asset is of 9.0, and this is " << device.compute_capability / 10 << "."
                 << device.compute_capability % 10;
  const GpuSpec gpu = spec_of(device);
  const MachineCode asset = read_machine_code(testing::assets_folder());
  Progress progress;
  const Matrix matrices[] = {generate("fem_quad?nx=6&ny=5&degree=2", progress),
                             generate("laplace5?nx=50&ny=45", progress)};
  using Launch = std::tuple<std::string, Precision, std::size_t, int, int, int>;
  std::set<Launch> seen;  // kernel, precision, number and threads of a launch, registers said and taken
  for (const KernelRow& kernel : kernels()) {
    if (!kernel.emulate || !kernel.on_device) continue;
    for (const Matrix& matrix : matrices)
      for (const Precision precision : {Precision::f32, Precision::f64})
        for (const ParamSet& params : corners_with_plain_loads(kernel.info)) {
          auto p = testing::product_of(kernel, matrix, precision, params);
          if (!p) continue;
          p->inputs.machine_code = &asset;
          const auto said = kernel.emulate(p->inputs);
          std::unique_ptr<DeviceProduct> compiled;
          try {
            compiled = kernel.on_device(p->inputs);
          } catch (const Error&) {
            continue;  // more threads than there are registers for
          }
          ASSERT_EQ(said->launches().size(), compiled->launches().size()) << kernel.info.id;
          for (std::size_t i = 0; i < said->launches().size(); ++i) {
            const LaunchShape believed = said->launches()[i];
            LaunchShape taken = believed;
            taken.registers = compiled->launches()[i].registers;
            if (!seen.emplace(kernel.info.id, precision, i, believed.block, believed.registers, taken.registers).second)
              continue;
            EXPECT_EQ(occupancy_of(gpu, believed).warps, occupancy_of(gpu, taken).warps)
                << kernel.info.id << " " << name_of(precision) << ", launch " << i << " of blocks of " << believed.block
                << " threads: the asset says " << believed.registers << " registers, the driver " << taken.registers;
          }
        }
  }
  for (const auto& [kernel, precision, launch, block, said, taken] : seen)
    std::printf("%-24s %-4s launch %zu, blocks of %d: %d said, %d taken\n", kernel.c_str(), name_of(precision), launch,
                block, said, taken);
  EXPECT_GE(seen.size(), 50u);
}

}  // namespace
}  // namespace warpspy
