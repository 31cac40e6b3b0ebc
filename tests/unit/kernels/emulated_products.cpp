// Every kernel of the table in the emulator, on every shape, against the long-double reference.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "kernels/table/table.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

std::vector<double> product_of(const KernelRow& kernel, const Csr& a, Precision precision, const ParamSet& params,
                               const std::vector<double>& x, bool traced) {
  Progress progress;
  const auto format = format_row(kernel.info.format).build(a, precision, RealView::real_part, {}, progress);
  const auto product = kernel.emulate(format, precision, params, x);
  index_t covered = 0;
  for (std::int64_t block = 0; block < product->shape().grid; ++block) {
    simt::BlockTrace trace;
    product->emulate_block(block, traced ? &trace : nullptr);
    const auto [first, last] = product->rows_of_block(block);
    EXPECT_EQ(first, covered);
    covered = last;
    const std::vector<double> y = product->y();
    for (index_t row = first; row < last; ++row) EXPECT_FALSE(std::isnan(y[row])) << "row " << row;
  }
  EXPECT_EQ(covered, a.rows());
  return product->y();
}

TEST(EmulatedProducts, AgreeWithTheReferenceOnEveryShape) {
  ASSERT_FALSE(kernels().empty());
  for (const testing::Shape& shape : testing::shapes()) {
    const std::vector<double> x = testing::some_vector(shape.matrix.cols());
    for (Precision precision : {Precision::f32, Precision::f64}) {
      const testing::Reference ref = testing::reference(shape.matrix, x, precision);
      for (const KernelRow& kernel : kernels())
        for (const ParamSet& params : testing::parameter_corners(kernel.info.params)) {
          const auto y = product_of(kernel, shape.matrix, precision, params, x, false);
          EXPECT_EQ(testing::first_wrong_row(ref, y), "")
              << kernel.info.id << " " << shape.name << " " << name_of(precision);
        }
    }
  }
}

TEST(EmulatedProducts, AreTheSameWithAndWithoutATrace) {
  for (const testing::Shape& shape : testing::shapes()) {
    const std::vector<double> x = testing::some_vector(shape.matrix.cols());
    for (const KernelRow& kernel : kernels())
      EXPECT_EQ(product_of(kernel, shape.matrix, Precision::f32, {}, x, true),
                product_of(kernel, shape.matrix, Precision::f32, {}, x, false))
          << kernel.info.id << " " << shape.name;
  }
}

}  // namespace
}  // namespace warpspy
