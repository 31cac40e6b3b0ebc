// Kernels at entries beyond 2^31, without a matrix of that size: arrays are address space of which only what is used
// becomes memory, and only blocks that are there run.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "kernels/spmv/csr_merge.hpp"
#include "kernels/spmv/csr_scalar.hpp"
#include "kernels/spmv/csr_vector.hpp"
#include "tests/unit/kernels/simt.hpp"

namespace warpspy {
namespace {

constexpr std::int64_t kFar = 3'000'000'123;  // where the entries begin

// `size` elements that are zero, and no memory until they are written.
template <class T>
class Sparse {
 public:
  explicit Sparse(std::int64_t size)
      : size_(size),
        data_(::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Sparse() {
    if (there()) ::munmap(data_, bytes());
  }
  Sparse(const Sparse&) = delete;
  bool there() const { return data_ != MAP_FAILED; }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }
  std::int64_t size() const { return size_; }
  T* data() const { return static_cast<T*>(data_); }

 private:
  std::int64_t size_;
  void* data_;
};

// Rows of 0 to 40 entries that begin at entry kFar, x, and what the product is.
struct FarRows {
  std::vector<std::int64_t> row_ptr;
  Sparse<std::int32_t> columns{kFar + 10'000};
  Sparse<float> values{kFar + 10'000};
  std::vector<float> x = std::vector<float>(500), y;
  std::vector<double> expected;
  simt::Bench bench{128};

  bool there() const { return columns.there() && values.there(); }
  explicit FarRows(int rows, std::vector<std::int64_t> before) : row_ptr(std::move(before)) {
    std::mt19937 random(7);
    const auto value = [&] { return static_cast<float>(random() % 2001) / 1000 - 1; };
    for (float& v : x) v = value();
    expected.assign(row_ptr.size() - 1, 0);
    for (int i = 0; i < rows && there(); ++i) {
      double sum = 0;
      std::int64_t k = row_ptr.back();
      for (const std::int64_t end = k + static_cast<std::int64_t>(random() % 41); k < end; ++k) {
        columns.data()[k] = static_cast<std::int32_t>(random() % x.size());
        values.data()[k] = value();
        sum += static_cast<double>(values.data()[k]) * x[static_cast<std::size_t>(columns.data()[k])];
      }
      row_ptr.push_back(k);
      expected.push_back(sum);
    }
    y.assign(expected.size(), NAN);
  }
  std::int64_t rows() const { return static_cast<std::int64_t>(expected.size()); }
  template <class T>
  simt::Array<T> array(const char* name, T* data, std::int64_t size) {
    auto& arrays = bench.launch.arrays;
    const std::uint64_t base = arrays.empty() ? 1 << 20 : (arrays.back().base + arrays.back().bytes + 255) / 256 * 256;
    arrays.push_back({name, base, static_cast<std::uint64_t>(size) * sizeof(T)});
    return {data, size, base, static_cast<std::uint16_t>(arrays.size() - 1)};
  }
  template <class T>
  simt::Array<const T> input(const char* name, const T* data, std::int64_t size) {
    return array<const T>(name, data, size);
  }
  simt::Array<const std::int64_t> pointers() {
    return input("row_ptr", row_ptr.data(), static_cast<std::int64_t>(row_ptr.size()));
  }
  void expect_rows_from(std::size_t first) const {
    for (std::size_t i = first; i < y.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-4) << "row " << i;
  }
};

template <class Code>
void run_all(FarRows& a, const Code& code, std::int64_t rows_per_block) {
  for (std::int64_t block = 0; block * rows_per_block < a.rows(); ++block) {
    const simt::BlockTrace trace = a.bench.run(code, block);
    // The trace has the true addresses: the model counts by them.
    std::uint64_t last = 0;
    for (const simt::WarpTrace& warp : trace.warps)
      for (const std::uint64_t address : warp.addresses) last = std::max(last, address);
    EXPECT_GT(last, static_cast<std::uint64_t>(kFar) * sizeof(float));
  }
  a.expect_rows_from(0);
}

TEST(LargeIndices, CsrScalarReadsEntriesBeyondTwoToThe31) {
  FarRows a(300, {kFar});
  if (!a.there()) GTEST_SKIP() << "no address space of 12 GB";
  using Code = CsrScalar::Code<float, std::int64_t, std::int32_t, DynamicCaches>;
  const auto row_ptr = a.pointers();
  run_all(a,
          Code{row_ptr,
               a.input("columns", a.columns.data(), a.columns.size()),
               a.input("values", a.values.data(), a.values.size()),
               a.input("x", a.x.data(), 500),
               a.array("y", a.y.data(), a.rows()),
               a.rows(),
               {1, 0},
               caches_of({})},
          128);
}

TEST(LargeIndices, CsrVectorReadsEntriesBeyondTwoToThe31) {
  FarRows a(300, {kFar});
  if (!a.there()) GTEST_SKIP() << "no address space of 12 GB";
  using Code = CsrVector::Code<float, std::int64_t, std::int32_t, 8, DynamicCaches>;
  const auto row_ptr = a.pointers();
  run_all(a,
          Code{row_ptr,
               a.input("columns", a.columns.data(), a.columns.size()),
               a.input("values", a.values.data(), a.values.size()),
               a.input("x", a.x.data(), 500),
               a.array("y", a.y.data(), a.rows()),
               a.rows(),
               2,
               {1, 0},
               caches_of({})},
          CsrVector::rows_per_block({.coop = 8, .block_size = 128, .repeat = 2}));
}

// Row 10 has all the entries up to kFar + 5 and some: two million tiles are of it alone, and the next rows end behind.
TEST(LargeIndices, CsrMergeFindsItsTilesBeyondTwoToThe31) {
  std::vector<std::int64_t> before(11, 0);
  before.push_back(kFar + 5);
  FarRows a(60, before);
  if (!a.there()) GTEST_SKIP() << "no address space of 12 GB";
  constexpr int items = CsrMerge::steps_of(1), tile = 128 * items;
  const std::vector<std::uint64_t> starts = merge_tiles(std::span<const std::int64_t>(a.row_ptr), tile);
  const auto tiles = static_cast<std::int64_t>(starts.size()) - 1;
  const std::int64_t path = a.rows() + a.row_ptr.back();
  ASSERT_EQ(tiles, (path + tile - 1) / tile);
  const std::int64_t ending = (kFar + 5 + 10) / tile;  // the tile in which row 10 ends
  ASSERT_GT(ending * tile, std::int64_t{1} << 31);
  EXPECT_EQ(starts[static_cast<std::size_t>(ending)], 10u);
  EXPECT_EQ(starts.back(), static_cast<std::uint64_t>(a.rows()));

  using Code = CsrMerge::Code<float, std::int64_t, std::int32_t, items, DynamicCaches>;
  const auto first_rows = a.input("first_rows", starts.data(), tiles + 1);
  const auto row_ptr = a.pointers();
  const auto columns = a.input("columns", a.columns.data(), a.columns.size());
  const auto values = a.input("values", a.values.data(), a.values.size());
  const auto x = a.input("x", a.x.data(), 500);
  const auto y = a.array("y", a.y.data(), a.rows());
  std::vector<float> left(static_cast<std::size_t>(tiles), 1.0F);
  const auto carries = a.array("carries", left.data(), tiles);
  const Code code{first_rows, row_ptr,      {columns, values, x}, y, carries, static_cast<std::uint64_t>(path),
                  {1, 0},     caches_of({})};
  const int shared = tile * static_cast<int>(sizeof(float)) + static_cast<int>(sizeof(int));
  for (std::int64_t block = ending; block < tiles; ++block)
    simt::run_block(a.bench.launch, {block, 128, shared}, code, nullptr);
  // Row 10 has of this tile what no entry was written for: nothing.
  EXPECT_EQ(a.y[10], 0);

  // Then what the tiles before left for row 10: one each here.
  std::fill(left.begin(), left.begin() + ending, 1.0F);
  const CsrMerge::AddCarries<float, std::int64_t, DynamicCaches> add{
      first_rows, row_ptr,      carries, y, static_cast<std::uint64_t>(a.rows()), tile, static_cast<int>(tiles),
      {1, 0},     caches_of({})};
  // The first tile in which row 10 goes on is the one that adds.
  simt::run_block(a.bench.launch, {0, 128, 0, 1}, add, nullptr);
  for (std::int64_t block = ending / 128; block * 128 < tiles; ++block)
    simt::run_block(a.bench.launch, {block, 128, 0, 1}, add, nullptr);
  EXPECT_EQ(a.y[10], static_cast<float>(ending));
  a.expect_rows_from(11);
}

TEST(LargeIndices, GridsOfManyRowsAreCountedIn64Bits) {
  const LaunchSpec spec = row_grid(3'000'000'000, CsrVector::rows_per_block({.coop = 32, .block_size = 128}), 128);
  EXPECT_EQ(spec.grid, 750'000'000);
  EXPECT_NO_THROW(require_launchable("csr_vector", spec));
  const LaunchSpec over = row_grid(9'000'000'000, CsrVector::rows_per_block({.coop = 32, .block_size = 128}), 128);
  EXPECT_EQ(over.grid, 2'250'000'000);
  EXPECT_THROW(require_launchable("csr_vector", over), Error);
  EXPECT_EQ(item_grid(3'000'000'001, 128).grid, 23'437'501);
}

}  // namespace
}  // namespace warpspy
