// A solve of A x = b as data: the method, the preconditioner, and how it ended.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

// Krylov methods for A x = b. `none`: no solve, but one product.
enum class Solver : std::uint8_t { none, cg, pipelined_cg, bicgstab, gmres };
constexpr const char* name_of(Solver s) {
  constexpr const char* names[] = {"none", "cg", "pipelined_cg", "bicgstab", "gmres"};
  return names[static_cast<int>(s)];
}

enum class Preconditioner : std::uint8_t { none, jacobi, block_jacobi, chebyshev };
constexpr const char* name_of(Preconditioner p) {
  constexpr const char* names[] = {"none", "jacobi", "block_jacobi", "chebyshev"};
  return names[static_cast<int>(p)];
}

struct SolverInfo {
  Solver solver = Solver::none;
  const char *label, *help, *source;
  bool symmetric = false;  // the method is only for symmetric positive definite matrices
  int products = 1;        // in an iteration without a preconditioner, which is applied once for each of them
};
// All methods in the order of the enumeration, without `none`.
std::span<const SolverInfo> solvers();
const SolverInfo& solver_info(Solver s);  // throws Error for `none`

struct PreconditionerInfo {
  Preconditioner preconditioner = Preconditioner::none;
  const char *label, *help;
};
std::span<const PreconditionerInfo> preconditioners();

// The choices of a solve. Each is a row in core/run/request_options.
struct SolveOptions {
  Solver solver = Solver::none;
  Preconditioner preconditioner = Preconditioner::none;
  int block = 8;            // rows of a block of block Jacobi: 8, 16 or 32
  int degree = 4;           // of the Chebyshev polynomial, 1 to 16: the number of products that applying it takes
  double tolerance = 1e-8;  // stop at |r| <= tolerance |b|
  std::uint64_t most_iterations = 1000;
  int restart = 30;  // GMRES: iterations between restarts
};
// The number of products with A in one iteration, with those of the preconditioner. Throws Error if the options have no
// solver.
int products_of(const SolveOptions& options);

// Pipelined CG updates its residual by recurrences, which drift from the true residual b - A x. So after this many
// iterations the residual is computed anew. In f32 they drift within 32 iterations (six systems, three preconditioners,
// 2026-11-30); with 16 it ends where CG ends.
constexpr int replaced_after(Precision precision) { return precision == Precision::f32 ? 16 : 64; }

// Tells why a solve ended.
enum class SolveEnd : std::uint8_t { converged, most_iterations, stagnated, broke_down };
constexpr const char* name_of(SolveEnd e) {
  constexpr const char* names[] = {"converged", "most iterations", "stagnated", "broke down"};
  return names[static_cast<int>(e)];
}

// The result of a solve. The run's record has it, beside the times and counters of one iteration.
struct SolveResult {
  SolveEnd end = SolveEnd::most_iterations;
  std::string why;                // one sentence
  std::uint64_t iterations = 0;   // done
  std::vector<double> residuals;  // |r| / |b| as the method has it: at the start, and after each iteration
  double true_residual = 0;       // |b - A x| / |b| of the solution, in long double
  double solution_norm = 0;       // |x|
  // Tells what computed the numbers: the device, or this machine's processors while the iteration was modelled.
  std::string numbers_from;
  bool operator==(const SolveResult&) const = default;
};

}  // namespace warpspy
