// Symmetric storage, blocks with masks, and columns in 8 bits: by hand, and at the edges of what fits.
#include <gtest/gtest.h>

#include "core/formats/bsr_symmetric.hpp"
#include "core/formats/csr_symmetric.hpp"
#include "core/formats/dia_symmetric.hpp"
#include "core/formats/mask_blocks.hpp"
#include "core/formats/sell8.hpp"
#include "entries.hpp"

namespace warpspy {
namespace {

std::string refusal_of(const Csr& a, const char* format = "csr_symmetric") {
  try {
    format_row(format).estimate(a, Precision::f32, {});
  } catch (const Error& e) {
    return e.reason;
  }
  return "";
}

TEST(CsrSymmetric, HoldsTheLowerTriangle) {
  const auto value = [](index_t r, index_t c) { return static_cast<double>(10 * std::max(r, c) + std::min(r, c)); };
  const Csr a = testing::from_rows(4, {{0, 1, 3}, {0, 1}, {}, {0, 3}}, value);
  const auto format = testing::built_as<CsrSymmetricFormat>("csr_symmetric", a, Precision::f64);
  EXPECT_EQ(format->stored(), 5);
  EXPECT_EQ(format->mirrored(), 2);
  EXPECT_EQ(format->size().padding, 0);
  EXPECT_EQ(testing::fault_of(format_row("csr_symmetric"), a, Precision::f64, {}), "");
  const std::vector<index_t> columns{0, 0, 1, 0, 3}, ptr{0, 1, 3, 3, 5};
  for (std::size_t k = 0; k < columns.size(); ++k) EXPECT_EQ(format->columns()[k], columns[k]);
  for (std::size_t r = 0; r < ptr.size(); ++r) EXPECT_EQ(format->row_ptr()[r], ptr[r]);
  // Five of 8 + 4 bytes, and five row pointers.
  EXPECT_EQ(format->size().bytes(), 5u * 12 + 5 * 4);
}

TEST(CsrSymmetric, SaysWhyAMatrixIsNone) {
  const auto one = [](index_t, index_t) { return 1.0; };
  EXPECT_NE(refusal_of(testing::from_rows(3, {{0}, {1}}, one)).find("2 x 3"), std::string::npos);
  EXPECT_NE(refusal_of(testing::from_rows(3, {{0}, {2}, {}}, one)).find("row 2, column 3, and none across"),
            std::string::npos);
  EXPECT_NE(refusal_of(testing::from_rows(2, {{1}, {0}}, [](index_t r, index_t) { return r == 0 ? 0.0 : -0.0; }))
                .find("row 1, column 2, and another value across"),
            std::string::npos)
      << "the two zeros are two values";
  EXPECT_EQ(refusal_of(testing::from_rows(3, {{1}, {0}, {2}}, one)), "");
}

// Its symmetry holds whichever way it is read: |(a, b)| = |(a, -b)|.
TEST(CsrSymmetric, HermitianMatricesAreSymmetricInBothViews) {
  const Csr a(2, 2, {0, 1, 2}, Indices(std::vector<std::int32_t>{1, 0}), {3, 3}, {4, -4});
  for (const RealView view : {RealView::real_part, RealView::modulus}) {
    const auto format = testing::built(format_row("csr_symmetric"), a, Precision::f64, {}, view);
    EXPECT_EQ(testing::entries_of(*format), testing::entries_of(a, view));
  }
}

// Diagonals 0 and 2 left of it of five rows; those right of it are the mirrors.
TEST(DiaSymmetric, HoldsTheDiagonalsOfTheLowerTriangle) {
  const auto value = [](index_t r, index_t c) { return static_cast<double>(10 * std::max(r, c) + std::min(r, c)); };
  const Csr a = testing::from_rows(5, {{0, 2}, {1}, {0, 4}, {3}, {2, 4}}, value);
  const auto format = testing::built_as<DiaSymmetricFormat>("dia_symmetric", a, Precision::f64, {{"alignment", 2}});
  EXPECT_EQ(format->mirrored(), 2);
  ASSERT_EQ(format->diagonals(), 2);
  EXPECT_EQ(format->offsets()[0], -2);
  EXPECT_EQ(format->offsets()[1], 0);
  ASSERT_EQ(format->pitch(), 6);
  const std::vector<double> values{0, 0, 20, 0, 42, 0, 0, 11, 0, 33, 44, 0};  // (0, 0) is an entry of value 0
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_EQ(format->values()[k], values[k]) << k;
  EXPECT_EQ(testing::fault_of(format_row("dia_symmetric"), a, Precision::f64, {{"alignment", 2}}), "");
  EXPECT_EQ(format->size().padding, 12 + 2 - a.nnz());
  EXPECT_EQ(format->size().bytes(), 12u * 8 + 2 * 4);
  const Csr uneven = testing::from_rows(3, {{0}, {0}, {}}, value);
  EXPECT_NE(refusal_of(uneven, "dia_symmetric"), "");
}

// Blocks of 2 x 2 of five rows: (0, 0), (1, 0), (1, 1) and (2, 2); the one at (0, 1) is the mirror of (1, 0).
TEST(BsrSymmetric, HoldsTheBlocksOfTheLowerTriangle) {
  const auto value = [](index_t r, index_t c) { return static_cast<double>(10 * std::max(r, c) + std::min(r, c)); };
  const Csr a = testing::from_rows(5, {{0, 1, 3}, {0}, {3}, {0, 2, 3}, {4}}, value);
  const auto format = testing::built_as<BsrSymmetricFormat>("bsr_symmetric", a, Precision::f64, {{"block_rows", 2}});
  EXPECT_EQ(format->mirrored(), 1);
  const std::vector<index_t> columns{0, 0, 1, 2};
  ASSERT_EQ(format->blocks(), 4);
  for (std::size_t k = 0; k < columns.size(); ++k) EXPECT_EQ(format->block_columns()[k], columns[k]);
  // Rows 0, 1 and 2 stand at places 0, 8 and 16 of 64.
  ASSERT_EQ(format->block_ptr().size(), 65u);
  for (index_t p = 0; p <= 64; ++p) EXPECT_EQ(format->block_ptr()[p], p == 0 ? 0 : p <= 8 ? 1 : p <= 16 ? 3 : 4) << p;
  // Element by element, the four blocks side by side in their tile of 32.
  const std::vector<std::vector<double>> elements{{0, 0, 0, 44}, {10, 0, 32, 0}, {10, 30, 32, 0}, {0, 0, 33, 0}};
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (std::size_t b = 0; b < elements[e].size(); ++b) EXPECT_EQ(format->values()[e * 32 + b], elements[e][b]);
  // A tile of 32 blocks of four values, of which (4, 4), (0, 0) ... are entries; four block columns, 65 pointers.
  EXPECT_EQ(format->size().bytes(), 128u * 8 + 4 * 4 + 65 * 4);
  EXPECT_EQ(format->size().padding, 128 + 1 - a.nnz());
  for (const double r : {2, 3})
    EXPECT_EQ(testing::fault_of(format_row("bsr_symmetric"), a, Precision::f64, {{"block_rows", r}}), "");
}

TEST(BsrSymmetric, EveryBlockRowHasAPlace) {
  std::vector<bool> seen(3 * BsrSymmetricFormat::window);
  for (index_t p = 0; p < 3 * BsrSymmetricFormat::window; ++p) {
    const index_t row = BsrSymmetricFormat::row_at(p);
    EXPECT_EQ(row / BsrSymmetricFormat::window, p / BsrSymmetricFormat::window);
    EXPECT_EQ(BsrSymmetricFormat::row_at(row), p) << "to and fro";
    seen[static_cast<std::size_t>(row)] = true;
  }
  EXPECT_EQ(std::find(seen.begin(), seen.end(), false), seen.end());
}

TEST(MaskBlocks, BitsAreRowsTimesColumns) {
  // Blocks of 4 x 8: (0, 0) and (0, 2), then (1, 1); the last block row has two rows.
  const Csr a = testing::from_rows(20, {{0, 7, 16}, {}, {1}, {19}, {8}, {15}}, testing::some_value);
  const auto format = testing::built_as<MaskBlocksFormat>("mask_blocks", a, Precision::f32, {{"height", 4}});
  ASSERT_EQ(format->blocks(), 3);
  EXPECT_EQ(format->masks()[0], 1u << 0 | 1u << 7 | 1u << 17);
  EXPECT_EQ(format->masks()[1], 1u << 0 | 1u << 27);
  EXPECT_EQ(format->masks()[2], 1u << 0 | 1u << 15);
  EXPECT_EQ(format->block_columns()[1], 2);
  EXPECT_EQ(format->value_ptr()[1], 5);
  for (const double height : {2, 4, 8, 16})
    EXPECT_EQ(testing::fault_of(format_row("mask_blocks"), a, Precision::f64, {{"height", height}}), "");
}

// 35 rows; the second entry of row 7 is `apart` columns from its first.
TEST(Sell8, FarColumnsAreKeptInFull) {
  for (const index_t apart : {1, 253, 254, 255, 256, 70'000}) {
    std::vector<std::vector<index_t>> rows;
    for (index_t r = 0; r < 35; ++r) rows.push_back({100 + r, 100 + r + (r == 7 ? apart : 2)});
    const Csr a = testing::from_rows(100'000, rows, testing::some_value);
    const FormatFacts facts(a);
    for (const int window : {1, 256}) {
      const ParamSet params{{"sort_window", window}};
      const auto format = testing::built_as<Sell8Format>("sell8", facts, Precision::f32, params);
      EXPECT_EQ(format->escapes().size(), apart < 254 ? 0u : 1u) << apart;
      EXPECT_EQ(testing::fault_of(format_row("sell8"), facts, Precision::f64, params), "") << apart;
    }
  }
}

}  // namespace
}  // namespace warpspy
