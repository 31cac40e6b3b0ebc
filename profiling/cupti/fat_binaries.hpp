// The machine code for GPUs that is linked into this program.
#pragma once

#include <vector>

namespace warpspy {

// Each as cuModuleLoadData() takes it, compressed as nvcc left it; valid as long as the program runs. Empty where there
// is none, or where the program's own file cannot be read. Never throws.
std::vector<const void*> fat_binaries();

}  // namespace warpspy
