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

// What a warp's additions to shared memory take. Its lanes make their first ones together, then their second ones, and
// so on. A lane adds by a loop: a load, the sum, and a compare-and-swap. It fails in lanes that the banks do not serve
// in its round, and these go round again.
struct SharedAdditions {
  std::uint64_t rounds = 0;  // of the banks
  std::uint64_t loops = 0;   // one after another
};
SharedAdditions shared_additions_of(const simt::WarpTrace& warp, int banks);

}  // namespace warpspy
