#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/generate/generate.hpp"
#include "core/raster/cells.hpp"
#include "matrices.hpp"

namespace warpspy {
namespace {

using namespace testing_raster;

struct Case {
  std::shared_ptr<const Csr> a;
  Window window;
};
Case random_case() {
  const auto rows = *rc::gen::inRange<index_t>(0, 60), cols = *rc::gen::inRange<index_t>(0, 200);
  const auto a = random_matrix(rows, cols, *rc::gen::inRange(0, 900), *rc::gen::arbitrary<unsigned>());
  Window w{*rc::gen::inRange<index_t>(0, rows + 1), 0, *rc::gen::inRange<index_t>(0, cols + 1), 0};
  w.row1 = *rc::gen::inRange<index_t>(w.row0, rows + 1);
  w.col1 = *rc::gen::inRange<index_t>(w.col0, cols + 1);
  if (*rc::gen::inRange(0, 3) == 0) w = whole(*a);
  return {a, w};
}

RC_GTEST_PROP(CountGrid, AgreesWithTheDefinition, ()) {
  const Case c = random_case();
  const int width = *rc::gen::inRange(1, 40), height = *rc::gen::inRange(1, 40);
  const CountGrid grid = count_grid(*c.a, c.window, width, height);
  RC_ASSERT(grid.counts == counted_slowly(*c.a, grid));
}

RC_GTEST_PROP(CountGrid, SumsToTheEntriesOfTheWindow, ()) {
  const Case c = random_case();
  const int width = *rc::gen::inRange(1, 700), height = *rc::gen::inRange(1, 300);
  std::uint64_t entries = 0;
  for_each_entry(*c.a, [&](index_t row, index_t col) { entries += inside(c.window, row, col); });
  const CountGrid grid = count_grid(*c.a, c.window, width, height);
  RC_ASSERT(sum_of(grid.counts) == entries);
  RC_ASSERT(grid.row_edge(0) == c.window.row0);
  RC_ASSERT(grid.row_edge(height) == c.window.row1);
  RC_ASSERT(grid.col_edge(width) == c.window.col1);
}

RC_GTEST_PROP(CountGrid, FiltersOfAllLengthsAddUp, ()) {
  const Case c = random_case();
  const int width = *rc::gen::inRange(1, 30), height = *rc::gen::inRange(1, 30);
  const index_t cut = *rc::gen::inRange<index_t>(0, 30);
  const CountGrid all = count_grid(*c.a, c.window, width, height);
  const CountGrid less = count_grid(*c.a, c.window, width, height, RowFilter{0, cut});
  const CountGrid more = count_grid(*c.a, c.window, width, height, RowFilter{cut, c.a->cols() + 1});
  for (std::size_t i = 0; i < all.counts.size(); ++i) RC_ASSERT(less.counts[i] + more.counts[i] == all.counts[i]);
}

RC_GTEST_PROP(CountGrid, MaskMarksCellRowsWithAcceptedRows, ()) {
  const Case c = random_case();
  const int height = *rc::gen::inRange(1, 80);
  const index_t low = *rc::gen::inRange<index_t>(0, 20);
  const RowFilter filter{low, low + *rc::gen::inRange<index_t>(0, 6)};
  const auto mask = row_mask(*c.a, c.window, height, filter);
  const CountGrid edges{c.window, 1, height, {}};
  for (int y = 0; y < height; ++y) {
    bool expected = false;
    for (index_t row = edges.row_edge(y); row < edges.row_edge(y + 1); ++row)
      expected |= c.a->row_length(row) >= filter.min_length && c.a->row_length(row) < filter.max_length;
    RC_ASSERT(mask[y] == (expected ? 1 : 0));
  }
}

RC_GTEST_PROP(EntriesIn, ListsTheWindowInOrder, ()) {
  const Case c = random_case();
  const auto limit = *rc::gen::inRange<std::size_t>(0, 300);
  std::vector<std::pair<index_t, index_t>> expected, found;
  for_each_entry(*c.a, [&](index_t row, index_t col) {
    if (inside(c.window, row, col) && expected.size() < limit) expected.emplace_back(row, col);
  });
  for (const Entry& e : entries_in(*c.a, c.window, limit)) {
    found.emplace_back(e.row, e.col);
    RC_ASSERT(c.a->find(e.row, e.col) == e.position);
    RC_ASSERT(c.a->values()[e.position] == e.value);
  }
  RC_ASSERT(found == expected);
}

// The reciprocal that replaces the division is exact at the edges of large extents, on either side of each edge.
RC_GTEST_PROP(CountGrid, EdgesOfHugeExtentsAreExact, ()) {
  const int bits = *rc::gen::inRange(1, 62);
  const index_t cols = *rc::gen::inRange<index_t>(index_t{1} << (bits - 1), index_t{1} << bits);
  const int width = *rc::gen::inRange(1, 5000);
  const CountGrid edges{{0, 1, 0, cols}, width, 1, {}};
  Places places;
  std::map<int, std::uint32_t> expected;
  for (int i = 0; i < 50; ++i) {
    const int x = *rc::gen::inRange(0, width);
    const index_t first = edges.col_edge(x), last = edges.col_edge(x + 1) - 1;
    if (last < first) continue;
    for (const index_t col : {first, last})
      if (places.emplace(0, col).second) ++expected[x];
  }
  const CountGrid grid = count_grid(*matrix_of(1, cols, places), edges.window, width, 1);
  for (const auto& [x, count] : expected) RC_ASSERT(grid.counts[x] == count);
  RC_ASSERT(sum_of(grid.counts) == places.size());
}

TEST(CountGrid, MorePixelsThanRowsLosesNothing) {
  const auto a = matrix_of(3, 2, {{0, 0}, {1, 1}, {2, 0}});
  const CountGrid grid = count_grid(*a, whole(*a), 1000, 701);
  EXPECT_EQ(sum_of(grid.counts), 3u);
  EXPECT_EQ(grid.max(), 1u);
}

TEST(CountGrid, LongRowsAndShortWindows) {
  const Matrix m = [] {
    Progress p;
    return generate("lp?rows=30&cols=20000&mean=3000", p);
  }();
  const CountGrid grid = count_grid(*m.csr, {3, 29, 777, 9001}, 37, 11);
  EXPECT_EQ(grid.counts, counted_slowly(*m.csr, grid));
}

TEST(CountGrid, EmptyMatricesGiveZeros) {
  for (const auto& [rows, cols] : {std::pair<index_t, index_t>{0, 0}, {0, 9}, {9, 0}, {9, 9}}) {
    const auto a = matrix_of(rows, cols, {});
    const CountGrid grid = count_grid(*a, whole(*a), 8, 5);
    EXPECT_EQ(grid.counts, std::vector<std::uint32_t>(40));
    EXPECT_EQ(grid.max(), 0u);
    EXPECT_TRUE(entries_in(*a, whole(*a), 10).empty());
    EXPECT_EQ(row_mask(*a, whole(*a), 4, {0, 1}).size(), 4u);
  }
}

TEST(CountGrid, RefusesWindowsOutsideTheMatrix) {
  const auto a = matrix_of(4, 4, {{1, 1}});
  EXPECT_THROW(count_grid(*a, {0, 5, 0, 4}, 2, 2), Error);
  EXPECT_THROW(count_grid(*a, {0, 4, -1, 4}, 2, 2), Error);
  EXPECT_THROW(count_grid(*a, {3, 2, 0, 4}, 2, 2), Error);
  EXPECT_THROW(count_grid(*a, whole(*a), 0, 2), Error);
}

TEST(CountGrid, CanBeCancelled) {
  const auto a = random_matrix(100, 100, 500, 1);
  Progress progress;
  progress.cancel();
  EXPECT_THROW(count_grid(*a, whole(*a), 10, 10, &progress), Cancelled);
}

}  // namespace
}  // namespace warpspy
