// Transposed products by shares of entries: what is prepared for them, uneven matrices with full columns, and how
// little of it is added in global memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "kernels/spmv/column_order.hpp"
#include "kernels/spmv/column_slots.hpp"
#include "kernels/spmv/row_marks.hpp"
#include "kernels/table/table.hpp"
#include "tests/products.hpp"
#include "tests/uneven.hpp"

namespace warpspy {
namespace {

TEST(RowMarks, TellTheRowOfEveryEntry) {
  std::vector<testing::Shape> shapes = testing::shapes();
  shapes.push_back({"several parts", testing::random_rows(70'000, 500, [](index_t r) { return r % 4 * (r % 3); }, 3)});
  for (const testing::Shape& shape : shapes) {
    SCOPED_TRACE(shape.name);
    const Csr& a = shape.matrix;
    const auto padded = static_cast<std::size_t>((a.nnz() + 255) / 256 * 256);
    const RowMarks m = row_marks(a.row_ptr(), padded);
    const auto row_at = [&](std::size_t k) {
      const auto bits = static_cast<std::uint32_t>(m.marks[k / 32 * 2]) & ((1u << k % 32) - 1);
      const int n = m.marks[k / 32 * 2 + 1] + std::popcount(bits);
      return m.rows.empty() ? n : m.rows[static_cast<std::size_t>(n)];
    };
    index_t last = 0;
    for (index_t row = 0; row < a.rows(); ++row)
      for (index_t k = a.row_ptr()[static_cast<std::size_t>(row)]; k < a.row_ptr()[static_cast<std::size_t>(row) + 1];
           ++k)
        ASSERT_EQ(row_at(static_cast<std::size_t>(k)), last = row) << k;
    for (auto k = static_cast<std::size_t>(a.nnz()); k < padded; ++k) ASSERT_EQ(row_at(k), last) << k;
  }
}

// Every entry's slot leads back to its column; a share has no more slots than there is room for, and dense columns one
// for each lane.
TEST(ColumnSlots, LeadBackToColumns) {
  const auto lane_of = [](std::size_t k) { return static_cast<int>(k % 32); };
  for (const testing::Shape& shape : testing::shapes())
    for (const index_t tiles : {1, 3, 100})
      for (const index_t room : {256, 1000, 65536}) {
        SCOPED_TRACE(shape.name + ", " + std::to_string(tiles) + " tiles, room for " + std::to_string(room));
        const std::vector<std::int32_t> columns = testing::columns_of(shape.matrix);
        const ColumnSlots s =
            column_slots(std::span<const std::int32_t>(columns), shape.matrix.cols(), tiles, room, lane_of);
        std::size_t seen = 0;
        for (std::int64_t i = 0; i < s.count(); ++i) {
          const auto* share = s.shares.data() + i * ColumnSlots::share_ints;
          const auto* next = share + ColumnSlots::share_ints;
          ASSERT_LE(next[0] - share[0], tiles);
          const int dense = share[2], of_dense = dense * simt::warp_size;
          ASSERT_LE(of_dense + next[1] - share[1] - dense, std::min<index_t>(room, s.largest));
          const auto* list = s.columns.data() + share[1];
          ASSERT_TRUE(std::is_sorted(list, list + dense));
          ASSERT_TRUE(std::is_sorted(list + dense, s.columns.data() + next[1]));
          const std::size_t end = std::min(columns.size(), static_cast<std::size_t>(next[0]) * ColumnSlots::tile);
          for (std::size_t k = static_cast<std::size_t>(share[0]) * ColumnSlots::tile; k < end; ++k, ++seen) {
            const int slot = s.slots[k];
            ASSERT_EQ(slot < of_dense ? list[slot / 32] : list[slot - of_dense + dense], columns[k]) << k;
            if (slot < of_dense) {
              ASSERT_EQ(slot % 32, lane_of(k)) << k;
            }
          }
        }
        EXPECT_EQ(seen, columns.size());
      }
}

// The order of a share has each of its entries once, sorted by columns; flags say where a column ends, and the list
// which it is.
TEST(ColumnOrder, IsThatOfTheColumnsOfEveryShare) {
  constexpr auto tile = static_cast<std::size_t>(ColumnOrder::tile);
  for (const testing::Shape& shape : testing::shapes())
    for (const index_t tiles_per_share : {1, 2, 256}) {
      SCOPED_TRACE(shape.name + ", " + std::to_string(tiles_per_share) + " tiles");
      const std::vector<std::int32_t> columns = testing::columns_of(shape.matrix);
      const ColumnOrder o = column_order(std::span<const std::int32_t>(columns), shape.matrix.cols(), tiles_per_share);
      const std::size_t share = static_cast<std::size_t>(tiles_per_share) * tile;
      std::size_t ended = 0;
      for (std::size_t begin = 0; begin < o.order.size(); begin += share) {
        const std::size_t end = std::min(begin + share, o.order.size());
        std::vector<bool> seen(end - begin);
        for (std::size_t k = begin; k < end; ++k) {
          if (k % tile == 0) {
            EXPECT_EQ(o.first_ends[k / tile], static_cast<std::int64_t>(ended));
          }
          if (k % ColumnOrder::items == 0) {
            EXPECT_EQ(o.flags[k / ColumnOrder::items] >> ColumnOrder::items,
                      static_cast<std::int64_t>(ended) - o.first_ends[k / tile]);
          }
          ASSERT_FALSE(seen[o.order[k]]) << k;
          seen[o.order[k]] = true;
          const std::size_t entry = begin + o.order[k];
          if (entry < columns.size()) {
            ASSERT_EQ(columns[entry], o.columns[ended]) << k;
          }
          ended += o.flags[k / ColumnOrder::items] >> k % ColumnOrder::items & 1;
        }
        EXPECT_EQ(o.flags[(end - 1) / ColumnOrder::items] >> (ColumnOrder::items - 1) & 1, 1)
            << "a share ends a column";
      }
      EXPECT_EQ(ended, o.columns.size());
    }
}

class TransposedShares : public ::testing::TestWithParam<const char*> {};

TEST_P(TransposedShares, OfUnevenMatrices) {
  const KernelRow& kernel = kernel_row(GetParam());
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const Matrix m = testing::uneven(seed, rng);
    ParamSet params{{"blocks", 1 << seed % 4}, {"block_size", 32 << seed % 5}};
    if (kernel.info.id == "csr_even_transposed") params["sums"] = seed / 2 % 2;
    const auto p = testing::product_of(kernel, m, seed % 4 < 2 ? Precision::f32 : Precision::f64, params,
                                       {.alpha = -1.5, .beta = seed % 5 ? 0.0 : 2.0});
    ASSERT_TRUE(p);
    const auto product = kernel.emulate(p->inputs);
    for (std::size_t launch = 0; launch < product->launches().size(); ++launch)
      for (std::int64_t block = 0; block < product->launches()[launch].grid; ++block)
        product->emulate_block(static_cast<int>(launch), block, nullptr);
    EXPECT_EQ(testing::first_wrong_row(p->expected, product->y()), "");
  }
}

// Sums in one order: the same bits whatever the order of blocks; and they are all of the result.
TEST(CsrEvenTransposed, IsTheSameInAnyOrderOfBlocks) {
  const KernelRow& kernel = kernel_row("csr_even_transposed");
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const Matrix m = testing::uneven(seed, rng);
    const ParamSet params{{"blocks", 2 << seed % 4}, {"block_size", 32 << seed % 5}, {"sums", 1}};
    const auto p = testing::product_of(kernel, m, seed % 4 < 2 ? Precision::f32 : Precision::f64, params,
                                       {.alpha = -1.5, .beta = seed % 5 ? 0.0 : 2.0});
    ASSERT_TRUE(p);
    std::vector<double> first;
    for (int time = 0; time < 2; ++time) {
      const auto product = kernel.emulate(p->inputs);
      ASSERT_EQ(product->launches().size(), 2u);
      for (int launch = 0; launch < 2; ++launch) {
        std::vector<std::int64_t> blocks(
            static_cast<std::size_t>(product->launches()[static_cast<std::size_t>(launch)].grid));
        std::iota(blocks.begin(), blocks.end(), 0);
        std::shuffle(blocks.begin(), blocks.end(), rng);
        for (const std::int64_t block : blocks) product->emulate_block(launch, block, nullptr);
      }
      if (time == 0)
        first = product->y();
      else
        EXPECT_EQ(product->y(), first);
    }
    EXPECT_EQ(testing::first_wrong_row(p->expected, first), "");
  }
}

// What they are for: the entries of a full column meet before they reach y.
TEST_P(TransposedShares, AddAFullColumnAFewTimes) {
  const KernelRow& kernel = kernel_row(GetParam());
  std::vector<std::vector<index_t>> list;
  for (index_t row = 0; row < 4000; ++row) list.push_back({7, 100 + row % 900});
  Matrix m;
  m.csr = std::make_shared<const Csr>(testing::from_rows(1000, list, testing::some_value));
  const auto p = testing::product_of(kernel, m, Precision::f32, {{"blocks", 4}, {"block_size", 128}});
  const auto product = kernel.emulate(p->inputs);
  std::size_t atomics = 0;
  for (std::size_t launch = 0; launch < product->launches().size(); ++launch)
    for (std::int64_t block = 0; block < product->launches()[launch].grid; ++block) {
      simt::BlockTrace trace;
      product->emulate_block(static_cast<int>(launch), block, &trace);
      for (const simt::WarpTrace& warp : trace.warps)
        for (const simt::Access& a : warp.accesses)
          if (a.op == simt::Op::atomic) atomics += static_cast<std::size_t>(std::popcount(a.active));
    }
  EXPECT_EQ(testing::first_wrong_row(p->expected, product->y()), "");
  // 4 shares of about 900 columns, and a few more where a warp ends within a column; entries: 8000.
  EXPECT_LE(atomics, 4u * 901 + 4 * 4);
}

INSTANTIATE_TEST_SUITE_P(Kernels, TransposedShares,
                         ::testing::Values("csr_slots_transposed", "csr_even_transposed",
                                           "csr_even_striped_transposed"),
                         [](const auto& kernel) { return std::string(kernel.param); });

}  // namespace
}  // namespace warpspy
