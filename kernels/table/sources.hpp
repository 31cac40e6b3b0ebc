// The source text of the kernels, as it was compiled. It is stored in the program, so that source lines can be shown on
// every machine.
#pragma once

#include <string_view>
#include <vector>

namespace warpspy {

// The text of a file of kernels/spmv by its base name, "csr_scalar.hpp"; empty for another file.
std::string_view kernel_source(std::string_view file);
// The base names of all these files.
std::vector<std::string_view> kernel_source_files();
// Line `number`, counted from 1, without its indentation; empty if there is no such line.
std::string_view kernel_source_line(std::string_view file, int number);

}  // namespace warpspy
