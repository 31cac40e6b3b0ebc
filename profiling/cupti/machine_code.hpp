// The machine code for GPUs that is linked into this program. Needs no CUDA.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace warpspy {

// nvcc's fat binaries in this program, one for each source file. They stay valid as long as the program runs. Empty if
// there are none, or the program's own file cannot be read. Never throws.
std::vector<std::span<const std::uint8_t>> fat_binaries();

// Returns the ELF file (cubin) that a driver would take out of a fat binary for a device of this compute capability
// (90). It is the newest one of the same major version that is not newer than the device. Nothing if there is none (the
// driver then compiles PTX), or if the code is compressed.
std::optional<std::span<const std::uint8_t>> cubin_for(std::span<const std::uint8_t> fat_binary,
                                                       int compute_capability);
// Returns that cubin if nvcc has compressed the code (--compress-mode=size: zstd), as for a program with code for many
// GPUs. Empty if there is none. Never throws.
std::vector<std::uint8_t> compressed_cubin_for(std::span<const std::uint8_t> fat_binary, int compute_capability);

}  // namespace warpspy
