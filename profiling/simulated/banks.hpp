// Banks of shared memory: 4 bytes wide, neighbouring words in neighbouring banks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/gpu/gpu_spec.hpp"

namespace warpspy {

// 32, or 16 on GPUs whose half-warps ask apart.
int banks_of(const GpuSpec& gpu);

// How often the banks are asked for these elements, one per active lane in lane order: each bank gives one word at a
// time, to all lanes that want the same one. Lanes ask together as many as make `banks` words: 8-byte elements take two
// turns at best. Atomics on one word take turns too.
std::uint8_t bank_wavefronts(std::span<const std::int64_t> elements, std::uint32_t active, std::size_t element_bytes,
                             bool atomic, int banks);

}  // namespace warpspy
