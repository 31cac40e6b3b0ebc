// A fingerprint identifies a matrix by its numbers, whatever its file is called, so that all runs on it are found.
#pragma once

#include <string>

#include "core/matrix/csr.hpp"

namespace warpspy {

// Returns 16 hexadecimal digits that depend on the matrix's size, pattern and values. If a matrix has more than a
// million entries, they depend on a sample of a million. Column numbers count as they are stored.
std::string fingerprint_of(const Csr& a);

}  // namespace warpspy
