// The Chebyshev polynomial of a symmetric positive definite matrix as a preconditioner: M^-1 r is what Chebyshev
// iteration (Saad 2003, algorithm 12.1) makes of A z = r, from z = 0 on. The matrix is scaled by its diagonal, and the
// interval is [most / 30, most], as Adams et al. 2003 ("Parallel multigrid smoothing") and Ifpack2 choose.
#pragma once

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
  // What the estimate of the eigenvalues took.
  int products = 0;
  double us = 0;
};

inline constexpr double chebyshev_ratio = 30;    // of the interval's ends
inline constexpr double chebyshev_safety = 1.1;  // the largest eigenvalue is found from below
// The estimate's iterations at most. They also end where so little of the residual is left that nothing new comes.
inline constexpr int estimate_iterations = 10;
inline constexpr double estimate_tolerance = 1e-7;

// Needs 0 < least < most and a degree of at least 1, which is the number of steps.
ChebyshevPolynomial chebyshev_polynomial(double least, double most, int degree);

// What iterations of CG with Jacobi leave: r' z at the start and after each of them, and the step alpha of each. They
// end with a step that is not positive where the matrix is seen not to be positive definite.
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
