// The machine code of this program, in the form that the model reads.
#pragma once

#include "kernels/product/machine_code.hpp"

namespace warpspy {

// For compute capability 9.0. It has no registers if this program has no such code.
MachineCode compiled_machine_code();

}  // namespace warpspy
