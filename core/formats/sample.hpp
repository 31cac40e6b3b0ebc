// A few windows of a matrix's rows as a small matrix: what a format would make of the whole, guessed in milliseconds.
#pragma once

#include <optional>

#include "core/matrix/csr.hpp"

namespace warpspy {

// About `entries` entries in windows of neighbouring rows, spread evenly. Rows of a window keep their distances from
// the diagonal and where they stand in blocks of up to 4, 6, 8 ... rows and columns, so that fill and diagonals are
// those of the matrix; columns are as many as they were. Nothing where the matrix has not many more entries than asked
// for.
std::optional<Csr> sample_rows(const Csr& a, index_t entries);

}  // namespace warpspy
