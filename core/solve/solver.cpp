#include "core/solve/solver.hpp"

#include <array>

namespace warpspy {

std::span<const SolverInfo> solvers() {
  static constexpr std::array table = {
      SolverInfo{Solver::cg, "CG",
                 "Conjugate gradients: one product and two sums over all unknowns in an iteration. For symmetric "
                 "positive definite matrices.",
                 "Hestenes & Stiefel 1952; Reguly & Giles 2012, section 8", true, 1},
      SolverInfo{Solver::pipelined_cg, "Pipelined CG",
                 "Conjugate gradients with all sums of an iteration at one place, so that fewer kernels wait for each "
                 "other. It reads and writes more vectors, and loses some digits.",
                 "Ghysels & Vanroose 2014, algorithm 4", true, 1},
      SolverInfo{Solver::bicgstab, "BiCGStab", "For any matrix: two products in an iteration, and few vectors.",
                 "van der Vorst 1992", false, 2},
      SolverInfo{Solver::gmres, "GMRES",
                 "For any matrix: the residual never grows. Each iteration works with all vectors since the last "
                 "restart.",
                 "Saad & Schultz 1986; vectors are made orthogonal twice by classical Gram-Schmidt", false, 1},
  };
  return table;
}

const SolverInfo& solver_info(Solver s) {
  for (const SolverInfo& info : solvers())
    if (info.solver == s) return info;
  throw Error("a run without a solver is no solve", "solver", "choose one, such as --solver cg");
}

int products_of(const SolveOptions& options) {
  const int of_step = options.preconditioner == Preconditioner::chebyshev ? options.degree : 0;
  return solver_info(options.solver).products * (1 + of_step);
}

std::span<const PreconditionerInfo> preconditioners() {
  static constexpr std::array table = {
      PreconditionerInfo{Preconditioner::none, "None", "The method as it is."},
      PreconditionerInfo{Preconditioner::jacobi, "Jacobi", "Divides by the diagonal: one more vector to read."},
      PreconditionerInfo{Preconditioner::block_jacobi, "Block Jacobi",
                         "Solves with the blocks of 8, 16 or 32 rows along the diagonal, whose inverses are stored."},
      PreconditionerInfo{Preconditioner::chebyshev, "Chebyshev",
                         "A polynomial of the matrix that comes near its inverse: as many more products as its degree, "
                         "and fewer iterations. For symmetric positive definite matrices (Adams et al. 2003)."},
  };
  return table;
}

}  // namespace warpspy
