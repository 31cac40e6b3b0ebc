// sell16_warps where some steps have 16 bits and others more.
#include <gtest/gtest.h>

#include "kernels/table/table.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

TEST(Sell16, WideStepsAmongOthersGiveTheProduct) {
  std::vector<std::vector<index_t>> rows;
  for (index_t r = 0; r < 200; ++r)
    rows.push_back(r % 40 == 3 ? std::vector<index_t>{r}
                               : std::vector<index_t>{r, 1000 + r * (r < 64 ? 1 : 400), 65'535 + 1000, 150'000 - r});
  Matrix m;
  m.csr = std::make_shared<const Csr>(testing::from_rows(150'001, rows, testing::some_value));
  const KernelRow& kernel = kernel_row("sell16_warps");
  for (const Precision precision : {Precision::f32, Precision::f64})
    for (const ParamSet& params : testing::kernel_corners(kernel.info)) {
      if (!kernel.common_of(checked_params(kernel.info.params, params)).is_product()) continue;
      const auto p = testing::product_of(kernel, m, precision, params);
      ASSERT_TRUE(p);
      const auto product = kernel.emulate(p->inputs);
      EXPECT_EQ(testing::first_wrong_row(p->expected, testing::emulated(*product, false)), "");
    }
}

}  // namespace
}  // namespace warpspy
