// A short name (hash) for a kernel's code. It is the same in every build, and changes as soon as the GPU would do
// something else. So every measurement of a kernel can say which code it measured.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warpspy {

// What a kernel's GPU runs: the functions of its file that are marked SIMT_DEVICE or SIMT_ANYWHERE, with the functions
// and constants that these name, of its file and of those that it includes from kernels/spmv, and its launch bounds.
// The text has words and signs with one space between, without comments and white space of the source. `text_of` gives
// a file by its base name, or nothing. lay_out() is left out, and so are the accessors (kernels/simt) that all kernels
// share.
std::string device_code(std::string_view kernel, const std::function<std::string_view(std::string_view)>& text_of);

// A hash of the code of one of our kernels, as it was compiled; empty for a library's kernel.
const std::string& kernel_code(const std::string& kernel);

}  // namespace warpspy
