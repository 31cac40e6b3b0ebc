// Makes a small matrix from a few windows of a matrix's rows. From it a format's size for the whole matrix is estimated
// in milliseconds.
#pragma once

#include <optional>

#include "core/matrix/csr.hpp"

namespace warpspy {

// Takes about `entries` entries, in windows of neighbouring rows that are spread evenly over the matrix. Rows of a
// window keep their distances from the diagonal, and their places in blocks of up to 4, 6, 8 ... rows and columns. So
// the fill of blocks and the diagonals are as in the whole matrix. The number of columns is unchanged. Returns nothing
// if the matrix has not many more entries than asked for.
std::optional<Csr> sample_rows(const Csr& a, index_t entries);

}  // namespace warpspy
