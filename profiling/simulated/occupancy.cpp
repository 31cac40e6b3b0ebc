#include "profiling/simulated/occupancy.hpp"

#include <string>

namespace warpspy {

Occupancy occupancy_of(const GpuSpec& gpu, const LaunchShape& shape) {
  if (shape.block > gpu.max_threads_per_block)
    throw Error("a block of " + std::to_string(shape.block) + " threads does not fit " + gpu.name, {},
                "use at most " + std::to_string(gpu.max_threads_per_block) + " threads per block");
  if (shape.shared_bytes > gpu.shared_bytes_per_block)
    throw Error(
        "a block with " + std::to_string(shape.shared_bytes) + " bytes of shared memory does not fit " + gpu.name, {},
        "at most " + std::to_string(static_cast<long>(gpu.shared_bytes_per_block)) + " bytes fit");
  const int warps_per_block = (shape.block + 31) / 32;
  Occupancy o{gpu.max_blocks_per_sm, 0, "blocks", 0};
  const auto limit = [&](int blocks, const char* name) {
    if (blocks < o.blocks) o = {blocks, 0, name, 0};
  };
  limit(gpu.max_threads_per_sm / (32 * warps_per_block), "threads");
  // From Volta on an SM has 64 Ki registers (CUDA C++ Programming Guide, compute capabilities) and assigns them in
  // pieces of 256 per warp. The registers that older compilers used for older GPUs are unknown. 0 registers: unknown,
  // and no limit.
  constexpr int registers_of_sm = 65536, piece = 256;
  const int of_warp = (shape.registers * 32 + piece - 1) / piece * piece;
  if (gpu.compute_capability >= 70 && of_warp > 0) limit(registers_of_sm / of_warp / warps_per_block, "registers");
  if (shape.shared_bytes > 0) limit(static_cast<int>(gpu.shared_bytes_per_sm) / shape.shared_bytes, "shared memory");
  if (o.blocks < 1) o.blocks = 1;  // a block of 1000 threads counts as 1024, which an SM can still hold
  o.warps = o.blocks * warps_per_block;
  o.share = 32.0 * o.warps / gpu.max_threads_per_sm;
  return o;
}

}  // namespace warpspy
