// The order that csr_even_striped reads: every entry once, in the stripe of its column and the piece of its row.
#include "kernels/spmv/striped_entries.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <string>
#include <tuple>

#include "tests/products.hpp"

namespace warpspy {
namespace {

using Entries = StripedEntries<double>;

struct Typed {
  std::vector<std::int32_t> ptr, columns;
  std::vector<double> values;
};
Typed typed(const Csr& a) {
  Typed t;
  for (index_t r = 0; r <= a.rows(); ++r) t.ptr.push_back(static_cast<std::int32_t>(a.row_ptr()[r]));
  for (index_t k = 0; k < a.nnz(); ++k) {
    t.columns.push_back(static_cast<std::int32_t>(a.columns()[static_cast<std::size_t>(k)]));
    t.values.push_back(static_cast<double>(k + 1));  // each tells which it is
  }
  return t;
}
Entries striped(const Typed& t, index_t cols, index_t width) {
  return striped_entries<double>("test", std::span<const std::int32_t>(t.ptr), std::span<const std::int32_t>(t.columns),
                                 std::span<const double>(t.values), cols, width);
}

double value_at(const Entries& s, std::size_t at) { return s.values[LaneOrder<double, Entries::items>::place_of(at)]; }
index_t column_at(const Entries& s, std::size_t at) {
  const int place = s.columns[LaneOrder<std::uint16_t, Entries::items>::place_of(at)];
  const int begin = place & -TurnedLines<double>::line;
  for (int c = begin; c < begin + TurnedLines<double>::line; ++c)
    if (TurnedLines<double>::place_of(c) == place) return c;
  return -1;
}

TEST(StripedEntries, HaveEveryEntryOnceInItsStripeAndPiece) {
  for (const testing::Shape& shape : testing::shapes())
    for (const index_t width : {32, 96, 4096, 65472}) {
      SCOPED_TRACE(shape.name + ", stripes of " + std::to_string(width));
      const Csr& a = shape.matrix;
      const Typed t = typed(a);
      const Entries s = striped(t, a.cols(), width);
      ASSERT_EQ(s.values.size(), s.columns.size());
      ASSERT_EQ(s.values.size(), static_cast<std::size_t>(s.stripe_tiles.back()) * Entries::tile);
      ASSERT_EQ(s.flags.size() * Entries::items, s.values.size());
      std::vector<bool> seen(static_cast<std::size_t>(a.nnz()));
      std::size_t piece = 0, stripe = 0;
      std::int32_t row_before = -1;
      for (std::size_t at = 0; at < s.values.size(); ++at) {
        const std::size_t lane = at / Entries::items;
        if (at % Entries::tile == 0) {
          ASSERT_EQ(s.first_ends[at / Entries::tile], static_cast<std::int32_t>(piece));
          while (static_cast<std::size_t>(s.stripe_tiles[stripe + 1]) * Entries::tile <= at) ++stripe, row_before = -1;
        }
        const std::int32_t row = s.rows[piece];
        if (column_at(s, at) == width) {
          ASSERT_EQ(value_at(s, at), 0) << "what fills up a stripe";
        } else {
          const auto k = static_cast<std::size_t>(value_at(s, at)) - 1;
          ASSERT_FALSE(seen[k]);
          seen[k] = true;
          ASSERT_EQ(t.columns[k], static_cast<index_t>(stripe) * width + column_at(s, at));
          ASSERT_GE(static_cast<std::int32_t>(k), t.ptr[static_cast<std::size_t>(row)]);
          ASSERT_LT(static_cast<std::int32_t>(k), t.ptr[static_cast<std::size_t>(row) + 1]);
        }
        if ((s.flags[lane] >> at % Entries::items & 1) == 0) continue;
        ASSERT_LT(row_before, row) << "rows ascend within a stripe";
        row_before = row;
        ++piece;
      }
      EXPECT_EQ(piece, s.rows.size());
      EXPECT_EQ(std::find(seen.begin(), seen.end(), false), seen.end());
    }
}

// Parts that are made side by side do not show: several of them write the flags of one lane.
TEST(StripedEntries, PiecesAreAsManyAsRowsHaveStripes) {
  const auto length = [](index_t r) { return r % 7 == 0 ? index_t{40} : index_t{3}; };
  const Csr a = testing::random_rows(9000, 5000, length, 7);
  const Typed t = typed(a);
  ASSERT_GT(a.nnz(), 4 << 14) << "several parts";
  constexpr index_t width = 512;
  const Entries s = striped(t, a.cols(), width);
  std::map<index_t, index_t> pieces;
  for (index_t row = 0; row < a.rows(); ++row) {
    index_t before = -1;
    for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) {
      const index_t stripe = t.columns[static_cast<std::size_t>(k)] / width;
      pieces[stripe] += stripe != before;
      before = stripe;
    }
  }
  index_t all = 0;
  for (const auto& [stripe, count] : pieces) {
    int ends = 0;
    for (std::int32_t tile = s.stripe_tiles[static_cast<std::size_t>(stripe)];
         tile < s.stripe_tiles[static_cast<std::size_t>(stripe) + 1]; ++tile)
      for (int lane = 0; lane < 32; ++lane)
        ends += std::popcount(s.flags[static_cast<std::size_t>(tile * 32 + lane)] & 0xffu);
    EXPECT_EQ(ends, count) << "stripe " << stripe;
    all += count;
  }
  EXPECT_EQ(static_cast<index_t>(s.rows.size()), all);
}

TEST(StripeOrder, HasEveryEntryOnceByStripesRowsAndColumns) {
  const auto length = [](index_t r) { return r % 5 == 0 ? index_t{60} : r % 3; };
  std::vector<testing::Shape> shapes = testing::shapes();
  shapes.push_back({"several parts", testing::random_rows(9000, 5000, length, 9)});
  for (const testing::Shape& shape : shapes)
    for (const index_t width : {1, 96, 70'000}) {
      SCOPED_TRACE(shape.name + ", stripes of " + std::to_string(width));
      const Csr& a = shape.matrix;
      const Typed t = typed(a);
      const StripeOrder<double> o =
          stripe_order<double>("test", std::span<const std::int32_t>(t.ptr), std::span<const std::int32_t>(t.columns),
                               std::span<const double>(t.values), a.cols(), width);
      ASSERT_EQ(o.values.size(), static_cast<std::size_t>(a.nnz()));
      ASSERT_EQ(o.piece_ptr.size(), o.rows.size() + 1);
      EXPECT_EQ(o.piece_ptr.front(), 0);
      EXPECT_EQ(o.piece_ptr.back(), a.nnz());
      std::vector<bool> seen(o.values.size());
      std::tuple<index_t, std::int32_t, std::int32_t> before{-1, -1, -1};
      for (std::size_t piece = 0; piece < o.rows.size(); ++piece) {
        ASSERT_LT(o.piece_ptr[piece], o.piece_ptr[piece + 1]) << "no piece is empty";
        for (auto at = static_cast<std::size_t>(o.piece_ptr[piece]);
             at < static_cast<std::size_t>(o.piece_ptr[piece + 1]); ++at) {
          const auto k = static_cast<std::size_t>(o.values[at]) - 1;
          ASSERT_FALSE(seen[k]);
          seen[k] = true;
          ASSERT_EQ(o.columns[at], t.columns[k]);
          const auto row = static_cast<std::size_t>(o.rows[piece]);
          ASSERT_TRUE(t.ptr[row] <= static_cast<std::int32_t>(k) && static_cast<std::int32_t>(k) < t.ptr[row + 1]);
          const std::tuple now{o.columns[at] / width, o.rows[piece], o.columns[at]};
          ASSERT_LT(before, now);
          before = now;
        }
      }
      EXPECT_EQ(std::find(seen.begin(), seen.end(), false), seen.end());
    }
}

TEST(StripeShares, AreOfOneStripeEachAndAsEqualAsCanBe) {
  const std::vector<std::int32_t> stripe_tiles{0, 100, 100, 103, 400};  // the second has none
  for (const index_t blocks : {1, 3, 4, 16, 128, 5000}) {
    SCOPED_TRACE(std::to_string(blocks) + " blocks");
    const StripeShares s = stripe_shares(stripe_tiles, blocks);
    ASSERT_EQ(s.tiles.size(), s.stripes.size() + 1);
    EXPECT_LE(static_cast<index_t>(s.stripes.size()), std::max<index_t>(blocks, 3));
    EXPECT_EQ(s.tiles.front(), 0);
    EXPECT_EQ(s.tiles.back(), 400);
    std::int32_t largest = 0;
    for (std::size_t b = 0; b < s.stripes.size(); ++b) {
      const auto stripe = static_cast<std::size_t>(s.stripes[b]);
      EXPECT_GT(s.tiles[b + 1], s.tiles[b]);
      EXPECT_GE(s.tiles[b], stripe_tiles[stripe]);
      EXPECT_LE(s.tiles[b + 1], stripe_tiles[stripe + 1]);
      largest = std::max(largest, s.tiles[b + 1] - s.tiles[b]);
    }
    // With shares smaller by one tile there would be too many.
    index_t with_smaller = 0;
    for (const std::int32_t tiles : {100, 3, 297})
      with_smaller += largest > 1 ? (tiles + largest - 2) / (largest - 1) : 0;
    if (largest > 1 && blocks >= 3) {
      EXPECT_GT(with_smaller, blocks);
    }
  }
  EXPECT_EQ(stripe_shares(std::vector<std::int32_t>{0, 0}, 8).tiles, (std::vector<std::int32_t>{0, 0}));
}

}  // namespace
}  // namespace warpspy
