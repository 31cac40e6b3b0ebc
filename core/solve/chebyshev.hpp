// The Chebyshev polynomial of a symmetric positive definite matrix as a preconditioner. M^-1 r is the z that a few
// steps of Chebyshev iteration (Saad 2003, algorithm 12.1) for A z = r give, from z = 0 on. The matrix is scaled by its
// diagonal. The polynomial damps the eigenvalues in [most / 30, most], an interval that Adams et al. 2003 ("Parallel
// multigrid smoothing") and Ifpack2 choose too.
#pragma once

#include <vector>

namespace warpspy {

// The coefficients of one step. The iteration begins with z = D^-1 r / theta and d = z, where D is the diagonal of A
// and theta the middle of the interval. Each step then takes one product A z: d = old d + fresh D^-1 (r - A z) / theta,
// and z += d.
struct ChebyshevStep {
  double old = 0, fresh = 0;
  bool operator==(const ChebyshevStep&) const = default;
};
struct ChebyshevPolynomial {
  double least = 0, most = 0;  // the interval of eigenvalues of D^-1 A
  std::vector<ChebyshevStep> steps = {};
  // The cost of estimating the eigenvalues: products with A, and time.
  int products = 0;
  double us = 0;
};

inline constexpr double chebyshev_ratio = 30;    // of the interval's ends
inline constexpr double chebyshev_safety = 1.1;  // the largest eigenvalue is found from below
// The eigenvalues are estimated by at most this many iterations of CG. The iterations end earlier once the residual is
// below the tolerance, since they then add nothing to the estimate.
inline constexpr int estimate_iterations = 10;
inline constexpr double estimate_tolerance = 1e-7;

// Makes the polynomial for the interval [least, most]. It needs 0 < least < most and a degree of at least 1, which is
// the number of steps.
ChebyshevPolynomial chebyshev_polynomial(double least, double most, int degree);

// The coefficients of CG iterations with the Jacobi preconditioner: r' z at the start and after each iteration, and
// each iteration's step length alpha. If the last alpha is not positive, the matrix is not positive definite.
struct CgCoefficients {
  std::vector<double> rz, alpha;
  double us = 0;  // of all iterations
};

// The least and the most Ritz value of D^-1 A: eigenvalues of the tridiagonal matrix that Lanczos would make from the
// same start (Saad 2003, section 6.7.3). Both lie between the least and the most eigenvalue. Needs a positive step.
struct RitzValues {
  double least = 0, most = 0;
};
RitzValues ritz_values(const CgCoefficients& cg);

}  // namespace warpspy
