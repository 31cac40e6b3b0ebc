// The kernels' source, as it was compiled. It is a part of the program, so that a line can be shown on every machine.
#pragma once

#include <string_view>
#include <vector>

namespace warpspy {

// The text of a file of kernels/spmv by its base name, "csr_scalar.hpp"; empty for another file.
std::string_view kernel_source(std::string_view file);
// Their base names.
std::vector<std::string_view> kernel_source_files();
// Line `number`, counted from 1, without its indentation; empty if there is no such line.
std::string_view kernel_source_line(std::string_view file, int number);

}  // namespace warpspy
