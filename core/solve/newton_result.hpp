// Newton's method as data: its choices, its steps, and how it ended.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/solve/solver.hpp"

namespace warpspy {

// Tells when Newton's method stops.
struct NewtonOptions {
  double tolerance = 1e-8;  // stop at |F| <= tolerance * |F| at the start
  std::uint64_t most_steps = 50;
};

// A step of Newton's method for F(u) = 0: J(u) y = F(u) is solved, then u becomes u - share * y.
struct NewtonStep {
  double norm = 0;               // |F| before the step, in the 2-norm
  std::uint64_t iterations = 0;  // of the linear solve
  double true_residual = 0;      // |F - J y| / |F|, in long double
  double share = 1;              // of y that was taken: 1, or halved until |F| fell enough
  // Times in us. assembly: F and the values of J, on this machine's processors. preparation: J in the kernel's format,
  // and the estimate of its eigenvalues. solve: all iterations, with the steps of a refinement. products: the part of
  // solve_us that the products take.
  double assembly_us = 0, preparation_us = 0, solve_us = 0, products_us = 0;
  bool operator==(const NewtonStep&) const = default;
};
struct NewtonResult {
  SolveEnd end = SolveEnd::most_iterations;
  std::string why;  // one sentence
  std::vector<NewtonStep> steps;
  double norm = 0;  // |F| at the end
  bool operator==(const NewtonResult&) const = default;
};

}  // namespace warpspy
