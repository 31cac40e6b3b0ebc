#include "core/solve/chebyshev.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace warpspy {
namespace {

using Numbers = std::vector<double>;

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

RitzValues ritz_values(const CgCoefficients& cg) {
  Tridiagonal t;
  double last = 0;  // beta / alpha of the iteration before
  for (std::size_t j = 0; j < cg.alpha.size(); ++j) {
    const double beta = cg.rz[j + 1] / cg.rz[j];
    t.diagonal.push_back(1 / cg.alpha[j] + last);
    t.beside.push_back(std::sqrt(beta) / cg.alpha[j]);
    last = beta / cg.alpha[j];
  }
  return {t.eigenvalue(0), t.eigenvalue(t.diagonal.size() - 1)};
}

}  // namespace warpspy
