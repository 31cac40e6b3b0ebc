// CSR even: how entries are dealt out, and rows that go on in many blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "kernels/spmv/even_split.hpp"
#include "kernels/table/table.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

// Flags, counts and lists say the same as the row pointers, whatever the shape.
TEST(EvenSplit, SaysWhereRowsEnd) {
  std::vector<testing::Shape> shapes = testing::shapes();
  shapes.push_back({"several parts", testing::random_rows(70'000, 500, [](index_t r) { return r % 4 * (r % 3); }, 3)});
  shapes.push_back({"the same, none empty", testing::random_rows(70'000, 500, [](index_t r) { return 1 + r % 3; }, 4)});
  for (const testing::Shape& shape : shapes)
    for (const int items : {4, 8}) {
      SCOPED_TRACE(shape.name);
      const auto row_ptr = shape.matrix.row_ptr();
      const EvenSplit split = even_split(row_ptr, items, 2);
      std::vector<std::int32_t> rows;
      std::vector<bool> ends(static_cast<std::size_t>(shape.matrix.nnz()));
      for (index_t row = 0; row < shape.matrix.rows(); ++row) {
        if (shape.matrix.row_length(row) == 0) continue;
        rows.push_back(static_cast<std::int32_t>(row));
        ends[static_cast<std::size_t>(row_ptr[static_cast<std::size_t>(row) + 1] - 1)] = true;
      }
      const bool none_empty = static_cast<index_t>(rows.size()) == shape.matrix.rows();
      EXPECT_EQ(split.rows, none_empty ? std::vector<std::int32_t>{} : rows);
      EXPECT_EQ(split.present.empty(), none_empty);
      std::int32_t ended = 0;
      for (std::size_t lane = 0; lane < split.flags.size(); ++lane) {
        if (lane % simt::warp_size == 0) {
          EXPECT_EQ(split.first_ends[lane / simt::warp_size], ended) << lane;
        }
        EXPECT_EQ(split.flags[lane] >> items, ended - split.first_ends[lane / simt::warp_size]) << lane;
        for (int i = 0; i < items; ++i) {
          const std::size_t k = lane * static_cast<std::size_t>(items) + static_cast<std::size_t>(i);
          const bool end = k < ends.size() && ends[k];
          EXPECT_EQ(split.flags[lane] >> i & 1, end) << k;
          ended += end;
        }
      }
      EXPECT_EQ(ended, static_cast<std::int32_t>(rows.size()));
    }
}

// Row by row, as one would.
TEST(EvenSplit, BordersAreThoseOfTheRowsThatCrossThem) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const int longest = 1 << seed % 12;
    std::vector<std::int32_t> row_ptr{0};
    for (int row = 0; row < 300; ++row)
      row_ptr.push_back(row_ptr.back() + static_cast<std::int32_t>(rng() % 3 == 0 ? rng() % longest : rng() % 3));
    const EvenSplit split = even_split(std::span<const std::int32_t>(row_ptr), 4, 1);
    constexpr std::int32_t share = 128;
    std::vector<std::int32_t> borders(static_cast<std::size_t>((row_ptr.back() + share - 1) / share) *
                                      EvenSplit::border_ints);
    std::int32_t slots = 0;
    for (std::size_t row = 0; row + 1 < row_ptr.size(); ++row) {
      if (row_ptr[row] == row_ptr[row + 1]) continue;
      const std::int32_t from = row_ptr[row] / share, to = (row_ptr[row + 1] - 1) / share, parts = to - from + 1;
      if (from == to) continue;
      for (std::int32_t s = from; s < to; ++s) {
        const std::int32_t out[] = {slots, s - from, parts, static_cast<std::int32_t>(row)};
        std::copy(std::begin(out), std::end(out), borders.begin() + s * EvenSplit::border_ints + 2);
      }
      borders[static_cast<std::size_t>(to * EvenSplit::border_ints)] = slots;
      borders[static_cast<std::size_t>(to * EvenSplit::border_ints + 1)] = parts;
      slots += slots_for(parts);
    }
    EXPECT_EQ(split.borders, borders);
    EXPECT_EQ(split.slots, slots);
  }
}

TEST(EvenSplit, PartsOfARowHaveSlotsOfTheirOwn) {
  EXPECT_EQ(slots_for(2), 2);
  EXPECT_EQ(slots_for(64), 64);
  EXPECT_EQ(slots_for(65), 67);  // two groups, whose sums meet
  // Shares of 256 entries: row 0 is in shares 0 to 2, row 1 in 2 and 3, row 2 in 3 alone.
  const std::vector<std::int32_t> row_ptr{0, 600, 800, 900};
  const EvenSplit split = even_split(std::span<const std::int32_t>(row_ptr), 4, 2);
  EXPECT_EQ(split.slots, 5);
  EXPECT_EQ(split.borders, (std::vector<std::int32_t>{0, 0, 0, 0, 3, 0,  //
                                                      0, 0, 0, 1, 3, 0,  //
                                                      0, 3, 3, 0, 2, 1,  //
                                                      3, 2, 0, 0, 0, 0}));
}

std::vector<double> product_of(const KernelRow& kernel, const testing::Product& p, std::mt19937& rng) {
  const auto product = kernel.emulate(p.inputs);
  std::vector<std::int64_t> blocks(static_cast<std::size_t>(product->launches().front().grid));
  std::iota(blocks.begin(), blocks.end(), 0);
  std::shuffle(blocks.begin(), blocks.end(), rng);
  for (const std::int64_t block : blocks) product->emulate_block(0, block, nullptr);
  return product->y();
}

// One launch, and the same bits whatever the order of blocks: long rows, dense columns, empty stretches, one entry, all
// in one row.
TEST(CsrEven, IsTheSameInAnyOrderOfBlocks) {
  const KernelRow& kernel = kernel_row("csr_even");
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const index_t rows = seed % 40 == 1 ? 1 : 1 + static_cast<index_t>(rng() % 1500);
    const index_t cols = rows == 1 ? 40000 : 1 + static_cast<index_t>(rng() % 4000);
    const unsigned stretch = 1 + rng() % 300;
    Matrix m;
    m.csr = std::make_shared<const Csr>(testing::random_rows(
        rows, cols,
        [&](index_t row) -> index_t {
          if (rows == 1) return seed % 80 == 1 ? 1 : 40000;  // 157 parts, in three groups
          if (row / stretch % 3 == 1) return 0;
          return static_cast<index_t>(0.5 / ((rng() % 9999 + 1) / 10000.0));  // most have none or one, some thousands
        },
        seed));
    const ParamSet params{{"items", seed % 2 ? 4 : 8}, {"run", 1 << seed % 3}, {"block_size", 64 << seed % 3}};
    const auto p = testing::product_of(kernel, m, seed % 4 < 2 ? Precision::f32 : Precision::f64, params,
                                       {.alpha = -1.5, .beta = seed % 5 ? 0.0 : 2.0});
    ASSERT_TRUE(p);
    const std::vector<double> y = product_of(kernel, *p, rng);
    EXPECT_EQ(testing::first_wrong_row(p->expected, y), "");
    EXPECT_EQ(product_of(kernel, *p, rng), y);
  }
}

}  // namespace
}  // namespace warpspy
