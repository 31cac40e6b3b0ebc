#include "core/solve/system.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "core/base/splitmix.hpp"
#include "core/jobs/parallel.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/matrix/pages.hpp"
#include "core/solve/on_host.hpp"

namespace warpspy {
namespace {

constexpr std::size_t ranges = 64;

// Calls work(begin, end) for ranges of rows, several at a time.
template <class Work>
void in_ranges(std::size_t count, const Work& work) {
  in_parallel(ranges,
              [&](std::size_t part) { work(part_begin(count, part, ranges), part_begin(count, part + 1, ranges)); });
}

double rounded(double v, Precision precision) { return precision == Precision::f32 ? static_cast<float>(v) : v; }

// Sets `first` to the least of itself and `i`, while other threads may do the same.
void take_first(std::atomic<index_t>& first, index_t i) {
  index_t now = first;
  while (i < now && !first.compare_exchange_weak(now, i)) {
  }
}

// Rounds the vector. Throws Error for a number that is not finite, or not in f32.
void take(std::vector<double>& v, const char* what, index_t size, Precision precision) {
  if (static_cast<index_t>(v.size()) != size)
    throw Error(std::string(what) + " has " + std::to_string(v.size()) + " elements, and the matrix has " +
                    std::to_string(size) + " rows",
                {}, "give one of that length");
  std::atomic<index_t> bad{size};
  in_ranges(v.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double given = v[i];
      v[i] = rounded(given, precision);
      if (std::isfinite(v[i])) continue;
      v[i] = given;  // which the error asks about
      return take_first(bad, static_cast<index_t>(i));
    }
  });
  if (bad == size) return;
  const std::string element = " at element " + std::to_string(bad + 1);
  if (!std::isfinite(v[static_cast<std::size_t>(bad)])) throw Error(what + (" has no finite number" + element));
  throw Error(what + (" has a number beyond f32" + element), {}, "solve in f64");
}

// Whether an unknown is 0 in all iterations, so that its column counts for nothing.
bool stays_zero(const LinearSystem& s, index_t i) {
  const Csr& a = *s.matrix;
  const auto at = static_cast<std::size_t>(i);
  return a.row_length(i) == 1 && a.columns()[static_cast<std::size_t>(a.row_ptr()[i])] == i && s.b[at] == 0 &&
         s.x0[at] == 0;
}

// The first entry (row, column) found without an equal mirror; its column's unknown does not stay 0.
struct Unequal {
  index_t row = -1, column = -1;
};

template <class Col>
std::optional<Unequal> unequal_in(const LinearSystem& s, std::span<const Col> columns, index_t begin, index_t end) {
  const Csr& a = *s.matrix;
  const std::span<const index_t> ptr = a.row_ptr();
  const std::span<const double> values = s.values();
  for (index_t i = begin; i < end; ++i)
    for (index_t k = ptr[i]; k < ptr[i + 1]; ++k) {
      const index_t j = columns[k];
      if (j == i) continue;
      const auto first = columns.begin() + ptr[j], last = columns.begin() + ptr[j + 1];
      const auto mirror = std::lower_bound(first, last, static_cast<Col>(i));
      const bool there = mirror != last && *mirror == i;
      // Each pair of values is compared once.
      if (there && (j < i || values[mirror - columns.begin()] == values[k])) continue;
      if (!stays_zero(s, j)) return Unequal{i, j};
    }
  return std::nullopt;
}

void require_symmetric(const LinearSystem& s, const char* who, const char* instead) {
  std::mutex mutex;
  Unequal found;
  s.matrix->columns().visit([&](auto columns) {
    in_ranges(static_cast<std::size_t>(s.rows()), [&](std::size_t begin, std::size_t end) {
      const auto unequal = unequal_in(s, columns, static_cast<index_t>(begin), static_cast<index_t>(end));
      const std::lock_guard lock(mutex);
      if (unequal && (found.row < 0 || unequal->row < found.row)) found = *unequal;
    });
  });
  if (found.row < 0) return;
  const std::string row = std::to_string(found.row + 1), column = std::to_string(found.column + 1);
  throw Error(std::string("the matrix is not symmetric, which ") + who + " needs: entries (" + row + ", " + column +
                  ") and (" + column + ", " + row + ") differ",
              {}, instead);
}

double entry(const LinearSystem& s, index_t i, index_t j) {
  const index_t k = s.matrix->find(i, j);
  return k < 0 ? 0 : s.values()[static_cast<std::size_t>(k)];
}

void invert_diagonal(LinearSystem& s) {
  std::atomic<index_t> bad{s.rows()};
  in_ranges(s.inverse.size(), [&](std::size_t begin, std::size_t end) {
    for (auto i = static_cast<index_t>(begin); i < static_cast<index_t>(end); ++i) {
      const double d = entry(s, i, i), inverse = rounded(1 / d, s.precision);
      if (d == 0 || !std::isfinite(inverse)) return take_first(bad, i);
      s.inverse[static_cast<std::size_t>(i)] = inverse;
    }
  });
  if (bad < s.rows())
    throw Error("row " + std::to_string(bad + 1) + " has no usable entry on the diagonal, by which Jacobi divides", {},
                "solve without a preconditioner");
}

// Gauss-Jordan with pivots by column. `a` is n x n, row by row, and becomes its inverse. false: it is singular.
bool invert(std::vector<double>& a, std::size_t n) {
  std::vector<double> inverse(n * n);
  for (std::size_t i = 0; i < n; ++i) inverse[i * n + i] = 1;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (std::fabs(a[r * n + c]) > std::fabs(a[pivot * n + c])) pivot = r;
    if (a[pivot * n + c] == 0) return false;
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(a[c * n + j], a[pivot * n + j]);
      std::swap(inverse[c * n + j], inverse[pivot * n + j]);
    }
    const double scale = 1 / a[c * n + c];
    for (std::size_t j = 0; j < n; ++j) a[c * n + j] *= scale, inverse[c * n + j] *= scale;
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = a[r * n + c];
      if (r == c || factor == 0) continue;
      for (std::size_t j = 0; j < n; ++j)
        a[r * n + j] -= factor * a[c * n + j], inverse[r * n + j] -= factor * inverse[c * n + j];
    }
  }
  a = std::move(inverse);
  return std::all_of(a.begin(), a.end(), [](double v) { return std::isfinite(v); });
}

void invert_blocks(LinearSystem& s) {
  const index_t rows = s.rows(), block = s.block, blocks = (rows + block - 1) / block;
  std::atomic<index_t> singular{-1};
  in_ranges(static_cast<std::size_t>(blocks), [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      const index_t first = static_cast<index_t>(b) * block, n = std::min<index_t>(block, rows - first);
      const auto size = static_cast<std::size_t>(n);
      std::vector<double> a(size * size);
      for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) a[static_cast<std::size_t>(i * n + j)] = entry(s, first + i, first + j);
      if (!invert(a, size)) {
        singular = first;
        return;
      }
      for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j)
          s.inverse[static_cast<std::size_t>(j * rows + first + i)] =
              rounded(a[static_cast<std::size_t>(i * n + j)], s.precision);
    }
  });
  if (singular >= 0)
    throw Error("the block of rows " + std::to_string(singular + 1) + " and on is singular", {},
                "use another block size, or Jacobi");
}

constexpr const char* instead_of_chebyshev = "use --precond jacobi, or none";

void require_usable_inverses(const LinearSystem& s) {
  for (std::size_t i = 0; i < s.inverse.size(); ++i)
    if (!std::isfinite(s.inverse[i]))
      throw Error(
          "the diagonal of row " + std::to_string(i + 1) + " is too small to divide by it in " + name_of(s.precision),
          {}, instead_of_chebyshev);
}

// The right-hand side of the estimate of the eigenvalues: random numbers that are always the same, times the roots of
// the diagonal, so that they are those of Lanczos on the scaled matrix.
std::vector<double> estimate_start(const LinearSystem& s) {
  std::vector<double> b(s.inverse.size());
  in_ranges(b.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (!stays_zero(s, static_cast<index_t>(i)))
        b[i] = rounded((static_cast<double>(splitmix::after(i + 1) >> 11) * 0x1p-53 - 0.5) / std::sqrt(s.inverse[i]),
                       s.precision);
  });
  return b;
}

// Ten iterations of CG with Jacobi for another right-hand side tell the largest eigenvalue of D^-1 A.
void make_polynomial(LinearSystem& s, const SolveOptions& options, const CgRun& cg) {
  const auto size = static_cast<std::size_t>(s.rows());
  std::atomic<index_t> bad{-1};
  in_ranges(size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double d = entry(s, static_cast<index_t>(i), static_cast<index_t>(i));
      if (!(d > 0)) bad = static_cast<index_t>(i);
      s.inverse[i] = rounded(1 / d, s.precision);
    }
  });
  if (bad >= 0)
    throw Error("row " + std::to_string(bad + 1) + " has no positive entry on the diagonal, so the matrix is not " +
                    "positive definite, which Chebyshev needs",
                {}, instead_of_chebyshev);
  require_usable_inverses(s);
  std::vector<double> b = estimate_start(s), x0(size);
  std::swap(s.b, b), std::swap(s.x0, x0);
  const double b_norm = std::exchange(s.b_norm, norm(s.b));
  s.preconditioner = Preconditioner::jacobi;
  const CgCoefficients found = cg(s, {.solver = Solver::cg,
                                      .preconditioner = Preconditioner::jacobi,
                                      .tolerance = estimate_tolerance,
                                      .most_iterations = estimate_iterations});
  s.preconditioner = Preconditioner::chebyshev;
  std::swap(s.b, b), std::swap(s.x0, x0), s.b_norm = b_norm;
  if (found.alpha.empty() || !(found.alpha.back() > 0) || !std::isfinite(found.alpha.back()))
    throw Error(
        "the estimate of the eigenvalues found a p with p' A p <= 0: the matrix is not positive definite, which "
        "Chebyshev needs",
        {}, instead_of_chebyshev);
  const double most = chebyshev_safety * ritz_values(found).most;
  if (!(most > 0) || !std::isfinite(most))
    throw Error("the estimate of the eigenvalues overflows in " + std::string(name_of(s.precision)), {},
                instead_of_chebyshev);
  s.polynomial = chebyshev_polynomial(most / chebyshev_ratio, most, options.degree);
  s.polynomial.products = static_cast<int>(found.alpha.size());
  s.polynomial.us = found.us;
  const double theta = (s.polynomial.least + s.polynomial.most) / 2;
  for (double& inverse : s.inverse) inverse = rounded(inverse / theta, s.precision);
  require_usable_inverses(s);
}

}  // namespace

std::vector<double> vector_of_word(const std::string& word, index_t size, std::uint64_t seed) {
  std::vector<double> v(static_cast<std::size_t>(size));
  if (word == "zeros") return v;
  if (word == "ones") {
    std::fill(v.begin(), v.end(), 1.0);
    return v;
  }
  if (word != "random")
    throw Error("\"" + word + "\" is no vector", {}, "write ones, zeros, random or the name of a .mtx or .npy file");
  const std::uint64_t start = splitmix::after(seed);
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = 2 * (static_cast<double>(splitmix::after(start + i) >> 11) * 0x1p-53) - 1;
  return v;
}

LinearSystem make_system(std::shared_ptr<const Csr> matrix, RealView view, Precision precision,
                         const SolveOptions& options, std::vector<double> b, std::vector<double> x0, Progress& progress,
                         const CgRun& cg) {
  const SolverInfo& solver = solver_info(options.solver);
  const Csr& a = *matrix;
  if (a.rows() != a.cols())
    throw Error("a solve needs a square matrix, and this one has " + std::to_string(a.rows()) + " rows and " +
                    std::to_string(a.cols()) + " columns",
                {}, "open a square one");
  if (a.rows() == 0) throw Error("a matrix without rows has nothing to solve");
  LinearSystem s{.matrix = std::move(matrix),
                 .precision = precision,
                 .b = std::move(b),
                 .x0 = std::move(x0),
                 .preconditioner = options.preconditioner,
                 .block = options.block};
  take(s.b, "the right-hand side", a.rows(), precision);
  take(s.x0, "the start", a.rows(), precision);
  s.b_norm = norm(s.b);
  if (s.b_norm == 0) throw Error("the right-hand side is 0, so the solution is 0", {}, "give another one");
  if (precision == Precision::f32 || a.is_complex()) {
    require_memory(static_cast<double>(a.nnz()) * sizeof(double), "the values of the matrix");
    s.own_values = values_in(a, view, precision);
  }
  progress.check();
  if (solver.symmetric)
    require_symmetric(s, solver.label, "use --solver bicgstab or gmres");
  else if (s.preconditioner == Preconditioner::chebyshev)
    require_symmetric(s, "Chebyshev", instead_of_chebyshev);
  progress.check();
  if (s.preconditioner == Preconditioner::jacobi) {
    s.inverse.resize(static_cast<std::size_t>(a.rows()));
    invert_diagonal(s);
  }
  if (s.preconditioner == Preconditioner::block_jacobi) {
    require_memory(static_cast<double>(a.rows()) * options.block * sizeof(double), "the inverse blocks");
    s.inverse.resize(static_cast<std::size_t>(a.rows()) * static_cast<std::size_t>(options.block));
    invert_blocks(s);
  }
  if (s.preconditioner == Preconditioner::chebyshev) {
    require_memory(8.0 * static_cast<double>(a.rows()) * sizeof(double), "the estimate of the eigenvalues");
    s.inverse.resize(static_cast<std::size_t>(a.rows()));
    make_polynomial(
        s, options, cg ? cg : [&](const LinearSystem& of_estimate, const SolveOptions& how) {
          return cg_on_host(of_estimate, how, progress);
        });
  }
  return s;
}

namespace {

// sum + sum of a_ij x_j in row i.
template <class Sum, class Columns>
Sum row_sum(Sum sum, const Csr& a, const Columns& columns, std::span<const double> values, std::span<const double> x,
            std::size_t i) {
  for (auto k = static_cast<std::size_t>(a.row_ptr()[i]); k < static_cast<std::size_t>(a.row_ptr()[i + 1]); ++k)
    sum += static_cast<Sum>(values[k]) * static_cast<Sum>(x[static_cast<std::size_t>(columns[k])]);
  return sum;
}

// y_i = what(i, sum of a_ij x_j), the sum in `Sum`.
template <class Sum, class What>
void for_each_row(const LinearSystem& s, std::span<const double> x, const What& what) {
  const Csr& a = *s.matrix;
  const auto values = s.values();
  const SharedRows& shared = s.shared;
  const std::vector<double> far = shared.peers ? shared.peers->halo(x) : std::vector<double>();
  const std::size_t inside = static_cast<std::size_t>(shared.peers ? shared.boundary : a.rows());
  a.columns().visit([&](auto columns) {
    in_ranges(static_cast<std::size_t>(a.rows()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Sum sum = row_sum<Sum>(0, a, columns, values, x, i);
        if (i >= inside) sum = row_sum(sum, *shared.halo, shared.halo->columns(), shared.halo_values, far, i - inside);
        what(i, sum);
      }
    });
  });
}

double root_of_all(const LinearSystem& s, long double squares) {
  if (!s.shared.peers) return static_cast<double>(std::sqrt(squares));
  double sum = static_cast<double>(squares);
  s.shared.peers->add_up({&sum, 1});
  return std::sqrt(sum);
}

}  // namespace

std::vector<double> values_in(const Csr& a, RealView view, Precision precision) {
  std::vector<double> values = zeroed<double>(static_cast<std::size_t>(a.nnz()));
  in_ranges(values.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const double value = a.is_complex() ? a.real_value(static_cast<index_t>(k), view) : a.values()[k];
      values[k] = rounded(value, precision);
    }
  });
  return values;
}

std::vector<double> product(const LinearSystem& s, std::span<const double> x) {
  std::vector<double> y(x.size());
  for_each_row<double>(s, x, [&](std::size_t i, double sum) { y[i] = rounded(sum, s.precision); });
  return y;
}

std::vector<double> residual(const LinearSystem& s, std::span<const double> x) {
  std::vector<double> r(x.size());
  for_each_row<double>(s, x, [&](std::size_t i, double sum) { r[i] = rounded(s.b[i] - sum, s.precision); });
  return r;
}

std::vector<double> preconditioned(const LinearSystem& s, std::span<const double> r) {
  std::vector<double> z(r.begin(), r.end());
  const auto size = z.size();
  if (s.preconditioner == Preconditioner::jacobi || s.preconditioner == Preconditioner::chebyshev)
    in_ranges(size, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) z[i] = rounded(r[i] * s.inverse[i], s.precision);
    });
  if (s.preconditioner == Preconditioner::chebyshev) {
    std::vector<double> d = z;
    for (const ChebyshevStep& step : s.polynomial.steps) {
      const std::vector<double> y = product(s, z);
      in_ranges(size, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          d[i] = rounded(step.old * d[i] + step.fresh * (s.inverse[i] * (r[i] - y[i])), s.precision);
          z[i] = rounded(z[i] + d[i], s.precision);
        }
      });
    }
  }
  if (s.preconditioner != Preconditioner::block_jacobi) return z;
  const auto block = static_cast<std::size_t>(s.block);
  in_ranges(size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first = i / block * block;
      double sum = 0;
      for (std::size_t j = 0; j < block && first + j < size; ++j) sum += r[first + j] * s.inverse[j * size + i];
      z[i] = rounded(sum, s.precision);
    }
  });
  return z;
}

double norm(std::span<const double> v) { return norm({}, v); }

double norm(const LinearSystem& s, std::span<const double> v) {
  long double sum = 0;
  for (const double e : v) sum += static_cast<long double>(e) * e;
  return root_of_all(s, sum);
}

double true_residual(const LinearSystem& s, std::span<const double> x) {
  std::vector<double> squares(x.size());
  for_each_row<long double>(s, x, [&](std::size_t i, long double sum) {
    const long double r = s.b[i] - sum;
    squares[i] = static_cast<double>(r * r);
  });
  long double sum = 0;
  for (const double square : squares) sum += square;
  return root_of_all(s, sum) / s.b_norm;
}

}  // namespace warpspy
