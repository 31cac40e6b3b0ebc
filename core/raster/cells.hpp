// Lists single entries, for a pattern that is zoomed in far. Also finds rows of chosen lengths, for the marks of the
// histogram.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/raster/raster.hpp"

namespace warpspy {

struct Entry {
  index_t row = 0, col = 0;
  index_t position = 0;  // index in columns() and values()
  double value = 0, imag = 0;
  bool operator==(const Entry&) const = default;
};
// The first `limit` entries of a window, by row, then column. Ask for limit + 1 to learn whether there are more.
// O(rows of the window x log row length).
std::vector<Entry> entries_in(const Csr& a, Window window, std::size_t limit);

// Rows with min_length <= length < max_length.
struct RowFilter {
  index_t min_length = 0, max_length = 0;
  bool accepts(index_t length) const { return length >= min_length && length < max_length; }
  bool operator==(const RowFilter&) const = default;
};
// count_grid() over the accepted rows only. For a complete partition of lengths the grids add up to the unfiltered one.
CountGrid count_grid(const Csr& a, Window window, int width, int height, RowFilter filter,
                     const Progress* progress = nullptr);
// mask[y] = 1 when pixel row y of a grid of that height holds at least one accepted row, empty rows included (a bar of
// length 0 has no entries to count, but its rows can be shown). Reads row pointers only.
std::vector<std::uint8_t> row_mask(const Csr& a, Window window, int height, RowFilter filter);

}  // namespace warpspy
