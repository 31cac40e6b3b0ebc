// Compares a built format with the matrix that it was built from.
#pragma once

#include <string>

#include "core/formats/format.hpp"

namespace warpspy {

// Compares every slot of a built format with the matrix: both must have as many entries, and the same sum of a hash of
// (row, column, value). A lost, doubled, moved or changed entry changes that sum, except by a chance of 1 in 2^64. It
// needs no memory.
//
// Slots of a format made from elements are contributions: those of one row and column must add up to the entry of the
// matrix, and every entry must have one. Both sums are rounded, and add in different orders: with n contributions v of
// precision unit u (2^-24 for f32; f64 keeps v as it is) they may differ by (u + 2 n 2^-53) times the sum of |v|. Takes
// 20 bytes per entry.
//
// Returns "" if format and matrix agree, otherwise a sentence. It takes O(nnz), for elements times the logarithm of the
// row length. Throws Cancelled, and Error when there is no memory for the sums.
std::string difference(const Csr& a, const Format& built, Precision precision, RealView view, Progress& progress);

}  // namespace warpspy
