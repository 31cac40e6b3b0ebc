// A kernel's code as a short name: the same in every build, another one as soon as the GPU would do something else. So
// what was measured or counted of a kernel says of which code that was.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warpspy {

// What a kernel's GPU runs: the functions of its file that are marked SIMT_DEVICE or SIMT_ANYWHERE, with the functions
// and constants that these name, of its file and of those that it includes from kernels/spmv, and its launch bounds.
// Words and signs with a space between: no comments, no white space of the source's. `text_of` gives a file by its base
// name, or nothing. Not in it: what lay_out() lays out and launches, and the accessors (kernels/simt) that all share.
std::string device_code(std::string_view kernel, const std::function<std::string_view(std::string_view)>& text_of);

// hash_of_text() of the code of a kernel of ours, as it was compiled; empty for a library's.
const std::string& kernel_code(const std::string& kernel);

}  // namespace warpspy
