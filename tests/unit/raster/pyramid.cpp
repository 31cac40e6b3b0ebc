#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/generate/generate.hpp"
#include "core/raster/raster.hpp"
#include "matrices.hpp"

namespace warpspy {
namespace {

using namespace testing_raster;

std::vector<std::uint32_t> tile_slowly(const Csr& a, TileKey key) {
  std::vector<std::uint32_t> counts(kTile * kTile);
  for_each_entry(a, [&](index_t row, index_t col) {
    const index_t y = (row >> key.kr) - key.ty * kTile, x = (col >> key.kc) - key.tx * kTile;
    if (y >= 0 && y < kTile && x >= 0 && x < kTile) ++counts[y * kTile + x];
  });
  return counts;
}

// Places on the edges of tiles and of the matrix are where errors live; extents pass 2048, so that there is a base
// level.
RC_GTEST_PROP(Pyramid, TilesAgreeWithTheDefinitionAtAnyLevel, ()) {
  const auto extent = [] {
    return *rc::gen::element<index_t>(1, 255, 256, 257, 2048, 2049, 5000, 70001, index_t{1} << 40);
  };
  const index_t rows = std::min<index_t>(extent(), 70001), cols = extent();
  const auto a = random_matrix(rows, cols, *rc::gen::inRange(0, 3000), *rc::gen::arbitrary<unsigned>());
  const auto p = Pyramid::build(a);
  for (int i = 0; i < 5; ++i) {
    TileKey key{*rc::gen::inRange(0, 24), *rc::gen::inRange(0, 44), 0, 0};
    key.ty = *rc::gen::inRange<std::int64_t>(0, (rows >> key.kr) / kTile + 2);
    key.tx = *rc::gen::inRange<std::int64_t>(0, (cols >> key.kc) / kTile + 2);
    const Tile tile = p->tile(key);
    RC_ASSERT(tile.counts == tile_slowly(*a, key));
    RC_ASSERT(*std::max_element(tile.counts.begin(), tile.counts.end()) <= p->max_count(key.kr, key.kc));
  }
}

TEST(Pyramid, TilesOfALevelHoldEveryEntryOnce) {
  Progress progress;
  for (const char* spec : {"laplace5?nx=60&ny=50", "powerlaw?rows=2500&mean=9", "lp?rows=60&cols=5000&mean=300",
                           "arrow?n=4100", "dense?rows=300&cols=2100"}) {
    const auto a = generate(spec, progress).csr;
    const auto p = Pyramid::build(a);
    for (const int kr : {0, 1, 2, 4})
      for (const int kc : {0, 1, 3}) {
        std::uint64_t sum = 0;
        std::uint32_t largest = 0;
        for (std::int64_t ty = 0; ty * kTile <= a->rows() >> kr; ++ty)
          for (std::int64_t tx = 0; tx * kTile <= a->cols() >> kc; ++tx) {
            const Tile t = p->tile({kr, kc, ty, tx});
            sum += sum_of(t.counts);
            largest = std::max(largest, *std::max_element(t.counts.begin(), t.counts.end()));
          }
        EXPECT_EQ(sum, static_cast<std::uint64_t>(a->nnz())) << spec << " " << kr << " " << kc;
        if (kr >= p->base_kr() && kc >= p->base_kc())
          EXPECT_EQ(largest, p->max_count(kr, kc)) << spec << " " << kr << " " << kc;
        else
          EXPECT_LE(largest, p->max_count(kr, kc)) << spec << " " << kr << " " << kc;
      }
  }
}

TEST(Pyramid, OneEntryInAMillionRowsIsInEveryLevel) {
  const index_t n = 1'000'000;
  for (const auto& [row, col] : {std::pair<index_t, index_t>{0, 0}, {n - 1, n - 1}, {314159, 271828}, {n - 1, 0}}) {
    const auto p = Pyramid::build(matrix_of(n, n, {{row, col}}));
    for (int kr = 0; kr < 22; ++kr)
      for (const int kc : {kr, (kr + 9) % 22, 21 - kr}) {
        const Tile t = p->tile({kr, kc, (row >> kr) / kTile, (col >> kc) / kTile});
        ASSERT_EQ(sum_of(t.counts), 1u) << kr << " " << kc;
        ASSERT_EQ(t.counts[(row >> kr) % kTile * kTile + (col >> kc) % kTile], 1u);
        ASSERT_EQ(p->max_count(kr, kc), 1u);
      }
  }
}

TEST(Pyramid, BaseHasAtMost2048CellsASide) {
  const auto base = [](index_t rows, index_t cols) {
    const auto p = Pyramid::build(matrix_of(rows, cols, {}));
    return std::pair{p->base_kr(), p->base_kc()};
  };
  EXPECT_EQ(base(0, 0), std::pair(0, 0));
  EXPECT_EQ(base(2048, 2049), std::pair(0, 1));
  EXPECT_EQ(base(4284, 1092610), std::pair(2, 10));
  EXPECT_EQ(base(1, index_t{1} << 61), std::pair(0, 50));
}

TEST(Pyramid, LargeMatricesHaveAFinerBase) {
  Progress progress;
  const auto a = generate("dense?rows=2100&cols=16000", progress).csr;
  const auto p = Pyramid::build(a);
  EXPECT_EQ(p->base_kr(), 0);
  EXPECT_EQ(p->base_kc(), 2);
  for (const TileKey key : {TileKey{0, 2, 8, 15}, TileKey{1, 5, 4, 1}, TileKey{0, 14, 3, 0}, TileKey{12, 14, 0, 0}}) {
    // Every place is stored: a cell counts its own area, as far as it lies within the matrix.
    const Tile tile = p->tile(key);
    for (index_t i = 0; i < kTile * kTile; ++i) {
      const auto within = [](index_t cell, int k, index_t extent) {
        return std::clamp<index_t>(extent - (cell << k), 0, index_t{1} << k);
      };
      ASSERT_EQ(tile.counts[i],
                within(key.ty * kTile + i / kTile, key.kr, 2100) * within(key.tx * kTile + i % kTile, key.kc, 16000));
    }
  }
  EXPECT_EQ(p->max_count(12, 14), 2100u * 16000u);
}

TEST(Pyramid, BoundOfFineLevelsKnowsTheLongestRow) {
  Progress progress;
  const auto p = Pyramid::build(generate("laplace5?nx=300&ny=300", progress).csr);
  EXPECT_EQ(p->max_count(0, 0), 1u);
  EXPECT_EQ(p->max_count(0, 3), 5u);
  EXPECT_EQ(p->max_count(3, 3), 40u);
  EXPECT_EQ(p->max_count(0, 40), 5u);
}

TEST(Pyramid, EmptyMatricesHaveEmptyTiles) {
  for (const auto& [rows, cols] : {std::pair<index_t, index_t>{0, 0}, {0, 7000}, {7000, 0}, {7000, 7000}}) {
    const auto p = Pyramid::build(matrix_of(rows, cols, {}));
    for (const TileKey key : {TileKey{0, 0, 0, 0}, TileKey{62, 62, 0, 0}, TileKey{3, 0, 5, 5}, TileKey{0, 9, 2, 0}})
      EXPECT_EQ(sum_of(p->tile(key).counts), 0u);
    EXPECT_EQ(p->max_count(0, 0), 0u);
    EXPECT_EQ(p->max_count(62, 62), 0u);
  }
}

TEST(Pyramid, TilesOutsideTheMatrixAreEmpty) {
  const auto p = Pyramid::build(matrix_of(5000, 5000, {{0, 0}, {4999, 4999}}));
  const std::int64_t far = std::int64_t{1} << 60;
  for (const TileKey key :
       {TileKey{0, 0, -1, 0}, TileKey{0, 0, 0, far}, TileKey{4, 4, far, far}, TileKey{4, 4, 0, -far}})
    EXPECT_EQ(sum_of(p->tile(key).counts), 0u);
  EXPECT_EQ(p->tile({62, 62, 0, 0}).counts[0], 2u);
  EXPECT_EQ(p->tile({62, 0, 0, 19}).counts[4999 - 19 * kTile], 1u);
}

TEST(Pyramid, CanBeCancelled) {
  Progress progress;
  progress.cancel();
  EXPECT_THROW(Pyramid::build(random_matrix(100, 100, 500, 1), &progress), Cancelled);
}

}  // namespace
}  // namespace warpspy
