// A short name (hash) for a kernel's code. It is the same in every build, and changes as soon as the GPU would do
// something else. So every measurement of a kernel can say which code it measured.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warpspy {

// Returns the source text of what a GPU runs for a kernel. It has the functions of the kernel's file that are marked
// SIMT_DEVICE or SIMT_ANYWHERE, and its launch bounds. It also has the functions and constants that these use, from
// this file and from those that it includes from kernels/spmv. Comments are left out, and words and signs are separated
// by one space. `text_of` gives a file by its base name, or nothing. lay_out() is left out, and so are the accessors
// (kernels/simt) that all kernels share.
std::string device_code(std::string_view kernel, const std::function<std::string_view(std::string_view)>& text_of);

// Returns a hash of this text for one of our kernels, as it was compiled; empty for a library's kernel.
const std::string& kernel_code(const std::string& kernel);

}  // namespace warpspy
