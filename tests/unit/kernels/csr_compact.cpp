// The kernels of compact CSR on every form of values, with columns in 16 bits and in 32.
#include "core/formats/csr_compact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "kernels/table/table.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

class CsrCompactKernels : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Kernels, CsrCompactKernels,
                         ::testing::Values("csr_compact_even", "csr_compact_stream", "csr_compact_slots"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(CsrCompactKernels, GiveTheProductWhateverTheForm) {
  struct Case {
    index_t distinct;
    double step;
    ValueForm f32, f64;
  };
  using enum ValueForm;
  const Case cases[] = {{1, 0, one, one},
                        {2, -2, indexed, indexed},
                        {256, 0.3, indexed, indexed},
                        {257, 0.3, whole, whole},
                        {1000, 0.25, whole, narrow}};
  const KernelRow& kernel = kernel_row(GetParam());
  for (const index_t cols : {65536, 65537})
    for (const Case& c : cases) {
      Matrix m;
      std::vector<std::vector<index_t>> rows;
      for (index_t r = 0; r < 300; ++r) {
        rows.emplace_back();
        for (index_t k = 0, n = r == 50 ? 2500 : r % 3 == 1 ? 0 : r % 17; k < n; ++k)
          rows.back().push_back(cols - 1 - (k * 23 + r) % cols);
      }
      m.csr = std::make_shared<const Csr>(testing::from_rows(cols, rows, [&](index_t r, index_t col) {
        return 1 + c.step * static_cast<double>((r * 31 + col * 7) % c.distinct);
      }));
      for (const Precision precision : {Precision::f32, Precision::f64}) {
        const auto p = testing::product_of(kernel, m, precision, {}, {-1.5, 0.5});
        ASSERT_TRUE(p);
        const auto& format = dynamic_cast<const CsrCompactFormat&>(*p->format);
        EXPECT_EQ(format.form(), precision == Precision::f32 ? c.f32 : c.f64) << c.distinct;
        EXPECT_EQ(format.has_short_columns(), cols == 65536);
        EXPECT_EQ(testing::first_wrong_row(p->expected, testing::emulated(*kernel.emulate(p->inputs))), "")
            << c.distinct << " " << name_of(precision);
      }
    }
}

}  // namespace
}  // namespace warpspy
