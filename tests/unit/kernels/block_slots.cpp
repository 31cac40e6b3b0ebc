// Where bsr_symmetric finds x and y: every block has a slot for its row and one for its column, whatever the shares.
#include "kernels/spmv/block_slots.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <set>

namespace warpspy {
namespace {

constexpr index_t tile = 32;

// The lower triangle of a matrix of so many block rows, in slices; rows stand from the last to the first.
struct Blocks {
  std::vector<std::int32_t> slice_ptr{0}, rows, columns;
  using Slices = BlockSlices<std::int32_t, std::int32_t, std::int32_t>;
  Slices slices() const { return {slice_ptr, rows, columns}; }
  index_t lines() const { return static_cast<index_t>(rows.size()); }
};
// Rows of a slice have as many blocks as `most` allows, from the first one down; columns at most `reach` left.
Blocks lower(index_t lines, index_t most, index_t reach, unsigned seed) {
  std::mt19937 rng(seed);
  Blocks b;
  b.rows.resize(static_cast<std::size_t>(lines));
  std::iota(b.rows.rbegin(), b.rows.rend(), 0);
  for (index_t first = 0; first < lines; first += tile) {
    index_t width = static_cast<index_t>(rng()) % (most + 1);
    const std::size_t begin = b.columns.size();
    b.columns.resize(begin + static_cast<std::size_t>(width * tile), -1);
    b.slice_ptr.push_back(b.slice_ptr.back() + static_cast<std::int32_t>(width));
    for (index_t lane = 0; lane < std::min(tile, lines - first); ++lane) {
      const index_t row = b.rows[static_cast<std::size_t>(first + lane)];
      if (lane > 0 && width > 0) width -= static_cast<index_t>(rng()) % 2;
      for (index_t step = 0; step < width; ++step)
        b.columns[begin + static_cast<std::size_t>(step * tile + lane)] =
            static_cast<std::int32_t>(row - static_cast<index_t>(rng()) % (std::min(row, reach) + 1));
    }
  }
  return b;
}

BlockSlots slots_of(const Blocks& b, index_t shares, index_t room) {
  return block_slots("test", b.slices(), b.lines(), shares, room);
}

void expect_sound(const Blocks& b, const BlockSlots& s, index_t room) {
  const std::size_t shares = s.tiles.size() - 1, tiles = static_cast<std::size_t>(b.slices().tiles());
  ASSERT_EQ(s.begins.size(), shares + 1);
  ASSERT_EQ(s.columns.size(), tiles * tile);
  ASSERT_EQ(s.heads.size(), tiles * BlockSlots::head_ints);
  EXPECT_EQ(s.tiles.front(), 0);
  EXPECT_EQ(static_cast<std::size_t>(s.tiles.back()), tiles);
  std::size_t slice = 0;
  for (std::size_t share = 0; share < shares; ++share) {
    const auto first = static_cast<std::size_t>(s.begins[share]),
               count = static_cast<std::size_t>(s.begins[share + 1]) - first;
    EXPECT_LE(s.largest, room);
    std::map<std::uint16_t, std::int32_t> line_at;
    for (std::size_t i = first; i < first + count; ++i) {
      EXPECT_TRUE(i == first || s.lines[i - 1] < s.lines[i]);
      EXPECT_LT(s.slots[i], s.largest);
      EXPECT_TRUE(line_at.emplace(s.slots[i], s.lines[i]).second) << "two lines in a slot";
    }
    std::set<std::uint16_t> used;
    const auto expect_slot = [&](std::uint16_t slot, std::int32_t line) {
      ASSERT_TRUE(line_at.contains(slot));
      EXPECT_EQ(line_at[slot], line);
      used.insert(slot);
    };
    for (auto t = static_cast<std::size_t>(s.tiles[share]); t < static_cast<std::size_t>(s.tiles[share + 1]); ++t) {
      while (static_cast<std::size_t>(b.slice_ptr[slice + 1]) <= t) ++slice;
      const auto rows = static_cast<std::size_t>(s.heads[t * BlockSlots::head_ints]);
      const auto blocks = static_cast<std::size_t>(s.heads[t * BlockSlots::head_ints + 1]);
      for (std::size_t lane = 0; lane < tile; ++lane) {
        const std::int32_t column = b.columns[t * tile + lane];
        EXPECT_EQ(column >= 0, lane < blocks);
        if (column < 0) {
          EXPECT_EQ(s.columns[t * tile + lane], BlockSlots::none);
          continue;
        }
        expect_slot(s.rows[rows + lane], b.rows[slice * tile + lane]);
        expect_slot(s.columns[t * tile + lane], column);
      }
    }
    EXPECT_EQ(used.size(), count) << "a line that no block of the share has";
  }
}

TEST(BlockSlots, LeadToEachBlocksRowAndColumn) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const auto lines = static_cast<index_t>(1 + rng() % 700);
    const Blocks b = lower(lines, 1 + static_cast<index_t>(rng() % 40), 1 + static_cast<index_t>(rng() % 700), seed);
    for (const index_t room : {index_t{64}, index_t{200}, BlockSlots::most_slots})
      for (const index_t shares : {1, 3, 64, 4096}) expect_sound(b, slots_of(b, shares, room), room);
  }
}

TEST(BlockSlots, OfABandLeaveTheRemaindersOfTheirLines) {
  const BlockSlots s = slots_of(lower(2000, 16, 40, 1), 4, BlockSlots::most_slots);
  ASSERT_FALSE(s.lines.empty());
  for (std::size_t i = 0; i < s.lines.size(); ++i)
    EXPECT_EQ(s.slots[i] % BlockSlots::banks, s.lines[i] % BlockSlots::banks);
}

TEST(BlockSlots, OfLinesInOneBankStandAsTheyCome) {
  Blocks b = lower(2000, 16, 1, 1);
  for (std::int32_t& row : b.rows) row -= row % 32;
  for (std::int32_t& column : b.columns) column -= column < 0 ? 0 : column % 32;
  const BlockSlots s = slots_of(b, 1, BlockSlots::most_slots);
  ASSERT_EQ(s.tiles.size(), 2u);
  EXPECT_LE(s.largest, 2000 / 32 + 1) << "in one bank they would take 32 slots each";
}

TEST(BlockSlots, WhereManySharesHaveNoRoomAllAreSmaller) {
  const Blocks b = lower(2000, 30, 2000, 1);
  const BlockSlots whole = slots_of(b, 4, BlockSlots::most_slots), small = slots_of(b, 4, 1000);
  EXPECT_EQ(whole.tiles.size(), 5u);
  EXPECT_GT(whole.largest, 1000);
  EXPECT_GE(small.tiles.size(), 9u);
  EXPECT_LE(small.largest, 1000);
  for (std::size_t s = 2; s + 1 < small.tiles.size(); ++s)
    EXPECT_EQ(small.tiles[s] - small.tiles[s - 1], small.tiles[1]) << "share " << s;
}

TEST(BlockSlots, AFewSharesWithoutRoomAreCutInHalves) {
  // About 64 shares of a band, of which one has columns all over the place.
  Blocks b = lower(4000, 16, 8, 1);
  const BlockSlots before = slots_of(b, 64, 160);
  ASSERT_GE(before.tiles.size(), 60u);
  std::mt19937 rng(2);
  for (auto at = static_cast<std::size_t>(before.tiles[10]) * tile;
       at < static_cast<std::size_t>(before.tiles[11]) * tile; ++at)
    if (b.columns[at] >= 0) b.columns[at] = static_cast<std::int32_t>(rng() % 2000);
  const BlockSlots after = slots_of(b, 64, 160);
  expect_sound(b, after, 160);
  EXPECT_GT(after.tiles.size(), before.tiles.size());
  for (const std::int32_t t : before.tiles)
    EXPECT_NE(std::find(after.tiles.begin(), after.tiles.end(), t), after.tiles.end()) << t;
}

TEST(BlockSlots, NoBlocksAreOneEmptyShare) {
  const BlockSlots s = slots_of(Blocks{}, 8, 64);
  EXPECT_EQ(s.tiles, (std::vector<std::int32_t>{0, 0}));
  EXPECT_EQ(s.begins, (std::vector<std::int32_t>{0, 0}));
}

}  // namespace
}  // namespace warpspy
