// Gives a matrix values that make it symmetric and positive definite, for solves of A x = b.
#pragma once

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy::generate_detail {

// Returns the pattern of `a` with other values. Entries that the pattern lacks to be symmetric, or lacks on the
// diagonal, are added. Off the diagonal a_ij = a_ji in [-1, 0), drawn from i, j and nothing else, exact in f32. The
// diagonal is 1.01 times the sum of the others' magnitudes in its row (1 in a row without others): so all eigenvalues
// are positive (Gershgorin), and after Jacobi lie between 0.0099 and 1.9901. Throws Error for a matrix that is not
// square.
Csr positive_definite(const Csr& a, Progress& progress);

}  // namespace warpspy::generate_detail
