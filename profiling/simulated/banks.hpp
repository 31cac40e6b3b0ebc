// Models the banks of shared memory. A bank is 4 bytes wide, and neighbouring words lie in neighbouring banks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/gpu/gpu_spec.hpp"
#include "kernels/simt/trace.hpp"

namespace warpspy {

// The number of banks: 32, or 16 on GPUs whose half-warps make separate requests.
int banks_of(const GpuSpec& gpu);

// Returns in how many rounds the banks deliver these elements, one per active lane in lane order. A bank delivers one
// word per round, to all lanes that want that word. As many lanes ask together as make `banks` words, so 8-byte
// elements take at least two rounds. Atomics on one word also take one round each.
std::uint8_t bank_wavefronts(std::span<const std::int64_t> elements, std::uint32_t active, std::size_t element_bytes,
                             bool atomic, int banks);

// The rounds of all additions to shared memory that a warp makes. Its lanes make their first ones together, then their
// second ones, and so on.
std::uint64_t addition_rounds_of(const simt::WarpTrace& warp, int banks);

}  // namespace warpspy
