// The list of kernels is compiled in shards, for the emulator and for CUDA, so that they build side by side. Shard s
// has the kernels at places s, s + shards, s + 2 shards ... of the list.
#pragma once

#include <cstddef>
#include <utility>

#include "kernels/table/table.hpp"

namespace warpspy {

using Emulator = decltype(KernelRow::emulate);
using CudaLauncher = decltype(KernelRow::on_device);

// The functions of the kernel at `place`, or nullptr if another shard has it. Defined by emulated_shard.hpp and
// on_device_shard.cuh.
template <int shard>
Emulator emulator_shard(std::size_t place);
template <int shard>
CudaLauncher cuda_shard(std::size_t place);

}  // namespace warpspy
