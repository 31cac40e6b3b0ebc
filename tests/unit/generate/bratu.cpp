#include "core/generate/bratu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/splitmix.hpp"
#include "core/generate/generate.hpp"

namespace warpspy {
namespace {

std::vector<double> any_u(const Bratu& p) {
  std::vector<double> u(p.unknowns());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = static_cast<double>(splitmix::after(i) >> 11) * 0x1p-53 - 0.3;
  return u;
}

TEST(Bratu, StartsAsPetscDoes) {
  const Bratu p{.n = 5, .lambda = 6};
  const std::vector<double> u = p.start();
  EXPECT_EQ(u[0], 0) << "a corner";
  EXPECT_EQ(u[2 + 5 * (2 + 5 * 4)], 0) << "the middle of a face";
  EXPECT_DOUBLE_EQ(u[2 + 5 * (2 + 5 * 2)], 6.0 / 7 * std::sqrt(0.5)) << "the centre";
  EXPECT_DOUBLE_EQ(u[2 + 5 * (2 + 5 * 1)], 6.0 / 7 * std::sqrt(0.25));
}

// n = 3 has one inner point: 6 h u - h^3 lambda e^u with h = 1/2.
TEST(Bratu, OneInnerPointByHand) {
  const Bratu p{.n = 3, .lambda = 6};
  std::vector<double> u(27);
  u[13] = 0.25;
  EXPECT_NEAR(p.residual(u)[13], 3 * 0.25 - 0.75 * std::exp(0.25), 1e-15);
  Progress progress;
  const Csr j = p.jacobian(u, progress);
  EXPECT_NEAR(j.values()[static_cast<std::size_t>(j.find(13, 13))], 3 - 0.75 * std::exp(0.25), 1e-15);
  EXPECT_EQ(j.values()[static_cast<std::size_t>(j.find(13, 4))], -0.5);
  EXPECT_EQ(j.nnz(), 26 + 7);
}

TEST(Bratu, ItsJacobianIsTheDerivative) {
  const Bratu p{.n = 5, .lambda = 3.5};
  const std::vector<double> u = any_u(p);
  Progress progress;
  const Csr j = p.jacobian(u, progress);
  constexpr double d = 1e-5;
  for (index_t column = 0; column < j.cols(); ++column) {
    std::vector<double> more = u, less = u;
    more[static_cast<std::size_t>(column)] += d, less[static_cast<std::size_t>(column)] -= d;
    const std::vector<double> above = p.residual(more), below = p.residual(less);
    for (index_t row = 0; row < j.rows(); ++row) {
      const auto i = static_cast<std::size_t>(row);
      const index_t k = j.find(row, column);
      EXPECT_NEAR(k < 0 ? 0 : j.values()[static_cast<std::size_t>(k)], (above[i] - below[i]) / (2 * d), 1e-9)
          << row << " " << column;
    }
  }
}

// e^u is computed without the mathematical library.
TEST(Bratu, ItsExponentialIsTheRightOne) {
  for (const double v : {-40.0, -3.0, -1e-9, 0.0, 1e-9, 0.3, 0.606, 1.0, 7.5, 40.0}) {
    const Bratu p{.n = 3, .lambda = 6};
    std::vector<double> u(27);
    u[13] = v;
    const double e = (3 * v - p.residual(u)[13]) / 0.75;
    EXPECT_NEAR(e, std::exp(v), 4e-16 * (std::exp(v) + 8 * std::fabs(v))) << v;
  }
}

TEST(Bratu, TheMatrixIsTheFirstJacobian) {
  Progress progress;
  const Matrix m = generate("gen:bratu?n=6&lambda=2", progress);
  const Bratu p{.n = 6, .lambda = 2};
  const Csr j = p.jacobian(p.start(), progress);
  EXPECT_TRUE(std::equal(j.values().begin(), j.values().end(), m.csr->values().begin(), m.csr->values().end()));
  EXPECT_EQ(m.csr->nnz(), 7 * 4 * 4 * 4 + (6 * 6 * 6 - 4 * 4 * 4));
}

TEST(Bratu, IsKnownByItsName) {
  EXPECT_EQ(bratu_of("gen:bratu")->n, 64);
  EXPECT_EQ(bratu_of("gen:bratu?n=7&lambda=2.5")->lambda, 2.5);
  for (const char* other : {"gen:bratu?n=7&spd=1", "gen:laplace7", "bratu.mtx", "gen:bratus"})
    EXPECT_FALSE(bratu_of(other).has_value()) << other;
  EXPECT_THROW(bratu_of("gen:bratu?n=7 | rcm"), Error);
  Progress progress;
  for (const char* bad : {"gen:bratu?n=2", "gen:bratu?lambda=7", "gen:bratu?lambda=0", "gen:bratu?n=1000000"})
    EXPECT_THROW(generate(bad, progress), Error) << bad;
}

}  // namespace
}  // namespace warpspy
