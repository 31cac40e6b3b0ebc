// The Chebyshev polynomial of a symmetric positive definite matrix as a preconditioner: M^-1 r is what Chebyshev
// iteration (Saad 2003, algorithm 12.1) makes of A z = r, from z = 0 on. The matrix is scaled by its diagonal, and the
// interval is [most / 30, most], as Adams et al. 2003 ("Parallel multigrid smoothing") and Ifpack2 choose.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace warpspy {

// z = D^-1 r / theta and d = z at first, theta being the middle of the interval. Then each step is a product:
// d = old d + fresh D^-1 (r - A z) / theta and z += d.
struct ChebyshevStep {
  double old = 0, fresh = 0;
  bool operator==(const ChebyshevStep&) const = default;
};
struct ChebyshevPolynomial {
  double least = 0, most = 0;  // the interval of eigenvalues of D^-1 A
  std::vector<ChebyshevStep> steps = {};
  // What the estimate of the eigenvalues took, on this machine's processors.
  int products = 0;
  double us = 0;
};

inline constexpr double chebyshev_ratio = 30;    // of the interval's ends
inline constexpr double chebyshev_safety = 1.1;  // Lanczos finds the largest eigenvalue from below
inline constexpr int lanczos_steps = 10;

// Needs 0 < least < most and a degree of at least 1, which is the number of steps.
ChebyshevPolynomial chebyshev_polynomial(double least, double most, int degree);

// The least and the most Ritz value of a symmetric operator after at most so many steps of Lanczos (Saad 2011,
// algorithm 6.15), a product each. Both lie between its least and most eigenvalue. It begins with random numbers that
// are always the same.
struct RitzValues {
  double least = 0, most = 0;
  int products = 0;
};
RitzValues ritz_values(std::size_t size, int steps,
                       const std::function<std::vector<double>(std::span<const double>)>& times);

}  // namespace warpspy
