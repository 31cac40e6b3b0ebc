// The linear system of a solve: the matrix in the precision of the run, its vectors, and its preconditioner.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"
#include "core/solve/chebyshev.hpp"
#include "core/solve/solver.hpp"

namespace warpspy {

// The other processes of a solve, each of which has some of the rows. What these functions throw, they throw in all.
class Peers {
 public:
  virtual ~Peers() = default;
  // The numbers of x that this process needs of others; `own`: those that it has.
  virtual std::vector<double> halo(std::span<const double> own) = 0;
  // Each number becomes the sum of those of all processes, added up in the same order everywhere.
  virtual void add_up(std::span<double> sums) = 0;
};

// The rows of one process: entries with x of other processes stand in a matrix of their own, as in core/partition.
struct SharedRows {
  std::shared_ptr<const Csr> halo = {};
  std::vector<double> halo_values = {};  // in the system's precision
  index_t boundary = 0;                  // the row of the system that is the halo's first
  Peers* peers = nullptr;                // nullptr: there are no other processes
};

// A linear system A x = b with its preconditioner. All numbers are rounded to `precision`.
struct LinearSystem {
  std::shared_ptr<const Csr> matrix = {};
  Precision precision = Precision::f64;
  std::vector<double> own_values = {};  // of the matrix's entries; empty: those of the matrix are as they should be
  std::vector<double> b = {}, x0 = {};
  double b_norm = 0;
  Preconditioner preconditioner = Preconditioner::none;
  int block = 8;
  // Jacobi: 1 / a_ii. Block Jacobi: entry (i, j) of the inverse of row i's block at j * rows + i. The last block may be
  // smaller, and its missing entries are 0. Chebyshev: 1 / (theta a_ii).
  std::vector<double> inverse = {};
  ChebyshevPolynomial polynomial = {};
  // If several processes share the system: `matrix` and all vectors have the rows of this one, and b_norm is of all.
  SharedRows shared = {};

  index_t rows() const { return matrix->rows(); }
  std::span<const double> values() const { return own_values.empty() ? matrix->values() : own_values; }
};

// The vector that a word names, for the right-hand side or the start of a solve: "ones", "zeros", "random" (of `seed`).
// Throws Error for another word.
std::vector<double> vector_of_word(const std::string& word, index_t size, std::uint64_t seed);

// A function that runs CG with Jacobi and returns its coefficients. From these come the eigenvalue bounds of a
// Chebyshev polynomial.
using CgRun = std::function<CgCoefficients(const LinearSystem& system, const SolveOptions& options)>;

// Makes the system of a solve. For Chebyshev, `cg` is called once; if it is empty, this machine's processors run these
// iterations (on_host.hpp).
// Throws Error when the matrix is not square, b or x0 has another length or a number that is not finite, a number
// is beyond f32 in f32, a diagonal entry is 0 or missing (Jacobi) or a block is singular, memory does not suffice; for
// CG and Chebyshev when the matrix is not symmetric, apart from unknowns that stay 0 (gen:bratu's boundary), and for
// Chebyshev when it is seen not to be positive definite. Throws Cancelled.
LinearSystem make_system(std::shared_ptr<const Csr> matrix, RealView view, Precision precision,
                         const SolveOptions& options, std::vector<double> b, std::vector<double> x0, Progress& progress,
                         const CgRun& cg = {});

// The entries as real numbers of the precision.
std::vector<double> values_in(const Csr& a, RealView view, Precision precision);

// These return A x, M^-1 r and b - A x. They run on all processors, in f64. All functions of a system that several
// processes share must be called by all of them.
std::vector<double> product(const LinearSystem& s, std::span<const double> x);
std::vector<double> preconditioned(const LinearSystem& s, std::span<const double> r);
std::vector<double> residual(const LinearSystem& s, std::span<const double> x);
// |b - A x| / |b| in long double.
double true_residual(const LinearSystem& s, std::span<const double> x);
double norm(std::span<const double> v);
double norm(const LinearSystem& s, std::span<const double> v);  // of the vector of all processes

}  // namespace warpspy
