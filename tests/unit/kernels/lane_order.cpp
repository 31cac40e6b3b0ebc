// Lane order: every entry once, where the lane that has it loads it; and lines of shared memory whose strides meet in
// few banks.
#include "kernels/spmv/lane_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace warpspy {
namespace {

template <class E, int items>
void every_entry_is_its_lanes(std::size_t count) {
  SCOPED_TRACE(std::to_string(count) + " entries of " + std::to_string(sizeof(E)) + " bytes, " + std::to_string(items));
  using Order = LaneOrder<E, items>;
  std::vector<E> entries(count);
  for (std::size_t k = 0; k < count; ++k) entries[k] = static_cast<E>(k % 251 + 1);
  const auto all = in_lane_order<items>(std::span<const E>(entries), E{0});
  ASSERT_EQ(all.size(), (count + Order::tile - 1) / Order::tile * Order::tile);
  std::vector<int> taken(all.size());
  for (std::size_t tile = 0; tile < all.size() / Order::tile; ++tile)
    for (std::size_t lane = 0; lane < simt::warp_size; ++lane)
      for (std::size_t i = 0; i < items; ++i) {
        // As a warp loads it: pack p of all lanes lie side by side.
        const std::size_t p = i / Order::pack,
                          first = ((tile * Order::packs + p) * simt::warp_size + lane) * Order::pack;
        const std::size_t k = tile * Order::tile + lane * items + i;
        ++taken[first + i % Order::pack];
        ASSERT_EQ(all[first + i % Order::pack], k < count ? entries[k] : E{0}) << "entry " << k;
      }
  EXPECT_EQ(std::count(taken.begin(), taken.end(), 1), static_cast<std::ptrdiff_t>(taken.size()));
}

TEST(LaneOrder, HasEveryEntryWhereItsLaneLoadsIt) {
  for (const std::size_t count : {0, 1, 255, 256, 257, 100'000}) {
    every_entry_is_its_lanes<double, 8>(count);
    every_entry_is_its_lanes<float, 8>(count);
    every_entry_is_its_lanes<std::int32_t, 8>(count);
    every_entry_is_its_lanes<std::uint16_t, 8>(count);
    every_entry_is_its_lanes<std::uint8_t, 8>(count);
    every_entry_is_its_lanes<double, 4>(count);
  }
}

template <class T>
int most_in_a_bank(int stride) {
  using Lines = TurnedLines<T>;
  int most = 0;
  // Banks serve 128 bytes at a time: that many lanes.
  for (int first = 0; first < 4 * Lines::line; ++first) {
    std::vector<int> lanes(Lines::line);
    for (int lane = 0; lane < Lines::line; ++lane) ++lanes[Lines::place_of(first + stride * lane) % Lines::line];
    most = std::max(most, *std::max_element(lanes.begin(), lanes.end()));
  }
  return most;
}

TEST(TurnedLines, PlacesAreAPermutationOfEachLine) {
  using Lines = TurnedLines<double>;
  for (int line = 0; line < 40; ++line) {
    std::set<int> places;
    for (int i = 0; i < Lines::line; ++i) places.insert(Lines::place_of(line * Lines::line + i));
    EXPECT_EQ(places.size(), static_cast<std::size_t>(Lines::line));
    EXPECT_EQ(*places.begin(), line * Lines::line);
    EXPECT_EQ(*places.rbegin(), (line + 1) * Lines::line - 1);
  }
  EXPECT_EQ(Lines::size_for(0), 0);
  EXPECT_EQ(Lines::size_for(1), 16);
  EXPECT_EQ(Lines::size_for(16), 16);
  EXPECT_EQ(TurnedLines<float>::size_for(33), 64);
}

TEST(TurnedLines, StridesOfPowersOfTwoMeetInFewBanks) {
  for (const int stride : {1, 2, 4, 8}) {
    EXPECT_LE(most_in_a_bank<double>(stride), 2) << stride;
    EXPECT_LE(most_in_a_bank<float>(stride), 2) << stride;
  }
}

}  // namespace
}  // namespace warpspy
