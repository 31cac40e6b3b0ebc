// The Chebyshev preconditioner: its polynomial, the estimate of its bounds, and what it does for CG.
#include "core/solve/chebyshev.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/solve/on_host.hpp"
#include "kernels/solve/iteration.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

LinearSystem system_with(const Matrix& m, const SolveOptions& options, Precision precision = Precision::f64) {
  Progress progress;
  return make_system(m.csr, RealView::real_part, precision, options, vector_of_word("random", m.csr->rows(), 3),
                     vector_of_word("zeros", m.csr->rows(), 1), progress);
}
Matrix grid_of(const char* text) {
  Progress progress;
  return generate(text, progress);
}

// 1 - lambda s(lambda) of one eigenvalue is what the steps leave of a residual of 1.
double left_of(const ChebyshevPolynomial& p, double lambda) {
  const double theta = (p.least + p.most) / 2;
  double z = 1 / theta, d = z;
  for (const ChebyshevStep& step : p.steps) {
    d = step.old * d + step.fresh * (1 - lambda * z) / theta;
    z += d;
  }
  return 1 - lambda * z;
}
// T_n(t), by its recurrence.
double chebyshev(int n, double t) {
  double before = 1, now = t;
  for (int k = 1; k < n; ++k) {
    const double next = 2 * t * now - before;
    before = now, now = next;
  }
  return now;
}

TEST(Chebyshev, ItsStepsMakeThePolynomialOfTheTextbook) {
  const double least = 0.1, most = 3, theta = (least + most) / 2, delta = (most - least) / 2;
  for (const int degree : {1, 2, 3, 4, 9, 16}) {
    const ChebyshevPolynomial p = chebyshev_polynomial(least, most, degree);
    ASSERT_EQ(p.steps.size(), static_cast<std::size_t>(degree));
    for (const double lambda : {0.0, 0.01, 0.1, 0.7, 1.5, 2.9, 3.0, 3.05})
      EXPECT_NEAR(left_of(p, lambda),
                  chebyshev(degree + 1, (theta - lambda) / delta) / chebyshev(degree + 1, theta / delta), 1e-12)
          << degree << ", " << lambda;
    // So M^-1 is positive definite up to the sum of the bounds.
    for (double lambda = 0.02; lambda < least + most; lambda += 0.02) EXPECT_LT(left_of(p, lambda), 1) << lambda;
  }
}

SolveOptions cg_with_jacobi(int iterations) {
  return {.solver = Solver::cg,
          .preconditioner = Preconditioner::jacobi,
          .tolerance = estimate_tolerance,
          .most_iterations = static_cast<std::uint64_t>(iterations)};
}

// The eigenvalues of the five-point grid are known; D is 4.
TEST(Chebyshev, CgComesNearTheLargestEigenvalue) {
  const SolveOptions options = cg_with_jacobi(estimate_iterations);
  const LinearSystem s = system_with(grid_of("laplace5?nx=40&ny=30"), options);
  const double pi = std::numbers::pi, x = std::cos(pi / 41), y = std::cos(pi / 31), most = 1 + x / 2 + y / 2,
               least = 1 - x / 2 - y / 2;
  Progress progress;
  const CgCoefficients cg = cg_on_host(s, options, progress);
  ASSERT_EQ(cg.alpha.size(), static_cast<std::size_t>(estimate_iterations));
  ASSERT_EQ(cg.rz.size(), cg.alpha.size() + 1);
  const RitzValues found = ritz_values(cg);
  EXPECT_LE(found.most, most * (1 + 1e-12));
  EXPECT_GE(found.most * chebyshev_safety, most);
  EXPECT_GE(found.least, least);
  EXPECT_LT(found.least, most / 10);
  // All iterations find all eigenvalues of a small one, and then there is nothing left to do.
  const SolveOptions more = cg_with_jacobi(20);
  const CgCoefficients all = cg_on_host(system_with(grid_of("laplace3?nx=7"), more), more, progress);
  EXPECT_LE(all.alpha.size(), 8u);
  EXPECT_NEAR(ritz_values(all).most, 1 + std::cos(pi / 8), 1e-9);
  EXPECT_NEAR(ritz_values(all).least, 1 - std::cos(pi / 8), 1e-9);
}

// Lanczos on the scaled matrix, written down as the textbook has it, begun where CG begins.
TEST(Chebyshev, CgTellsTheTridiagonalMatrixOfLanczos) {
  const SolveOptions options = cg_with_jacobi(6);
  const LinearSystem s = system_with(grid_of("random?rows=200&cols=200&spd=1"), options);
  const std::size_t n = 200;
  std::vector<double> roots(n), v(n), before(n);
  for (std::size_t i = 0; i < n; ++i) roots[i] = std::sqrt(s.inverse[i]), v[i] = roots[i] * s.b[i];
  double length = norm(v);
  for (double& e : v) e /= length;
  std::vector<double> diagonal, beside;
  for (int k = 0; k < 6; ++k) {
    std::vector<double> w(n);
    for (std::size_t i = 0; i < n; ++i) w[i] = roots[i] * v[i];
    w = product(s, w);
    double own = 0;
    for (std::size_t i = 0; i < n; ++i) w[i] *= roots[i], own += w[i] * v[i];
    for (std::size_t i = 0; i < n; ++i) w[i] -= own * v[i] + (k > 0 ? beside.back() : 0) * before[i];
    length = norm(w);
    diagonal.push_back(own), beside.push_back(length);
    for (std::size_t i = 0; i < n; ++i) before[i] = v[i], v[i] = w[i] / length;
  }
  Progress progress;
  const CgCoefficients cg = cg_on_host(s, options, progress);
  ASSERT_EQ(cg.alpha.size(), 6u);
  for (std::size_t j = 0; j < 6; ++j) {
    const double beta = cg.rz[j + 1] / cg.rz[j], last = j == 0 ? 0 : cg.rz[j] / cg.rz[j - 1] / cg.alpha[j - 1];
    EXPECT_NEAR(1 / cg.alpha[j] + last, diagonal[j], 1e-9) << j;
    EXPECT_NEAR(std::sqrt(beta) / cg.alpha[j], beside[j], 1e-9) << j;
  }
}

// What a device does: the launches of CG's iteration leave the same coefficients, with any kernel's product.
TEST(Chebyshev, TheEmulatorsIterationsTellTheSameBounds) {
  const Matrix m = grid_of("random?rows=700&cols=700&spd=1");
  Progress progress;
  for (const char* id : {"csr_vector", "jds", "sell_warps"})
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      const auto p = testing::product_of(kernel_row(id), m, precision, {});
      ASSERT_TRUE(p.has_value()) << id;
      const SolveOptions options{.solver = Solver::cg, .preconditioner = Preconditioner::chebyshev};
      CgCoefficients found;
      const CgRun emulated = [&](const LinearSystem& s, const SolveOptions& cg) {
        const int unit = static_cast<int>(cg.most_iterations);
        const EmulatedIteration it = emulated_iteration(kernel_row(id), p->inputs, iteration_inputs(s, cg, unit));
        testing::emulated(*it.product);
        found = cg_coefficients(it.plan, unit, [&](const std::string& name) { return it.product->state(name); });
        return found;
      };
      const auto b = vector_of_word("random", m.csr->rows(), 3), x0 = vector_of_word("ones", m.csr->rows(), 1);
      const LinearSystem there = make_system(m.csr, RealView::real_part, precision, options, b, x0, progress, emulated),
                         here = make_system(m.csr, RealView::real_part, precision, options, b, x0, progress);
      const double near = precision == Precision::f32 ? 1e-4 : 1e-10;
      EXPECT_EQ(there.polynomial.products, here.polynomial.products) << id;
      EXPECT_EQ(static_cast<std::size_t>(there.polynomial.products), found.alpha.size()) << id;
      EXPECT_NEAR(there.polynomial.most / here.polynomial.most, 1, near) << id << ", " << name_of(precision);
      // The system is the one that was asked for.
      EXPECT_EQ(there.b, here.b);
      EXPECT_EQ(there.x0, here.x0);
      EXPECT_EQ(there.b_norm, here.b_norm);
      EXPECT_EQ(there.preconditioner, Preconditioner::chebyshev);
    }
}

// Its diagonal is positive, and only iterations show that it has negative eigenvalues.
TEST(Chebyshev, AnIndefiniteMatrixIsRefused) {
  Matrix m = grid_of("laplace5?nx=9&ny=9");
  std::vector<double> values(m.csr->values().begin(), m.csr->values().end());
  std::vector<std::int32_t> columns;
  for (std::size_t k = 0; k < values.size(); ++k) columns.push_back(static_cast<std::int32_t>(m.csr->columns()[k]));
  for (index_t i = 0; i < m.csr->rows(); ++i) values[static_cast<std::size_t>(m.csr->find(i, i))] -= 3;
  m.csr = std::make_shared<const Csr>(m.csr->rows(), m.csr->cols(),
                                      std::vector<index_t>(m.csr->row_ptr().begin(), m.csr->row_ptr().end()),
                                      Indices(std::move(columns)), std::move(values));
  const KernelRow& kernel = kernel_row("csr_vector");
  const auto p = testing::product_of(kernel, m, Precision::f64, {});
  Progress progress;
  const CgRun emulated = [&](const LinearSystem& s, const SolveOptions& cg) {
    const EmulatedIteration it = emulated_iteration(kernel, p->inputs, iteration_inputs(s, cg, 10));
    testing::emulated(*it.product);
    return cg_coefficients(it.plan, 10, [&](const std::string& name) { return it.product->state(name); });
  };
  for (const CgRun& run : {CgRun{}, emulated}) {
    try {
      const SolveOptions options{.solver = Solver::cg, .preconditioner = Preconditioner::chebyshev};
      make_system(m.csr, RealView::real_part, Precision::f64, options, vector_of_word("ones", 81, 0),
                  vector_of_word("zeros", 81, 0), progress, run);
      ADD_FAILURE() << "Chebyshev took it";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("not positive definite"), std::string::npos) << e.what();
    }
  }
}

TEST(Chebyshev, CgNeedsFewerIterationsTheHigherItsDegree) {
  const Matrix m = grid_of("laplace5?nx=70&ny=60");
  Progress progress;
  std::vector<double> x;
  SolveOptions options{.solver = Solver::cg};
  const SolveResult plain = solve_on_host(system_with(m, options), options, progress, x);
  ASSERT_EQ(plain.end, SolveEnd::converged);
  options.preconditioner = Preconditioner::chebyshev;
  std::uint64_t before = plain.iterations;
  for (const int degree : {1, 2, 4, 8}) {
    options.degree = degree;
    const LinearSystem s = system_with(m, options);
    EXPECT_EQ(s.polynomial.products, estimate_iterations);
    const SolveResult r = solve_on_host(s, options, progress, x);
    EXPECT_EQ(r.end, SolveEnd::converged) << r.why;
    EXPECT_LE(r.true_residual, 1e-7);
    EXPECT_LT(static_cast<double>(r.iterations), 0.85 * static_cast<double>(before)) << degree;
    before = r.iterations;
  }
}

// Each product of the polynomial is the kernel's, and is told as such.
TEST(Chebyshev, ItsProductsAreLaunchesOfTheProduct) {
  const Matrix m = grid_of("laplace5?nx=12&ny=10");
  for (const SolverInfo& info : solvers())
    for (const int degree : {1, 3}) {
      const SolveOptions options{
          .solver = info.solver, .preconditioner = Preconditioner::chebyshev, .degree = degree, .restart = 5};
      EXPECT_EQ(products_of(options), info.products * (1 + degree));
      const auto p = testing::product_of(kernel_row("csr_vector"), m, Precision::f64, {});
      const LinearSystem system = system_with(m, options);
      const EmulatedIteration it =
          emulated_iteration(kernel_row("csr_vector"), p->inputs, iteration_inputs(system, options, 1));
      const auto of_product = std::count(it.plan.parts.begin(), it.plan.parts.end(), SolvePart::product);
      EXPECT_EQ(of_product, products_of(options)) << info.label;
      EXPECT_EQ(it.plan.parts.size(), it.product->launches().size());
    }
}

// A kernel that computes y in another order, in f32, and a matrix whose diagonal varies.
TEST(Chebyshev, TakesAnyKernelAndPrecision) {
  const Matrix m = grid_of("random?rows=700&cols=700&spd=1");
  for (const char* id : {"jds", "sell_warps", "csr_even", "dia"}) {
    if (std::none_of(kernels().begin(), kernels().end(), [&](const KernelRow& k) { return k.info.id == id; })) continue;
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      const SolveOptions options{.solver = Solver::cg,
                                 .preconditioner = Preconditioner::chebyshev,
                                 .degree = 2,
                                 .tolerance = precision == Precision::f32 ? 1e-4 : 1e-9};
      const auto p = testing::product_of(kernel_row(id), m, precision, {});
      if (!p) continue;
      const LinearSystem system = system_with(m, options, precision);
      Progress progress;
      std::vector<double> x;
      const SolveResult host = solve_on_host(system, options, progress, x);
      ASSERT_EQ(host.end, SolveEnd::converged) << host.why;
      const EmulatedIteration it = emulated_iteration(kernel_row(id), p->inputs, iteration_inputs(system, options, 4));
      for (std::uint64_t u = 0; u < host.iterations / 4 + 2; ++u)
        for (std::size_t launch = 0; launch < it.plan.unit_launches(); ++launch)
          for (std::int64_t block = 0; block < it.product->launches()[launch].grid; ++block)
            it.product->emulate_block(static_cast<int>(launch), block, nullptr);
      EXPECT_LE(true_residual(system, it.product->state("x")), 3 * options.tolerance) << id << name_of(precision);
    }
  }
}

}  // namespace
}  // namespace warpspy
