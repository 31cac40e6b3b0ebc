// The reference product in long double, and the check of a kernel's y against it.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/formats/format.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// x (or y before the product) of a run: uniform in [-1, 1), already rounded to `precision`. Same seed, same numbers, on
// any machine.
std::vector<double> input_vector(index_t size, std::uint64_t seed, Precision precision);

// What a product computes.
struct ProductTerms {
  Operation operation = Operation::product;
  std::span<const double> x;
  double alpha = 1, beta = 0;
  std::span<const double> y;  // before the product; with beta != 0
  index_t stride = 1;         // of axpy: the other elements stay as they are
};

struct Reference {
  std::vector<long double> y;     // as ProductTerms say, with A rounded to the precision of the run first
  std::vector<double> magnitude;  // |alpha||A||x| + |beta||y|
  std::vector<index_t> terms;     // products that each element sums up, those with alpha and beta included
};
// Host memory that making a reference of this many elements takes at its peak, in bytes.
double reference_bytes(Operation operation, index_t size);
// Parallel over rows, but for the transposed product. Throws Cancelled.
Reference reference_product(const Csr& a, const ProductTerms& terms, RealView view, Precision precision,
                            const Progress& progress);
// The same from the slots of a format that holds no assembled entries (LMA): each is rounded, their sum is not.
Reference reference_of_slots(const Format& a, const ProductTerms& terms, Precision precision, const Progress& progress);

using RowRange = std::pair<index_t, index_t>;
// Compares rows of y with |y - ref| <= gamma(n) magnitude, n the terms of the row, gamma(n) = n u / (1 - n u), which
// holds for any order of summation (N. Higham, "Accuracy and Stability of Numerical Algorithms", section 3.1). Rows
// whose sum may overflow the precision are left out.
ErrorCheck check_result(const Reference& ref, std::span<const double> y, std::span<const RowRange> rows,
                        Precision precision);

}  // namespace warpspy
