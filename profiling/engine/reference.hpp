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

// Makes the x of a run (or y before the product): random numbers, uniform in [-1, 1), already rounded to `precision`.
// The same seed gives the same numbers on any machine.
std::vector<double> input_vector(index_t size, std::uint64_t seed, Precision precision);

// The terms of a product y = alpha A x + beta y.
struct ProductTerms {
  Operation operation = Operation::product;
  std::span<const double> x;
  double alpha = 1, beta = 0;
  std::span<const double> y;  // y before the product; needed if beta != 0
  index_t stride = 1;         // of an axpy: the elements in between do not change
};

struct Reference {
  std::vector<long double> y;     // the product, where A is first rounded to the precision of the run
  std::vector<double> magnitude;  // |alpha||A||x| + |beta||y|
  std::vector<index_t> terms;     // how many products each element adds up, with alpha and beta
};
// The peak of host memory, in bytes, while a reference of this many elements is made.
double reference_bytes(Operation operation, index_t size);
// Computes the reference product, in parallel over rows except for the transposed product. Throws Cancelled.
Reference reference_product(const Csr& a, const ProductTerms& terms, RealView view, Precision precision,
                            const Progress& progress);
// Computes the reference product from the slots of a format without assembled entries (LMA). Each slot is rounded,
// their sum is not.
Reference reference_of_slots(const Format& a, const ProductTerms& terms, Precision precision, const Progress& progress);

using RowRange = std::pair<index_t, index_t>;
// Compares rows of y with |y - ref| <= gamma(n) magnitude, n the terms of the row, gamma(n) = n u / (1 - n u), which
// holds for any order of summation (N. Higham, "Accuracy and Stability of Numerical Algorithms", section 3.1). Rows
// whose sum may overflow the precision are left out.
ErrorCheck check_result(const Reference& ref, std::span<const double> y, std::span<const RowRange> rows,
                        Precision precision);

}  // namespace warpspy
