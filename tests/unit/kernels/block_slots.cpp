// Where bsr_symmetric finds x and y: every block has a slot for its row and one for its column, whatever the shares.
#include "kernels/spmv/block_slots.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace warpspy {
namespace {

constexpr index_t tile = 32;

// Places from the last row to the first.
constexpr index_t most_lines = 2000;
index_t reversed(index_t place) { return most_lines - 1 - place; }

struct Blocks {
  std::vector<std::int32_t> ptr{0}, columns;
};
// The lower triangle: the last `lines` block rows have up to `most` blocks each, at most `reach` left of the diagonal.
Blocks lower(index_t lines, index_t most, index_t reach, unsigned seed) {
  std::mt19937 rng(seed);
  Blocks b;
  for (index_t place = 0; place < most_lines; ++place) {
    const index_t row = reversed(place);
    std::vector<std::int32_t> list;
    for (index_t k = place < lines ? static_cast<index_t>(rng()) % (most + 1) : 0; k > 0; --k)
      list.push_back(static_cast<std::int32_t>(row - static_cast<index_t>(rng()) % (std::min(row, reach) + 1)));
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    b.columns.insert(b.columns.end(), list.begin(), list.end());
    b.ptr.push_back(static_cast<std::int32_t>(b.columns.size()));
  }
  return b;
}

BlockSlots slots_of(const Blocks& b, index_t shares, index_t room) {
  return block_slots("test", std::span<const std::int32_t>(b.ptr), std::span<const std::int32_t>(b.columns), &reversed,
                     tile, shares, room);
}

void expect_sound(const Blocks& b, const BlockSlots& s, index_t room) {
  const std::size_t shares = s.tiles.size() - 1, tiles = (b.columns.size() + tile - 1) / tile;
  ASSERT_EQ(s.begins.size(), shares + 1);
  ASSERT_EQ(s.slots.size(), 2 * tiles * tile);
  EXPECT_EQ(s.tiles.front(), 0);
  EXPECT_EQ(static_cast<std::size_t>(s.tiles.back()), tiles);
  std::size_t place = 0;
  for (std::size_t share = 0; share < shares; ++share) {
    const auto first = static_cast<std::size_t>(s.begins[share]), last = static_cast<std::size_t>(s.begins[share + 1]);
    EXPECT_LE(static_cast<index_t>(last - first), room);
    EXPECT_LE(static_cast<int>(last - first), s.largest);
    for (std::size_t i = first + 1; i < last; ++i) EXPECT_LT(s.lines[i - 1], s.lines[i]);
    std::vector<bool> used(last - first);
    const std::size_t end = std::min(static_cast<std::size_t>(s.tiles[share + 1]) * tile, b.columns.size());
    for (auto k = static_cast<std::size_t>(s.tiles[share]) * tile; k < end; ++k) {
      while (static_cast<std::size_t>(b.ptr[place + 1]) <= k) ++place;
      ASSERT_LT(s.slots[2 * k], last - first);
      ASSERT_LT(s.slots[2 * k + 1], last - first);
      EXPECT_EQ(s.lines[first + s.slots[2 * k]], static_cast<std::int32_t>(reversed(static_cast<index_t>(place))));
      EXPECT_EQ(s.lines[first + s.slots[2 * k + 1]], b.columns[k]);
      used[s.slots[2 * k]] = used[s.slots[2 * k + 1]] = true;
    }
    EXPECT_EQ(std::find(used.begin(), used.end(), false), used.end()) << "a line that no block of the share has";
  }
}

TEST(BlockSlots, LeadToEachBlocksRowAndColumn) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const Blocks b = lower(static_cast<index_t>(rng() % 700), 1 + static_cast<index_t>(rng() % 40),
                           static_cast<index_t>(rng() % 700), seed);
    for (const index_t room : {index_t{64}, index_t{200}, BlockSlots::most_slots})
      for (const index_t shares : {1, 3, 64, 4096}) expect_sound(b, slots_of(b, shares, room), room);
  }
}

TEST(BlockSlots, WhereManySharesHaveNoRoomAllAreSmaller) {
  const Blocks b = lower(2000, 30, 2000, 1);
  const BlockSlots whole = slots_of(b, 4, BlockSlots::most_slots), small = slots_of(b, 4, 600);
  EXPECT_EQ(whole.tiles.size(), 5u);
  EXPECT_GT(whole.largest, 600);
  EXPECT_GE(small.tiles.size(), 9u);
  EXPECT_LE(small.largest, 600);
  for (std::size_t s = 2; s + 1 < small.tiles.size(); ++s)
    EXPECT_EQ(small.tiles[s] - small.tiles[s - 1], small.tiles[1]) << "share " << s;
}

TEST(BlockSlots, AFewSharesWithoutRoomAreCutInHalves) {
  // About 64 shares of a band, of which one has columns all over the place.
  Blocks b = lower(2000, 16, 8, 1);
  const BlockSlots before = slots_of(b, 64, 100);
  ASSERT_GE(before.tiles.size(), 60u);
  const auto begin = static_cast<std::size_t>(before.tiles[10]) * tile,
             end = static_cast<std::size_t>(before.tiles[11]) * tile;
  for (std::size_t place = 0; place < most_lines; ++place) {
    const auto first = static_cast<std::size_t>(b.ptr[place]), last = static_cast<std::size_t>(b.ptr[place + 1]);
    if (first < begin || last > end) continue;
    for (std::size_t k = first; k < last; ++k) b.columns[k] = static_cast<std::int32_t>((k - first) * 40 + place % 40);
  }
  const BlockSlots after = slots_of(b, 64, 100);
  expect_sound(b, after, 100);
  EXPECT_GT(after.tiles.size(), before.tiles.size());
  for (const std::int32_t t : before.tiles)
    EXPECT_NE(std::find(after.tiles.begin(), after.tiles.end(), t), after.tiles.end()) << t;
}

TEST(BlockSlots, NoBlocksAreOneEmptyShare) {
  const BlockSlots s = slots_of(lower(0, 1, 0, 1), 8, 64);
  EXPECT_EQ(s.tiles, (std::vector<std::int32_t>{0, 0}));
  EXPECT_EQ(s.begins, (std::vector<std::int32_t>{0, 0}));
}

}  // namespace
}  // namespace warpspy
