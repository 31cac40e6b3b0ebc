// Where csr_slots and csr_compact_slots find x, and how seldom they read it.
#include "kernels/spmv/x_slots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "kernels/spmv/x_slots_share.hpp"
#include "kernels/table/table.hpp"
#include "tests/products.hpp"

namespace warpspy {
namespace {

// Every entry finds the x of its column; lists are sorted, and no longer than there is room for.
TEST(XSlots, LeadToTheColumn) {
  for (const testing::Shape& shape : testing::shapes())
    for (const index_t share : {256, 1000, 1'000'000})
      for (const index_t room : {1, 7, 300, 65536}) {
        SCOPED_TRACE(shape.name + ", shares of " + std::to_string(share) + ", room for " + std::to_string(room));
        const std::vector<std::int32_t> columns = testing::columns_of(shape.matrix);
        const auto entries = static_cast<index_t>(columns.size());
        const XSlots s = x_slots("csr_slots", std::span<const std::int32_t>(columns), shape.matrix.cols(), share, room);
        ASSERT_EQ(static_cast<index_t>(s.begins.size()), (entries + share - 1) / share + 1);
        ASSERT_EQ(s.begins.back(), static_cast<std::int32_t>(s.columns.size()));
        ASSERT_EQ(s.narrow.size() + s.wide.size(), columns.size());
        for (index_t b = 0; b * share < entries; ++b) {
          const auto first = s.columns.begin() + s.begins[static_cast<std::size_t>(b)];
          const auto last = s.columns.begin() + s.begins[static_cast<std::size_t>(b) + 1];
          ASSERT_TRUE(std::is_sorted(first, last));
          ASSERT_GE(last - first, 1);
          ASSERT_LE(last - first, std::min<index_t>(room, s.largest));
          for (auto k = static_cast<std::size_t>(b * share);
               k < columns.size() && k < static_cast<std::size_t>((b + 1) * share); ++k) {
            const index_t at = s.wide.empty() ? s.narrow[k] : s.wide[k];
            ASSERT_EQ(at < room ? first[at] : static_cast<std::int32_t>(at - room), columns[k]) << k;
            if (at < room) {
              ASSERT_LT(at, last - first) << k;
            }
          }
        }
      }
}

struct Backwards {
  std::size_t last;
  static std::size_t places(std::size_t entries) { return (entries + 7) / 8 * 8; }
  template <class Slot>
  std::size_t place_of(std::size_t entry) const {
    return last - entry;
  }
  static std::int32_t told(std::int32_t slot) { return slot + 1; }
};
// The same slots, told by their places and where lanes look for them; what fills up a tile is 0.
TEST(XSlots, StandWhereTheyAreLaid) {
  std::vector<std::int32_t> columns(1001);
  for (std::size_t k = 0; k < columns.size(); ++k) columns[k] = static_cast<std::int32_t>(k * 37 % 400);
  const std::span<const std::int32_t> entries(columns);
  for (const index_t room : {50, 400}) {
    const XSlots plain = x_slots("csr_slots", entries, 400, 300, room);
    const XSlots laid = x_slots("csr_slots", entries, 400, 300, room, Backwards{1007});
    EXPECT_EQ(laid.columns, plain.columns);
    ASSERT_EQ(laid.narrow.size() + laid.wide.size(), 1008u);
    for (std::size_t k = 0; k < 1008; ++k) {
      const std::int32_t at = laid.wide.empty() ? laid.narrow[1007 - k] : laid.wide[1007 - k];
      if (k >= columns.size())
        ASSERT_EQ(at, 0) << k;
      else
        ASSERT_EQ(at, 1 + (plain.wide.empty() ? plain.narrow[k] : plain.wide[k])) << k;
    }
  }
}

// Where there is not room for all: no column without a slot has more entries in the share than one with.
TEST(XSlots, AreForTheFullestColumns) {
  std::vector<std::int32_t> columns;
  for (std::int32_t c = 0; c < 100; ++c) columns.insert(columns.end(), static_cast<std::size_t>(1 + c % 10), c);
  for (const index_t room : {1, 5, 10, 55, 89, 90}) {
    const XSlots s = x_slots("csr_slots", std::span<const std::int32_t>(columns), 100, 10'000, room);
    ASSERT_TRUE(s.narrow.empty());
    // Nine tenths have two entries or more; a single one gains nothing.
    EXPECT_EQ(static_cast<index_t>(s.columns.size()), room);
    int least_with = 10, most_without = 0;
    for (std::int32_t c = 0; c < 100; ++c) {
      const bool has = std::binary_search(s.columns.begin(), s.columns.end(), c);
      (has ? least_with : most_without) = has ? std::min(least_with, 1 + c % 10) : std::max(most_without, 1 + c % 10);
    }
    EXPECT_GE(least_with, most_without) << room;
  }
  EXPECT_FALSE(x_slots("csr_slots", std::span<const std::int32_t>(columns), 100, 10'000, 100).narrow.empty());
}

// Rows that are near each other share few columns with others: where a share of many has more columns than there is
// room for, smaller ones read less. Where there is room for all, larger ones do.
TEST(XSlots, SharesAreSmallerWhereTheirColumnsFitThen) {
  constexpr index_t rows = 1 << 16, tile = 256, blocks = 4, room = 1 << 13, value_bytes = 4;
  constexpr index_t whole = 16 * rows / tile / blocks;  // tiles of a share, of 16 entries a row
  std::mt19937 draw(7);
  std::vector<std::int32_t> near, anywhere;
  for (std::int32_t row = 0; row < rows; ++row)
    for (int k = 0; k < 16; ++k) {
      near.push_back(std::min<std::int32_t>(row + k, rows - 1));
      anywhere.push_back(static_cast<std::int32_t>(draw() % rows));
    }
  const auto share_of = [&](const std::vector<std::int32_t>& columns, index_t slots) {
    return XSlotsShareOf<std::int32_t>{columns, rows, tile, blocks, slots, value_bytes}().tiles;
  };
  EXPECT_LT(share_of(near, room), whole);
  EXPECT_LE(share_of(near, room) * tile / 16, room);
  EXPECT_EQ(share_of(anywhere, rows), whole);
  EXPECT_LT(share_of(anywhere, room), whole);
  EXPECT_EQ(share_of(near, room), share_of(near, room));
  const std::vector<std::int32_t> none;
  EXPECT_EQ(share_of(none, room), 1);
}

TEST(XSlots, ColumnsThatCannotBeToldAreRefused) {
  EXPECT_NO_THROW(require_columns_for_slots("csr_slots", 2'147'418'111));
  try {
    require_columns_for_slots("csr_slots", 2'147'418'112);
    FAIL() << "not refused";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "kernel csr_slots cannot count 2147418112 columns; use csr_even");
  }
}

// A share reads x for each of its columns once, where csr_even reads it for every entry.
TEST(XSlots, ReadXOnceForAColumnOfAShare) {
  Matrix m;
  m.csr = std::make_shared<const Csr>(testing::random_rows(2000, 2000, [](index_t) { return 40; }, 3));
  const index_t share = 79 * 256;  // of 4 blocks: 80,000 entries in tiles of 256
  const std::vector<std::int32_t> columns = testing::columns_of(*m.csr);
  const XSlots s = x_slots("csr_slots", std::span<const std::int32_t>(columns), 2000, share, 65536);
  for (const char* id : {"csr_slots", "csr_compact_slots"}) {
    SCOPED_TRACE(id);
    const KernelRow& kernel = kernel_row(id);
    const auto p = testing::product_of(kernel, m, Precision::f32, {{"blocks", 4}});
    const auto product = kernel.emulate(p->inputs);
    std::size_t loads = 0;
    for (std::int64_t block = 0; block < product->launches().front().grid; ++block) {
      simt::BlockTrace trace;
      product->emulate_block(0, block, &trace);
      for (const simt::WarpTrace& warp : trace.warps)
        for (const simt::Access& a : warp.accesses)
          if (product->arrays()[a.array].name == "x") loads += static_cast<std::size_t>(std::popcount(a.active));
    }
    EXPECT_EQ(loads, s.columns.size());
    EXPECT_LE(loads, 4u * 2000);
  }
}

}  // namespace
}  // namespace warpspy
