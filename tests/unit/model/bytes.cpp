#include "core/model/bytes.hpp"

#include <gtest/gtest.h>

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
  EXPECT_EQ(worst_bytes(rows, nnz), 32 * (327680.0 * 12 + 81920.0 * 8)) << "f32: a line holds 32 words";
  EXPECT_EQ(worst_bytes(1, 1), 640) << "a value, a column, an entry of x, a pointer and an entry of y";
}

}  // namespace
}  // namespace warpspy
