// The machine code of this program as the model wants it.
#pragma once

#include "kernels/product/machine_code.hpp"

namespace warpspy {

// Of compute capability 9.0. Without registers where there is no such code in this program.
MachineCode compiled_machine_code();

}  // namespace warpspy
