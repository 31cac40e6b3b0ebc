// Counting entries beyond 2^31, without a matrix of that size: columns are address space of which only what is used
// becomes memory.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <numeric>

#include "core/raster/scan.hpp"

namespace warpspy::raster {
namespace {

TEST(LargeIndices, RowsAreCountedWhereTheyLie) {
  constexpr index_t far = 3'000'000'123, rows = 100, each = 30, cells = 8;
  const std::size_t bytes = static_cast<std::size_t>(far + rows * each) * sizeof(std::int32_t);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no address space of 12 GB";
  const std::span columns(static_cast<std::int32_t*>(memory), bytes / sizeof(std::int32_t));
  std::vector<index_t> row_ptr(rows + 1);
  for (index_t row = 0; row <= rows; ++row) row_ptr[row] = far + row * each;
  std::vector<Count> expected(cells, 0);
  for (index_t k = 0; k < rows * each; ++k) {
    const auto column = static_cast<std::int32_t>(k % each * 7 % (64 * cells));
    columns[far + k] = column;
    ++expected[column / 64];
  }
  const std::span<const std::int32_t> read = columns;
  const auto to_cell = [](index_t column) { return static_cast<std::size_t>(column / 64); };
  for (const bool all : {true, false}) {
    std::vector<Count> counts(cells, 0);
    add_rows<std::int32_t>(row_ptr, read, 0, rows, {0, 64 * cells, all}, to_cell, counts);
    EXPECT_EQ(counts, expected) << all;
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), index_t{0}), rows * each);
  }
  ::munmap(memory, bytes);
}

TEST(LargeIndices, CountsStopAtTheMostInsteadOfWrapping) {
  Count c = kFull - 1;
  bump(c);
  EXPECT_EQ(c, kFull);
  bump(c);
  EXPECT_EQ(c, kFull);
  EXPECT_EQ(saturating_add(3'000'000'000u, 1'000'000'000u), 4'000'000'000u);
  EXPECT_EQ(saturating_add(3'000'000'000u, 3'000'000'000u), kFull);
}

}  // namespace
}  // namespace warpspy::raster
