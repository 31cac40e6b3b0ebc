// Divides a function's machine code into parts by its branches: the whole code, and each loop. Needs no CUDA.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/product/machine_code.hpp"

namespace warpspy {

// Divides machine code for compute capability 9.0, whose instructions have 16 bytes. The first part is all code that
// can be reached. The other parts are its loops, in the order in which they begin, each without the loops inside it. A
// loop leads back to an instruction through which every way into the loop goes. Padding at the end is not counted, nor
// code only for warps whose lanes have diverged (BRA.DIV). Throws Error if it is no such code.
std::vector<CodePart> code_parts(std::span<const std::uint8_t> code);

}  // namespace warpspy
