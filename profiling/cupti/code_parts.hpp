// A function's machine code in parts, as its branches divide it: the whole, and each loop. Needs no CUDA.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/product/machine_code.hpp"

namespace warpspy {

// Of compute capability 9.0: instructions of 16 bytes. The first part is all that can be reached, and the others are
// its loops by where they begin, each without the loops inside it. A loop is what leads back to an instruction that all
// ways into it come by. Not counted: what fills up, and what a warp does alone whose lanes have parted (BRA.DIV).
// Throws Error for what is no such code.
std::vector<CodePart> code_parts(std::span<const std::uint8_t> code);

}  // namespace warpspy
