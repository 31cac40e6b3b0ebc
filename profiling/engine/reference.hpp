// The reference product in long double, and the check of a kernel's y against it.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// x of a run: uniform in [-1, 1), already rounded to `precision`. Same seed, same x, on any machine.
std::vector<double> input_vector(index_t size, std::uint64_t seed, Precision precision);

struct Reference {
  std::vector<long double> y;     // A x, A rounded to the precision of the run first
  std::vector<double> magnitude;  // |A| |x|
};
// Parallel over rows. Throws Cancelled.
Reference reference_product(const Csr& a, std::span<const double> x, RealView view, Precision precision,
                            const Progress& progress);

using RowRange = std::pair<index_t, index_t>;
// Compares rows of y with |y - ref| <= gamma(n) |A||x|, n the row's entries, gamma(n) = n u / (1 - n u), which holds
// for any order of summation (N. Higham, "Accuracy and Stability of Numerical Algorithms", section 3.1). Rows whose sum
// may overflow the precision are left out.
ErrorCheck check_result(const Csr& a, const Reference& ref, std::span<const double> y, std::span<const RowRange> rows,
                        Precision precision);

}  // namespace warpspy
