#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>

#include "core/raster/cells.hpp"
#include "core/raster/raster.hpp"
#include "core/raster/scan.hpp"

namespace warpspy {
namespace {

using raster::Count;
using Wide = unsigned __int128;

// floor(i * extent / cells) without an overflow of 64 bits.
index_t edge(int i, index_t extent, int cells) { return i * (extent / cells) + i * (extent % cells) / cells; }

// The cell of a column offset c: the last x with edge(x) <= c, which is floor(((c + 1) * cells - 1) / extent). The
// division is a multiplication by a rounded-up reciprocal (Granlund & Montgomery 1994, theorem 4.2). For a divisor of l
// bits, floor(2^(62+l) / divisor) + 1 gives the exact quotient of every numerator below 2^62.
class ToCell {
 public:
  static bool fits(index_t extent, int cells) { return Wide(extent) * cells < (Wide{1} << 61); }
  ToCell(index_t first, index_t extent, int cells) : origin_(first) {
    // The product is shifted by 64 bits or more. With a single column it would be fewer, so all numbers are doubled.
    const std::uint64_t scale = extent == 1 ? 2 : 1, divisor = extent * scale;
    factor_ = cells * scale;
    offset_ = (cells - 1) * scale;
    const int bits = 62 + std::bit_width(divisor);
    magic_ = static_cast<std::uint64_t>((Wide{1} << bits) / divisor + 1);
    shift_ = bits - 64;
  }
  std::size_t operator()(index_t column) const {
    const std::uint64_t n = static_cast<std::uint64_t>(column - origin_) * factor_ + offset_;
    return static_cast<std::uint64_t>((Wide{n} * magic_) >> 64) >> shift_;
  }

 private:
  index_t origin_;
  std::uint64_t factor_, offset_, magic_;
  int shift_;
};

// The same with a plain division, for extents beyond 2^61 / cells.
struct ToCellWide {
  index_t origin;
  Wide extent, cells;
  std::size_t operator()(index_t column) const {
    return static_cast<std::size_t>((static_cast<Wide>(column - origin + 1) * cells - 1) / extent);
  }
};

void check_size(const Csr& a, const Window& w, int width, int height) {
  if (width < 1 || height < 1) throw Error("a grid needs at least one cell a side");
  if (w.row0 < 0 || w.row1 > a.rows() || w.row0 > w.row1 || w.col0 < 0 || w.col1 > a.cols() || w.col0 > w.col1)
    throw Error("the window is not inside the matrix");
}

template <class Column, class Cell>
void count_rows(const Csr& a, std::span<const Column> columns, const Cell& to_cell, const RowFilter* filter,
                const Progress* progress, CountGrid& grid) {
  const Window& w = grid.window;
  const raster::ColumnRange range{w.col0, w.col1, w.col0 == 0 && w.col1 == a.cols()};
  // Each row of cells is written by one task only, so no locks or private copies are needed.
  tbb::parallel_for(tbb::blocked_range<int>(0, grid.height), [&](const tbb::blocked_range<int>& band) {
    for (int y = band.begin(); y != band.end(); ++y) {
      if (progress) progress->check();
      const index_t row0 = grid.row_edge(y), row1 = grid.row_edge(y + 1);
      const auto cells = std::span(grid.counts).subspan(static_cast<std::size_t>(y) * grid.width, grid.width);
      if (!filter) {
        raster::add_rows(a.row_ptr(), columns, row0, row1, range, to_cell, cells);
        continue;
      }
      for (index_t row = row0; row < row1; ++row)
        if (filter->accepts(a.row_length(row)))
          raster::add_rows(a.row_ptr(), columns, row, row + 1, range, to_cell, cells);
    }
  });
}

CountGrid count(const Csr& a, Window w, int width, int height, const RowFilter* filter, const Progress* progress) {
  check_size(a, w, width, height);
  CountGrid grid{w, width, height, std::vector<Count>(static_cast<std::size_t>(width) * height)};
  const index_t extent = w.col1 - w.col0;
  if (extent == 0 || w.row0 == w.row1) return grid;
  a.columns().visit([&](auto columns) {
    if (ToCell::fits(extent, width))
      count_rows(a, columns, ToCell(w.col0, extent, width), filter, progress, grid);
    else
      count_rows(a, columns, ToCellWide{w.col0, static_cast<Wide>(extent), static_cast<Wide>(width)}, filter, progress,
                 grid);
  });
  return grid;
}

}  // namespace

Window whole(const Csr& a) { return {0, a.rows(), 0, a.cols()}; }

index_t CountGrid::row_edge(int y) const { return window.row0 + edge(y, window.row1 - window.row0, height); }
index_t CountGrid::col_edge(int x) const { return window.col0 + edge(x, window.col1 - window.col0, width); }
std::uint32_t CountGrid::max() const { return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end()); }

CountGrid count_grid(const Csr& a, Window window, int width, int height, const Progress* progress) {
  return count(a, window, width, height, nullptr, progress);
}

CountGrid count_grid(const Csr& a, Window window, int width, int height, RowFilter filter, const Progress* progress) {
  return count(a, window, width, height, &filter, progress);
}

std::vector<std::uint8_t> row_mask(const Csr& a, Window window, int height, RowFilter filter) {
  check_size(a, window, 1, height);
  CountGrid edges{window, 1, height, {}};
  std::vector<std::uint8_t> mask(height);
  tbb::parallel_for(0, height, [&](int y) {
    const index_t row1 = edges.row_edge(y + 1);
    for (index_t row = edges.row_edge(y); row < row1 && !mask[y]; ++row) mask[y] = filter.accepts(a.row_length(row));
  });
  return mask;
}

std::vector<Entry> entries_in(const Csr& a, Window w, std::size_t limit) {
  check_size(a, w, 1, 1);
  std::vector<Entry> found;
  a.columns().visit([&](auto columns) {
    for (index_t row = w.row0; row < w.row1 && found.size() < limit; ++row) {
      const auto end = columns.begin() + a.row_ptr()[row + 1];
      auto c = std::lower_bound(columns.begin() + a.row_ptr()[row], end, w.col0);
      for (; c != end && *c < w.col1 && found.size() < limit; ++c) {
        const index_t k = c - columns.begin();
        found.push_back({row, *c, k, a.values()[k], a.is_complex() ? a.imag()[k] : 0.0});
      }
    }
  });
  return found;
}

}  // namespace warpspy
