#include "core/solve/newton.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/generate/bratu.hpp"
#include "core/solve/on_host.hpp"
#include "tests/scipy.hpp"

namespace warpspy {
namespace {

struct Ignited {
  NewtonResult result;
  std::vector<double> u;
  double at(const Bratu& p, index_t x, index_t y, index_t z) const {
    return u[static_cast<std::size_t>(x + p.n * (y + p.n * z))];
  }
};

// The linear solves on this machine's processors.
Ignited ignited(const Bratu& p, const SolveOptions& inner, Precision precision = Precision::f64,
                const NewtonOptions& options = {.tolerance = 1e-12}) {
  Progress progress;
  Ignited all{.result = {}, .u = p.start()};
  const LinearStep linear = [&](std::span<const double> u, const std::vector<double>& f, NewtonStep& step) {
    const LinearSystem s = make_system(std::make_shared<const Csr>(p.jacobian(u, progress)), RealView::real_part,
                                       precision, inner, f, std::vector<double>(f.size()), progress);
    std::vector<double> y;
    const SolveResult solved = solve_on_host(s, inner, progress, y);
    step.iterations = solved.iterations;
    return y;
  };
  all.result = newton([&](std::span<const double> u) { return p.residual(u); }, options, linear, progress, all.u);
  return all;
}

constexpr SolveOptions kExact{.solver = Solver::cg, .tolerance = 1e-13};

TEST(Newton, NormsFallQuadratically) {
  const Ignited all = ignited({.n = 12}, kExact);
  ASSERT_EQ(all.result.end, SolveEnd::converged) << all.result.why;
  std::vector<double> norms;
  for (const NewtonStep& s : all.result.steps) {
    norms.push_back(s.norm);
    EXPECT_EQ(s.share, 1) << "a full step";
  }
  norms.push_back(all.result.norm);
  ASSERT_GE(norms.size(), 4u);
  for (std::size_t k = 0; k + 1 < norms.size(); ++k) {
    const double before = norms[k] / norms[0], after = norms[k + 1] / norms[0];
    EXPECT_LE(after, std::max(0.5 * before * before, 1e-13)) << "step " << k + 1;
  }
}

TEST(Newton, TheSolutionHasTheSymmetryOfTheCube) {
  const Bratu p{.n = 9};
  const Ignited all = ignited(p, kExact);
  ASSERT_EQ(all.result.end, SolveEnd::converged) << all.result.why;
  for (index_t z = 0; z < p.n; ++z)
    for (index_t y = 0; y < p.n; ++y)
      for (index_t x = 0; x < p.n; ++x) {
        const double u = all.at(p, x, y, z);
        EXPECT_NEAR(u, all.at(p, y, x, z), 1e-12);
        EXPECT_NEAR(u, all.at(p, z, y, x), 1e-12);
        EXPECT_NEAR(u, all.at(p, p.n - 1 - x, y, z), 1e-12);
        if (p.steps_to_boundary(x + p.n * (y + p.n * z)) == 0)
          EXPECT_EQ(u, 0);
        else
          EXPECT_GT(u, 0);
      }
}

TEST(Newton, EveryMethodFindsTheSameSolution) {
  const Bratu p{.n = 9};
  const Ignited exact = ignited(p, kExact);
  for (const SolverInfo& solver : solvers())
    for (const PreconditionerInfo& preconditioner : preconditioners())
      for (const Precision precision : {Precision::f64, Precision::f32}) {
        const SolveOptions inner{.solver = solver.solver,
                                 .preconditioner = preconditioner.preconditioner,
                                 .tolerance = precision == Precision::f32 ? 1e-4 : 1e-8};
        const Ignited all = ignited(p, inner, precision);
        SCOPED_TRACE(std::string(solver.label) + " " + preconditioner.label + " " + name_of(precision));
        ASSERT_EQ(all.result.end, SolveEnd::converged) << all.result.why;
        for (std::size_t i = 0; i < all.u.size(); ++i) ASSERT_NEAR(all.u[i], exact.u[i], 1e-10);
      }
}

TEST(Newton, ALinearSolveOfBoundaryValuesIsNotForCg) {
  const Bratu p{.n = 4};
  Progress progress;
  const auto j = std::make_shared<const Csr>(p.jacobian(p.start(), progress));
  const std::vector<double> zeros(p.unknowns());
  std::vector<double> b(p.unknowns(), 1.0);
  EXPECT_THROW(make_system(j, RealView::real_part, Precision::f64, kExact, b, zeros, progress), Error);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = p.steps_to_boundary(static_cast<index_t>(i)) > 0;
  EXPECT_NO_THROW(make_system(j, RealView::real_part, Precision::f64, kExact, b, zeros, progress));
  EXPECT_THROW(
      make_system(j, RealView::real_part, Precision::f64, kExact, b, std::vector<double>(b.size(), 1.0), progress),
      Error);
}

// Full steps for atan(u) = 0 from 3 go further away each time.
TEST(Newton, HalvesStepsThatGoTooFar) {
  const NonlinearResidual residual = [](std::span<const double> u) { return std::vector<double>{std::atan(u[0])}; };
  const LinearStep linear = [](std::span<const double> u, const std::vector<double>& f, NewtonStep&) {
    return std::vector<double>{f[0] * (1 + u[0] * u[0])};
  };
  Progress progress;
  std::vector<double> u{3};
  const NewtonResult r = newton(residual, {}, linear, progress, u);
  EXPECT_EQ(r.end, SolveEnd::converged) << r.why;
  EXPECT_LT(r.steps.front().share, 1);
  EXPECT_NEAR(u[0], 0, 1e-8);

  // A step uphill: u stays, and the reason is said.
  const LinearStep uphill = [](std::span<const double>, const std::vector<double>&, NewtonStep&) {
    return std::vector<double>{-1};
  };
  u = {3};
  const NewtonResult stuck = newton(residual, {}, uphill, progress, u);
  EXPECT_EQ(stuck.end, SolveEnd::stagnated);
  EXPECT_EQ(u[0], 3);
  EXPECT_EQ(stuck.norm, std::atan(3.0));
  EXPECT_NE(stuck.why.find("no share of step 1"), std::string::npos) << stuck.why;

  u = {3};
  const NewtonResult few = newton(residual, {.most_steps = 2}, linear, progress, u);
  EXPECT_EQ(few.end, SolveEnd::most_iterations);
  EXPECT_EQ(few.steps.size(), 2u);
}

// The inner points alone, by Kronecker products of second differences, and sparse LU.
constexpr const char* kScript = R"(
import numpy as np, scipy.sparse as sp
from scipy.sparse.linalg import spsolve
n, lam = 11, 6.0
m, h = n - 2, 1 / (n - 1)
d, one = sp.diags([-1, 2, -1], [-1, 0, 1], shape=(m, m)), sp.identity(m)
laplace = h * (sp.kron(sp.kron(d, one), one) + sp.kron(sp.kron(one, d), one) + sp.kron(sp.kron(one, one), d))
at = np.arange(1, n - 1)
near = np.minimum(at, n - 1 - at)
u = lam / (lam + 1) * np.sqrt(h * np.minimum(np.minimum(near[:, None, None], near[None, :, None]), near)).ravel()
for step in range(5):
    f = laplace @ u - h ** 3 * lam * np.exp(u)
    print(repr(float(np.linalg.norm(f))))
    u = u - spsolve((laplace - sp.diags(h ** 3 * lam * np.exp(u))).tocsc(), f)
print(repr(float(u[m ** 3 // 2])))
)";

TEST(Newton, GoesTheWayThatSciPyGoes) {
  const std::string python = testing::python_with_scipy();
  if (python.empty()) GTEST_SKIP() << "no SciPy";
  const std::string folder = ::testing::TempDir() + "warpspy-newton";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/newton.py") << kScript;
  const std::string command = python + " '" + folder + "/newton.py' >'" + folder + "/said' 2>'" + folder + "/err'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream said(folder + "/said");
  const Bratu p{.n = 11};
  const Ignited all = ignited(p, kExact, Precision::f64, {.tolerance = 1e-15, .most_steps = 4});
  double norm = 0;
  ASSERT_GE(all.result.steps.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    ASSERT_TRUE(said >> norm);
    EXPECT_NEAR(all.result.steps[k].norm, norm, 1e-8 * norm + 1e-16) << "step " << k + 1;
  }
  double centre = 0;
  ASSERT_TRUE(said >> norm >> centre);
  EXPECT_NEAR(all.at(p, 5, 5, 5), centre, 1e-12);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace warpspy
