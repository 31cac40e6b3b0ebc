#include "profiling/engine/reference.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpspy {
namespace {

double rounded(double v, Precision precision) { return precision == Precision::f32 ? static_cast<float>(v) : v; }

// SplitMix64: a counter and a mixing function, so that element i needs no other element.
std::uint64_t mixed(std::uint64_t v) {
  v += 0x9E3779B97F4A7C15ull;
  v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9ull;
  v = (v ^ (v >> 27)) * 0x94D049BB133111EBull;
  return v ^ (v >> 31);
}

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
  const std::uint64_t start = mixed(seed);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, x.size(), 1 << 15), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const double unit = static_cast<double>(mixed(start + i) >> 11) * 0x1p-53;  // [0, 1)
      x[i] = rounded(2 * unit - 1, precision);
    }
  });
  return x;
}

Reference reference_product(const Csr& a, std::span<const double> x, RealView view, Precision precision,
                            const Progress& progress) {
  Reference ref;
  ref.y.resize(static_cast<std::size_t>(a.rows()));
  ref.magnitude.resize(ref.y.size());
  const auto row_ptr = a.row_ptr();
  a.columns().visit([&](auto columns) {
    tbb::parallel_for(tbb::blocked_range<index_t>(0, a.rows(), 4096), [&](const auto& range) {
      progress.check();
      for (index_t row = range.begin(); row < range.end(); ++row) {
        long double sum = 0, magnitude = 0;
        for (index_t k = row_ptr[row]; k < row_ptr[row + 1]; ++k) {
          const long double term = static_cast<long double>(rounded(a.real_value(k, view), precision)) *
                                   static_cast<long double>(x[static_cast<std::size_t>(columns[k])]);
          sum += term;
          magnitude += std::fabs(term);
        }
        ref.y[static_cast<std::size_t>(row)] = sum;
        ref.magnitude[static_cast<std::size_t>(row)] = static_cast<double>(magnitude);
      }
    });
  });
  return ref;
}

ErrorCheck check_result(const Csr& a, const Reference& ref, std::span<const double> y, std::span<const RowRange> rows,
                        Precision precision) {
  const Limits limits = limits_of(precision);
  ErrorCheck check;
  for (const auto& [first, last] : rows) {
    for (index_t row = first; row < last; ++row) {
      const auto i = static_cast<std::size_t>(row);
      if (!(ref.magnitude[i] < limits.largest)) continue;
      const auto n = static_cast<double>(a.row_length(row));
      // Products below the smallest number lose up to that much each.
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
