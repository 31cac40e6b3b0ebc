// The local matrix approach: what the other formats are held to, with entries summed over the elements.
#include "core/formats/lma.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/formats/budget.hpp"
#include "core/generate/generate.hpp"
#include "entries.hpp"

namespace warpspy {
namespace {

using testing::built;

Matrix mesh(const std::string& spec) {
  Progress progress;
  return generate("fem_quad?" + spec, progress);
}

std::map<std::pair<index_t, index_t>, double> summed(const Format& format) {
  std::map<std::pair<index_t, index_t>, double> sum;
  format.for_each([&](index_t row, index_t column, double v) { sum[{row, column}] += v; });
  return sum;
}

TEST(Lma, SumsToTheMatrixAndHasTheEstimatedSize) {
  for (const int degree : {1, 2, 3, 4})
    for (const Precision precision : {Precision::f32, Precision::f64})
      for (const ParamSet& params : testing::corners(lma_info().params)) {
        const Matrix m = mesh("nx=7&ny=5&degree=" + std::to_string(degree));
        const FormatFacts facts(m);
        const Estimate estimate = lma_estimate(facts, precision, params);
        const auto format = built(format_row("lma"), facts, precision, params);
        const Estimate size = format->size();
        EXPECT_EQ(estimate.arrays, size.arrays);
        EXPECT_EQ(estimate.stored, size.stored);
        EXPECT_EQ(estimate.padding, size.padding);
        EXPECT_EQ(estimate.facts, size.facts);
        EXPECT_EQ(testing::slot_fault(*format), "");
        const auto sum = summed(*format);
        ASSERT_EQ(static_cast<index_t>(sum.size()), m.csr->nnz());
        const double unit = precision == Precision::f32 ? 1e-6 : 1e-15;
        double largest = 0;
        for (const double v : m.csr->values()) largest = std::max(largest, std::abs(v));
        for (const auto& [at, v] : sum) {
          const index_t k = m.csr->find(at.first, at.second);
          ASSERT_GE(k, 0);
          ASSERT_NEAR(v, m.csr->values()[k], 4 * unit * largest);
        }
      }
}

TEST(Lma, BytesByHand) {
  // 6 elements of 4 nodes: 4 columns of nodes and 16 of values, of 6 or 8.
  const Matrix m = mesh("nx=3&ny=2&degree=1");
  const FormatFacts facts(m);
  EXPECT_EQ(lma_estimate(facts, Precision::f64, {{"alignment", 1}}).bytes(), 6u * (4 * 4 + 16 * 8));
  EXPECT_EQ(lma_estimate(facts, Precision::f32, {{"alignment", 8}}).bytes(), 8u * (4 * 4 + 16 * 4));
}

// The point of it: "has to move significantly less index data".
TEST(Lma, HasLessIndexDataThanCsr) {
  for (const int degree : {1, 2, 3, 4}) {
    const FormatFacts facts(mesh("nx=40&ny=40&degree=" + std::to_string(degree)));
    const auto index_bytes = [&](const char* id) {
      const Estimate e = format_row(id).estimate(facts, Precision::f64, {});
      return e.bytes() - e.bytes(ArraySize::Kind::values);
    };
    EXPECT_LT(2 * index_bytes("lma"), index_bytes("csr")) << degree;
  }
}

TEST(Lma, IsRefusedForMatricesWithoutElements) {
  Progress progress;
  const Matrix m = generate("laplace5?nx=5&ny=5", progress);
  const FormatFacts facts(m);
  EXPECT_THROW(lma_estimate(facts, Precision::f64, {}), Error);
  EXPECT_THROW(built(format_row("lma"), facts, Precision::f64), Error);
  const Budget budget;
  for (const Alternative& a : formats_that_fit(facts, Precision::f64, budget)) EXPECT_NE(a.format, "lma");
}

TEST(Lma, AValueBeyondF32IsRefusedAndCancellingWorks) {
  Matrix m = mesh("nx=2&ny=2");
  auto large = std::make_shared<ElementMatrices>(*m.elements);
  large->matrices[5] = 1e300;
  m.elements = large;
  const FormatFacts facts(m);
  EXPECT_NO_THROW(built(format_row("lma"), facts, Precision::f64));
  EXPECT_THROW(built(format_row("lma"), facts, Precision::f32), Error);
  Progress progress;
  progress.cancel();
  EXPECT_THROW(lma_build(facts, Precision::f64, RealView::real_part, {}, progress), Cancelled);
}

}  // namespace
}  // namespace warpspy
