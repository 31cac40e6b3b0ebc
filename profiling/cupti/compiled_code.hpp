// The machine code of this program, in the form that the model reads.
#pragma once

#include "kernels/product/machine_code.hpp"

namespace warpspy {

// Reads this program's machine code for compute capability 9.0. The result has no registers if the program has no such
// code.
MachineCode compiled_machine_code();

}  // namespace warpspy
