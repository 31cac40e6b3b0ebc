// A built format held against the matrix that it was built from.
#pragma once

#include <string>

#include "core/formats/format.hpp"

namespace warpspy {

// Compares every slot of a built format with the matrix: as many entries, and the same sum of mixed (row, column,
// value) over them, which a lost, doubled, moved or changed entry alters (but for one chance in 2^64). No memory.
//
// Slots of a format made from elements are contributions: those of one row and column must add up to the entry of the
// matrix, and every entry must have one. Both sums round, in orders of their own: with n contributions v of precision
// unit u (2^-24 for f32; f64 keeps v as it is) they may differ by (u + 2 n 2^-53) times the sum of |v|. Takes 20 bytes
// per entry.
//
// Empty when it is the same, else a sentence. O(nnz), for elements times the logarithm of the row length. Throws
// Cancelled, and Error when there is no memory for the sums.
std::string difference(const Csr& a, const Format& built, Precision precision, RealView view, Progress& progress);

}  // namespace warpspy
