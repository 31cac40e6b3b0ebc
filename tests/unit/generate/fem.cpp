// The finite element generator: the matrix is what its element matrices say, and the elements are right.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/generate/generate.hpp"
#include "core/matrix/stats.hpp"

namespace warpspy {
namespace {

Matrix made(const std::string& spec) {
  Progress progress;
  return generate("fem_quad?" + spec, progress);
}

std::string sizes(int degree, const char* boundary) {
  return "nx=5&ny=3&degree=" + std::to_string(degree) + "&boundary=" + boundary;
}

class FemQuad : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Degrees, FemQuad, testing::Values(1, 2, 3, 4));

TEST_P(FemQuad, MatrixIsAssembledFromTheElements) {
  for (const char* boundary : {"zero", "free"}) {
    const Matrix m = made(sizes(GetParam(), boundary));
    ASSERT_NE(m.elements, nullptr);
    const ElementMatrices& e = *m.elements;
    EXPECT_EQ(e.elements, 15);
    EXPECT_EQ(e.nodes, (GetParam() + 1) * (GetParam() + 1));
    std::map<std::pair<index_t, index_t>, double> sum;
    for (index_t i = 0; i < e.elements; ++i)
      for (index_t a = 0; a < e.nodes; ++a)
        for (index_t b = 0; b < e.nodes; ++b)
          sum[{e.map[i * e.nodes + a], e.map[i * e.nodes + b]}] += e.matrices[(i * e.nodes + a) * e.nodes + b];
    const Csr& csr = *m.csr;
    ASSERT_EQ(csr.nnz(), static_cast<index_t>(sum.size()));
    for (index_t row = 0; row < csr.rows(); ++row)
      for (index_t k = csr.row_ptr()[row]; k < csr.row_ptr()[row + 1]; ++k) {
        const auto at = sum.find({row, csr.columns()[k]});
        ASSERT_NE(at, sum.end());
        ASSERT_EQ(csr.values()[k], at->second) << "to the last bit: the same parts in the same order";
      }
    const Structure structure = structure_of(csr);
    EXPECT_EQ(structure.pattern_symmetry, 1);
    EXPECT_EQ(structure.value_symmetry, 1);
  }
}

TEST_P(FemQuad, HasTheRowLengthsOfThePaper) {
  const Matrix m = made(sizes(GetParam(), "zero"));
  const index_t line = 2 * GetParam() + 1;
  EXPECT_EQ(row_stats(*m.csr).max, line * line);
  EXPECT_EQ(m.csr->rows(), (5 * GetParam() + 1) * (3 * GetParam() + 1));
  EXPECT_EQ(m.source.symmetry, "symmetric");
}

// Applied to the nodal values of u = x^i y^j, i and j up to the degree, the matrix gives the integrals of
// grad u . grad phi for every phi; tested against v = x^k y^l: v^T A u = integral of grad u . grad v, exactly.
TEST_P(FemQuad, IsExactForPolynomials) {
  const int degree = GetParam();
  const Matrix m = made(sizes(degree, "free"));
  const index_t width = 5 * degree + 1, height = 3 * degree + 1;
  const auto nodal = [&](int i, int j) {
    std::vector<double> u;
    for (index_t y = 0; y < height; ++y)
      for (index_t x = 0; x < width; ++x)
        u.push_back(std::pow(static_cast<double>(x) / static_cast<double>(width - 1), i) *
                    std::pow(static_cast<double>(y) / static_cast<double>(height - 1), j));
    return u;
  };
  const auto power_integral = [](int i, int k) { return 1.0 / (i + k + 1); };                         // x^i x^k
  const auto slope_integral = [](int i, int k) { return i * k == 0 ? 0.0 : i * k / (i + k - 1.0); };  // their slopes
  for (int i = 0; i <= degree; ++i)
    for (int j = 0; j <= degree; ++j)
      for (int k = 0; k <= degree; ++k)
        for (int l = 0; l <= degree; ++l) {
          const auto u = nodal(i, j), v = nodal(k, l);
          double energy = 0;
          for (index_t row = 0; row < m.csr->rows(); ++row)
            for (index_t at = m.csr->row_ptr()[row]; at < m.csr->row_ptr()[row + 1]; ++at)
              energy += v[row] * m.csr->values()[at] * u[m.csr->columns()[at]];
          const double exact =
              slope_integral(i, k) * power_integral(j, l) + power_integral(i, k) * slope_integral(j, l);
          ASSERT_NEAR(energy, exact, 1e-11) << i << j << k << l;
        }
}

TEST_P(FemQuad, FreeRowsSumToZeroAndZeroBoundaryIsTheIdentity) {
  const Matrix free = made(sizes(GetParam(), "free")), zero = made(sizes(GetParam(), "zero"));
  const index_t width = 5 * GetParam() + 1, height = 3 * GetParam() + 1;
  for (index_t row = 0; row < free.csr->rows(); ++row) {
    const index_t x = row % width, y = row / width;
    const bool boundary = x == 0 || y == 0 || x == width - 1 || y == height - 1;
    double sum = 0;
    for (index_t k = free.csr->row_ptr()[row]; k < free.csr->row_ptr()[row + 1]; ++k) {
      sum += free.csr->values()[k];
      const index_t col = free.csr->columns()[k], cx = col % width, cy = col / width;
      const bool fixed = boundary || cx == 0 || cy == 0 || cx == width - 1 || cy == height - 1;
      EXPECT_EQ(zero.csr->values()[k], fixed ? (row == col ? 1 : 0) : free.csr->values()[k]);
    }
    EXPECT_NEAR(sum, 0, 1e-11);
  }
}

TEST(FemQuadSpec, BadOnesAreRefused) {
  for (const char* spec : {"degree=5", "degree=0", "nx=0", "boundary=soft", "boundary=1", "nx=9e15&ny=9e15"})
    EXPECT_THROW(made(spec), Error) << spec;
}

}  // namespace
}  // namespace warpspy
