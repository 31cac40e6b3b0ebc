// Facts about a matrix, such as row lengths, bandwidth and symmetry. The "facts" panel and `warpspy info` show them.
#pragma once

#include <string>
#include <vector>

#include "core/matrix/csr.hpp"

namespace warpspy {

// Statistics of the row lengths (entries per row). Quartiles are interpolated linearly between order statistics
// (NumPy's default).
// Variance is the population variance; skew is the third standardised moment (0 when the variance is 0).
struct RowStats {
  index_t min = 0, max = 0, empty = 0;
  double q1 = 0, median = 0, q3 = 0, mean = 0, variance = 0, skew = 0;
  std::vector<index_t> histogram;  // histogram[l] = rows with l entries, l = 0..max; empty when max > 2^26
  std::vector<index_t> longest;    // up to 20 row numbers, longest first, ties by row
};
RowStats row_stats(const Csr& a);

struct Structure {
  index_t lower_bandwidth = 0, upper_bandwidth = 0;  // max(i-j), max(j-i) over stored entries, at least 0
  index_t explicit_zeros = 0;                        // stored entries whose value is 0 (mirrored ones included)
  index_t diagonal_entries = 0;
  // Share of off-diagonal entries (i,j) whose mirror (j,i) is stored / stored with the same value. 1 for a matrix with
  // none; -1 when the matrix is not square.
  double pattern_symmetry = -1, value_symmetry = -1;
  index_t bandwidth() const { return lower_bandwidth > upper_bandwidth ? lower_bandwidth : upper_bandwidth; }
};
Structure structure_of(const Csr& a);

// All facts about a matrix, computed once in a job.
struct MatrixFacts {
  RowStats rows;
  Structure structure;
};
MatrixFacts facts_of(const Csr& a);

// The object of `warpspy info FILE --json` as text (issue: rows, cols, nnz, entries_in_file, field, symmetry,
// explicit_zeros, empty_rows, bandwidth, row_length{...}), indented by two.
std::string info_json(const Matrix& m, const MatrixFacts& f);

}  // namespace warpspy
