// The inner loops that turn stored entries into counts per cell; shared by count_grid() and Pyramid, private to the
// room.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "core/matrix/csr.hpp"

namespace warpspy::raster {

using Count = std::uint32_t;
constexpr Count kFull = std::numeric_limits<Count>::max();

inline void bump(Count& c) { c += c != kFull; }
inline Count saturating_add(Count a, Count b) { return a > kFull - b ? kFull : a + b; }

// Columns [first, last); `all` says that no entry lies outside, so that none has to be tested.
struct ColumnRange {
  index_t first = 0, last = 0;
  bool all = false;
};

// Row lengths from which two binary searches cost less than testing every entry of the row.
constexpr index_t kSearchLength = 48;

// Adds the entries of rows [row0, row1) that lie in `range` to cells[to_cell(column)].
template <class Column, class ToCell>
void add_rows(std::span<const index_t> row_ptr, std::span<const Column> columns, index_t row0, index_t row1,
              ColumnRange range, const ToCell& to_cell, Count* cells) {
  const Column* first = columns.data() + row_ptr[row0];
  const Column* last = columns.data() + row_ptr[row1];
  if (range.all) {
    // Rows follow each other in memory: one flat loop, whatever their lengths.
    for (const Column* c = first; c != last; ++c) bump(cells[to_cell(*c)]);
    return;
  }
  const auto width = static_cast<std::uint64_t>(range.last - range.first);
  if (last - first < kSearchLength * (row1 - row0)) {
    for (const Column* c = first; c != last; ++c)
      if (static_cast<std::uint64_t>(*c - range.first) < width) bump(cells[to_cell(*c)]);
    return;
  }
  for (index_t row = row0; row < row1; ++row) {
    const Column* end = columns.data() + row_ptr[row + 1];
    const Column* c = columns.data() + row_ptr[row];
    for (c = std::lower_bound(c, end, range.first); c != end && *c < range.last; ++c) bump(cells[to_cell(*c)]);
  }
}

}  // namespace warpspy::raster
