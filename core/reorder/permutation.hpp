// Orders of rows and columns, and matrices in them.
#pragma once

#include <vector>

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

// Row i of the reordered matrix is row row[i] of the original one, column j is column col[j]. An empty list keeps the
// order. A symmetric permutation, P A P^T, has equal lists.
struct Permutation {
  std::vector<index_t> row, col;

  static Permutation symmetric(std::vector<index_t> order) { return {order, order}; }
  static Permutation rows_only(std::vector<index_t> order) { return {std::move(order), {}}; }
  bool is_symmetric() const { return row == col; }
  bool operator==(const Permutation&) const = default;
};

// Throws Error naming the place when a list is neither empty nor a permutation of 0..rows-1 or 0..cols-1.
void check_permutation(const Permutation& p, index_t rows, index_t cols);

// result[order[i]] = i. `order` must be a permutation.
std::vector<index_t> inverse(const std::vector<index_t>& order);
// Undoes p: apply(apply(a, p), inverse(p)) is a.
Permutation inverse(const Permutation& p);

// The matrix in another order. Parallel; the peak is the new matrix and 8 bytes a column. Throws as check_permutation
// does, and Cancelled.
Csr apply(const Csr& a, const Permutation& p, Progress& progress);

// Tells how far entries lie from the diagonal. Both directions count: the pattern is that of A + A^T. Square matrices
// only; throws Error otherwise.
struct Envelope {
  index_t bandwidth = 0;  // largest |i - j|
  index_t profile = 0;    // sum over rows i of i - (first column <= i): what a skyline solver stores
  bool operator==(const Envelope&) const = default;
};
Envelope envelope_of(const Csr& a);

}  // namespace warpspy
