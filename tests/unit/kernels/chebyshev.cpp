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

// The eigenvalues of the five-point grid are known.
TEST(Chebyshev, LanczosComesNearTheLargestEigenvalue) {
  const Matrix m = grid_of("laplace5?nx=40&ny=30");
  const LinearSystem s = system_with(m, {.solver = Solver::cg});
  const double pi = std::numbers::pi, x = std::cos(pi / 41), y = std::cos(pi / 31), most = 4 + 2 * x + 2 * y,
               least = 4 - 2 * x - 2 * y;
  const auto times = [&](std::span<const double> v) { return product(s, v); };
  const RitzValues found = ritz_values(1200, lanczos_steps, times);
  EXPECT_EQ(found.products, lanczos_steps);
  EXPECT_LE(found.most, most * (1 + 1e-12));
  EXPECT_GE(found.most * chebyshev_safety, most);
  EXPECT_GE(found.least, least);
  EXPECT_LT(found.least, most / 10);
  // All steps find all of a small one.
  const Matrix small = grid_of("laplace3?nx=7");
  const LinearSystem t = system_with(small, {.solver = Solver::cg});
  const RitzValues all = ritz_values(7, 20, [&](std::span<const double> v) { return product(t, v); });
  EXPECT_LE(all.products, 8);
  EXPECT_NEAR(all.most, 2 + 2 * std::cos(pi / 8), 1e-9);
  EXPECT_NEAR(all.least, 2 - 2 * std::cos(pi / 8), 1e-9);
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
    EXPECT_EQ(s.polynomial.products, lanczos_steps);
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
