#include "profiling/engine/reference.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/splitmix.hpp"

namespace warpspy {
namespace {

double rounded(double v, Precision precision) { return precision == Precision::f32 ? static_cast<float>(v) : v; }

struct Limits {
  double unit, largest, smallest;  // unit roundoff, largest finite, smallest subnormal number
};
Limits limits_of(Precision p) {
  if (p == Precision::f32)
    return {std::ldexp(1.0, -24), std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()};
  return {std::ldexp(1.0, -53), std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min()};
}

double gamma_of(double n, double unit) { return n * unit < 0.5 ? n * unit / (1 - n * unit) : 2 * n * unit; }

}  // namespace

std::vector<double> input_vector(index_t size, std::uint64_t seed, Precision precision) {
  std::vector<double> x(static_cast<std::size_t>(size));
  const std::uint64_t start = splitmix::after(seed);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, x.size(), 1 << 15), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const double unit = static_cast<double>(splitmix::after(start + i) >> 11) * 0x1p-53;  // [0, 1)
      x[i] = rounded(2 * unit - 1, precision);
    }
  });
  return x;
}

namespace {

// Sums of one element while they grow.
struct Sum {
  long double y = 0, magnitude = 0;
  index_t terms = 0;
  void add(long double term) {
    y += term;
    magnitude += std::fabs(term);
    ++terms;
  }
};

class ReferenceMaker {
 public:
  ReferenceMaker(index_t size, const ProductTerms& terms, Precision precision)
      : terms_(terms), alpha_(rounded(terms.alpha, precision)), beta_(rounded(terms.beta, precision)) {
    ref_.y.resize(static_cast<std::size_t>(size));
    ref_.magnitude.resize(ref_.y.size());
    ref_.terms.resize(ref_.y.size());
  }
  void set(index_t i, const Sum& sum) {
    const auto at = static_cast<std::size_t>(i);
    const long double before = beta_ != 0 ? static_cast<long double>(beta_) * terms_.y[at] : 0;
    ref_.y[at] = alpha_ * sum.y + before;
    ref_.magnitude[at] = static_cast<double>(std::fabs(alpha_) * sum.magnitude + std::fabs(before));
    ref_.terms[at] = sum.terms + (alpha_ != 1) + (beta_ != 0 ? 2 : 0);
  }
  void set_all(const std::vector<Sum>& sums) {
    for (std::size_t i = 0; i < sums.size(); ++i) set(static_cast<index_t>(i), sums[i]);
  }
  long double x(index_t i) const { return terms_.x[static_cast<std::size_t>(i)]; }
  void keep(index_t i) { ref_.y[static_cast<std::size_t>(i)] = terms_.y[static_cast<std::size_t>(i)]; }
  Reference done() { return std::move(ref_); }

 private:
  const ProductTerms& terms_;
  double alpha_, beta_;
  Reference ref_;
};

Sum row_sum(const Csr& a, index_t row, const ReferenceMaker& make, RealView view, Precision precision) {
  Sum sum;
  a.columns().visit([&](auto columns) {
    for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k)
      sum.add(static_cast<long double>(rounded(a.real_value(k, view), precision)) * make.x(columns[k]));
  });
  return sum;
}

// Every row adds to sums anywhere, so this loop is serial.
std::vector<Sum> column_sums(const Csr& a, const ReferenceMaker& make, RealView view, Precision precision,
                             const Progress& progress) {
  std::vector<Sum> sums(static_cast<std::size_t>(a.cols()));
  a.columns().visit([&](auto columns) {
    for (index_t row = 0; row < a.rows(); ++row) {
      if (row % 4096 == 0) progress.check();
      for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k)
        sums[static_cast<std::size_t>(columns[k])].add(
            static_cast<long double>(rounded(a.real_value(k, view), precision)) * make.x(row));
    }
  });
  return sums;
}

}  // namespace

double reference_bytes(Operation operation, index_t size) {
  constexpr double kept = sizeof(long double) + sizeof(double) + sizeof(index_t);
  // If entries add to sums anywhere, all sums are computed together. (LMA does so too, and is small.)
  return static_cast<double>(size) * (operation == Operation::transposed_product ? kept + sizeof(Sum) : kept);
}

Reference reference_product(const Csr& a, const ProductTerms& terms, RealView view, Precision precision,
                            const Progress& progress) {
  const index_t size = output_size(terms.operation, a.rows(), a.cols());
  ReferenceMaker make(size, terms, precision);
  if (terms.operation == Operation::transposed_product) {
    make.set_all(column_sums(a, make, view, precision, progress));
    return make.done();
  }
  tbb::parallel_for(tbb::blocked_range<index_t>(0, size, 4096), [&](const auto& range) {
    progress.check();
    for (index_t i = range.begin(); i < range.end(); ++i) {
      if (terms.operation == Operation::product) {
        make.set(i, row_sum(a, i, make, view, precision));
      } else if (i % terms.stride == 0) {
        Sum sum;
        sum.add(make.x(i));
        make.set(i, sum);
      } else {
        make.keep(i);
      }
    }
  });
  return make.done();
}

Reference reference_of_slots(const Format& a, const ProductTerms& terms, Precision precision,
                             const Progress& progress) {
  ReferenceMaker make(a.rows(), terms, precision);
  std::vector<Sum> sums(static_cast<std::size_t>(a.rows()));
  index_t seen = 0;
  a.for_each_slot([&](const Slot& s) {
    if (++seen % (1 << 20) == 0) progress.check();
    if (s.row < 0) return;
    sums[static_cast<std::size_t>(s.row)].add(static_cast<long double>(s.value) * make.x(s.column));
    if (s.mirrored) sums[static_cast<std::size_t>(s.column)].add(static_cast<long double>(s.value) * make.x(s.row));
  });
  make.set_all(sums);
  return make.done();
}

ErrorCheck check_result(const Reference& ref, std::span<const double> y, std::span<const RowRange> rows,
                        Precision precision) {
  const Limits limits = limits_of(precision);
  ErrorCheck check;
  for (const auto& [first, last] : rows) {
    for (index_t row = first; row < last; ++row) {
      const auto i = static_cast<std::size_t>(row);
      if (!(ref.magnitude[i] < limits.largest)) {
        ++check.rows_left_out;
        continue;
      }
      const auto n = static_cast<double>(ref.terms[i]);
      // Each product may lose up to the smallest number by underflow.
      const double bound = gamma_of(n, limits.unit) * ref.magnitude[i] + n * limits.smallest;
      const auto error = static_cast<double>(std::fabs(static_cast<long double>(y[i]) - ref.y[i]));
      double of_bound = error <= bound ? (bound > 0 ? error / bound : 0) : error / bound;
      if (std::isnan(error)) of_bound = std::numeric_limits<double>::infinity();
      ++check.rows_checked;
      check.max_abs = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(check.max_abs, error);
      if (of_bound <= check.max_of_bound && check.worst_row >= 0) continue;
      check.max_of_bound = of_bound;
      check.worst_row = row;
    }
  }
  check.passed = check.max_of_bound <= 1;
  return check;
}

}  // namespace warpspy
