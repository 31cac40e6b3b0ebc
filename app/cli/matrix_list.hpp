// A list of matrices in a file.
#pragma once

#include <string>
#include <vector>

namespace warpspy::cli {

// The names in a file, one a line; "#" begins a comment. Throws Error if the file cannot be read or names no matrix.
std::vector<std::string> matrices_listed_in(const std::string& file);

}  // namespace warpspy::cli
