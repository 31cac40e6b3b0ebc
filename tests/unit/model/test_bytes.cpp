#include <gtest/gtest.h>

#include "core/model/bytes.hpp"

namespace warpspy {
namespace {

// Reguly & Giles 2012, Table 1: shallow_water1 has 81920 rows and 327680 non-zeros. The numbers below are the equations
// worked by hand.
constexpr index_t rows = 81920, nnz = 327680;

TEST(Bytes, Equation1Flops) { EXPECT_EQ(product_flops(nnz), 655360); }

TEST(Bytes, Equation2Effective) {
  EXPECT_EQ(effective_bytes(rows, nnz, Precision::f32), 327680.0 * 12 + 81920.0 * 8);   // 4587520
  EXPECT_EQ(effective_bytes(rows, nnz, Precision::f64), 327680.0 * 20 + 81920.0 * 12);  // 7536640
}

TEST(Bytes, Equation3WorstCase) {
  EXPECT_EQ(worst_case_bytes(rows, nnz), 32.0 * (327680.0 * 12 + 81920.0 * 8));  // 146800640
}

TEST(Bytes, Equation4Minimum) {
  EXPECT_EQ(csr_minimum_bytes(rows, rows, nnz, Precision::f32), 327680.0 * 8 + 81920.0 * 12);   // 3604480
  EXPECT_EQ(csr_minimum_bytes(rows, rows, nnz, Precision::f64), 327680.0 * 12 + 81920.0 * 20);  // 5570560
  EXPECT_EQ(csr_minimum_bytes(2, 10, 3, Precision::f32), 3 * 8 + 2 * 8 + 10 * 4);
}

TEST(Bytes, Equation5Grid) {
  EXPECT_EQ(grid_size(81920, 4, 8, 128), 320);  // 1 + 327679 / 1024
  EXPECT_EQ(grid_size(81921, 4, 8, 128), 321);
  EXPECT_EQ(grid_size(1, 32, 1, 128), 1);
  EXPECT_EQ(grid_size(8388480, 1, 1, 128), 65535);  // section 4.1: the most rows of the naive kernel
}

}  // namespace
}  // namespace warpspy
