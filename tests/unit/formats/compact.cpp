// Symmetric storage, and columns in 8 bits: by hand, and at the edges of what fits.
#include <gtest/gtest.h>

#include "core/formats/bsr_symmetric.hpp"
#include "core/formats/dia_symmetric.hpp"
#include "core/formats/sell8.hpp"
#include "entries.hpp"

namespace warpspy {
namespace {

std::string refusal_of(const Csr& a, const char* format = "bsr_symmetric") {
  try {
    format_row(format).estimate(a, Precision::f32, {});
  } catch (const Error& e) {
    return e.reason;
  }
  return "";
}

TEST(SymmetricFormats, SayWhyAMatrixIsNone) {
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
TEST(SymmetricFormats, HermitianMatricesAreSymmetricInBothViews) {
  const Csr a(2, 2, {0, 1, 2}, Indices(std::vector<std::int32_t>{1, 0}), {3, 3}, {4, -4});
  for (const char* id : {"bsr_symmetric", "dia_symmetric"})
    for (const RealView view : {RealView::real_part, RealView::modulus}) {
      const auto format = testing::built(format_row(id), a, Precision::f64, {}, view);
      EXPECT_EQ(testing::entries_of(*format), testing::entries_of(a, view)) << id;
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

// Blocks of 2 x 2 of five rows: (0, 0), (1, 0), (1, 1) and (2, 2); the one at (0, 1) is the mirror of (1, 0). Block row
// 1 has most and comes first.
TEST(BsrSymmetric, HoldsTheBlocksOfTheLowerTriangle) {
  const auto value = [](index_t r, index_t c) { return static_cast<double>(10 * std::max(r, c) + std::min(r, c)); };
  const Csr a = testing::from_rows(5, {{0, 1, 3}, {0}, {3}, {0, 2, 3}, {4}}, value);
  const auto format = testing::built_as<BsrSymmetricFormat>("bsr_symmetric", a, Precision::f64, {{"block_rows", 2}});
  EXPECT_EQ(format->mirrored(), 1);
  ASSERT_EQ(format->blocks(), 4);
  const std::vector<index_t> rows{1, 0, 2};
  for (std::size_t place = 0; place < rows.size(); ++place) EXPECT_EQ(format->permutation()[place], rows[place]);
  ASSERT_EQ(format->slice_ptr().size(), 2u);
  EXPECT_EQ(format->slice_ptr()[1], 2);
  // The first tile has a block of each row, the last one's choice first: 2, 0, and of 0 and 1 that which nobody has.
  const std::vector<index_t> first{1, 0, 2};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(format->block_columns()[lane], lane < 3 ? first[lane] : -1);
    EXPECT_EQ(format->block_columns()[32 + lane], lane < 1 ? 0 : -1);
  }
  // Element by element, blocks side by side in their tile of 32.
  const std::vector<std::vector<double>> elements{{0, 0, 44}, {32, 10, 0}, {32, 10, 0}, {33, 0, 0}};
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (std::size_t lane = 0; lane < 3; ++lane) EXPECT_EQ(format->values()[e * 32 + lane], elements[e][lane]);
  const std::vector<double> mirrored{0, 0, 30, 0};
  for (std::size_t e = 0; e < mirrored.size(); ++e) EXPECT_EQ(format->values()[(4 + e) * 32], mirrored[e]);
  // Two tiles of 32 blocks of four values, 64 block columns, 2 pointers and 3 rows.
  EXPECT_EQ(format->size().bytes(), 256u * 8 + 64 * 4 + 2 * 4 + 3 * 4);
  EXPECT_EQ(format->size().padding, 256 + 1 - a.nnz());
  EXPECT_EQ(format->size().skippable, 60u * 4 * 8) << "60 places without a block";
  for (const double r : {2, 3})
    EXPECT_EQ(testing::fault_of(format_row("bsr_symmetric"), a, Precision::f64, {{"block_rows", r}}), "");
}

// The longest first, windows apart; every row once; neighbours in a tile add to columns in different banks where they
// can.
TEST(BsrSymmetric, StandsInWindowsAndSpreadsColumnsOverBanks) {
  std::vector<std::vector<index_t>> rows(600);
  for (index_t row = 0; row < 600; ++row)
    for (index_t column = std::max<index_t>(0, row - row % 11 - 4); column < std::min<index_t>(600, row + 16); ++column)
      if (column <= row || row >= column - column % 11 - 4) rows[static_cast<std::size_t>(row)].push_back(column);
  const Csr a = testing::from_rows(600, rows, [](index_t r, index_t c) { return static_cast<double>(1 + r + c); });
  const auto format = testing::built_as<BsrSymmetricFormat>("bsr_symmetric", a, Precision::f32, {{"block_rows", 2}});
  std::vector<bool> seen(300);
  for (std::size_t place = 0; place < 300; ++place) {
    const index_t row = format->permutation()[place];
    EXPECT_EQ(row / BsrSymmetricFormat::window, static_cast<index_t>(place) / BsrSymmetricFormat::window);
    seen[static_cast<std::size_t>(row)] = true;
  }
  EXPECT_EQ(std::find(seen.begin(), seen.end(), false), seen.end());
  index_t together = 0;  // lanes that wait for another of their tile
  for (index_t t = 0; t < format->tiles(); ++t) {
    std::vector<int> in_bank(32);
    bool ended = false;
    for (index_t lane = 0; lane < 32; ++lane) {
      const index_t column = format->block_columns()[static_cast<std::size_t>(t * 32 + lane)];
      EXPECT_FALSE(ended && column >= 0) << "those of a tile come first";
      ended |= column < 0;
      if (column >= 0) together += in_bank[static_cast<std::size_t>(column % 32)]++ > 0;
    }
  }
  EXPECT_LT(together, format->blocks() / 4);
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
