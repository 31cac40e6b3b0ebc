#include "core/solve/chebyshev.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/base/splitmix.hpp"
#include "core/jobs/parallel.hpp"

namespace warpspy {
namespace {

using Numbers = std::vector<double>;

constexpr std::size_t shares = 64;

template <class Work>
void each(std::size_t size, const Work& work) {
  in_parallel(shares, [&](std::size_t share) {
    for (std::size_t i = part_begin(size, share, shares); i < part_begin(size, share + 1, shares); ++i) work(i);
  });
}
// The sum of what(i), on all processors and always in the same order.
template <class What>
double sum_of(std::size_t size, const What& what) {
  double sums[shares] = {};
  in_parallel(shares, [&](std::size_t share) {
    double sum = 0;
    for (std::size_t i = part_begin(size, share, shares); i < part_begin(size, share + 1, shares); ++i) sum += what(i);
    sums[share] = sum;
  });
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

// A symmetric matrix with these numbers on and beside its diagonal.
struct Tridiagonal {
  Numbers diagonal, beside;

  // Of its eigenvalues, by the signs of the pivots of T - v (Sylvester's law of inertia).
  std::size_t below(double v) const {
    std::size_t count = 0;
    double pivot = 1;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      pivot = diagonal[i] - v - (i == 0 ? 0 : beside[i - 1] * beside[i - 1] / pivot);
      if (pivot == 0) pivot = -1e-300;
      if (pivot < 0) ++count;
    }
    return count;
  }
  // Eigenvalue number `index`, the least one first, by bisection.
  double eigenvalue(std::size_t index) const {
    double low = diagonal[0], high = diagonal[0];  // Gershgorin
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      const double reach =
          (i > 0 ? std::fabs(beside[i - 1]) : 0) + (i + 1 < diagonal.size() ? std::fabs(beside[i]) : 0);
      low = std::min(low, diagonal[i] - reach), high = std::max(high, diagonal[i] + reach);
    }
    constexpr int halvings = 100;
    for (int k = 0; k < halvings; ++k) {
      const double middle = low + (high - low) / 2;
      (below(middle) > index ? high : low) = middle;
    }
    return low + (high - low) / 2;
  }
};

}  // namespace

ChebyshevPolynomial chebyshev_polynomial(double least, double most, int degree) {
  ChebyshevPolynomial p{.least = least, .most = most};
  const double sigma = (most + least) / (most - least);
  double rho = 1 / sigma;
  for (int k = 0; k < degree; ++k) {
    const double next = 1 / (2 * sigma - rho);
    p.steps.push_back({next * rho, 2 * next * sigma});
    rho = next;
  }
  return p;
}

RitzValues ritz_values(std::size_t size, int steps, const std::function<Numbers(std::span<const double>)>& times) {
  Numbers v(size), before(size);
  double length = std::sqrt(sum_of(size, [&](std::size_t i) {
    v[i] = static_cast<double>(splitmix::after(i + 1) >> 11) * 0x1p-53 - 0.5;
    return v[i] * v[i];
  }));
  each(size, [&](std::size_t i) { v[i] /= length; });
  Tridiagonal t;
  RitzValues found;
  while (found.products < steps && t.diagonal.size() < size) {
    Numbers w = times(v);
    ++found.products;
    t.diagonal.push_back(sum_of(size, [&](std::size_t i) { return v[i] * w[i]; }));
    const double own = t.diagonal.back(), last = t.beside.empty() ? 0 : t.beside.back();
    length = std::sqrt(sum_of(size, [&](std::size_t i) {
      w[i] -= own * v[i] + last * before[i];
      return w[i] * w[i];
    }));
    // Nothing new is left: the eigenvalues are those of the operator.
    if (!(length > 1e-12 * std::fabs(own)) || !std::isfinite(length)) break;
    t.beside.push_back(length);
    each(size, [&](std::size_t i) { before[i] = std::exchange(v[i], w[i] / length); });
  }
  found.least = t.eigenvalue(0), found.most = t.eigenvalue(t.diagonal.size() - 1);
  return found;
}

}  // namespace warpspy
