// What tells a matrix from others, wherever it lies: so that runs on the same numbers are found again.
#pragma once

#include <string>

#include "core/matrix/csr.hpp"

namespace warpspy {

// 16 hexadecimal digits that change with size, pattern and values; of a sample of a million entries where there are
// more. Columns are taken as they are stored.
std::string fingerprint_of(const Csr& a);

}  // namespace warpspy
