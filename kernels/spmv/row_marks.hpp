// Finds the row of any entry of a CSR matrix without row pointers. csr_slots_transposed and csr_even_transposed read
// this, since their lanes process entries anywhere in a row.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "kernels/spmv/row_ends.hpp"

namespace warpspy {

struct RowMarks {
  // Two numbers for each group of 32 entries. The first has a bit for each entry that is the last of its row (not for
  // the last row). The second is the number of rows that end before the group. Empty rows do not count.
  std::vector<std::int32_t> marks;
  std::vector<std::int32_t> rows;  // rows that are not empty, in ascending order; no list if all are
};

// Uses all processors. `padded_entries`: a multiple of 32, at least the number of entries. Positions behind the last
// entry belong to the last row.
template <class Ptr>
RowMarks row_marks(std::span<const Ptr> row_ptr, std::size_t padded_entries) {
  const std::size_t words = padded_entries / 32;
  RowMarks m;
  m.marks.resize(2 * words);
  RowEnds<Ptr> ends(row_ptr);
  ends.mark(std::span(m.marks), 32, 2, false);
  if (!ends.all_filled()) m.rows = ends.filled();
  std::int32_t before = 0;
  for (std::size_t w = 0; w < words; ++w) {
    m.marks[2 * w + 1] = before;
    before += std::popcount(static_cast<std::uint32_t>(m.marks[2 * w]));
  }
  return m;
}

// The input of Layout::prepare for these marks. A device makes the same arrays (kernels/device/prepared.hpp).
template <class Ptr>
struct RowMarksOf {
  std::span<const Ptr> row_ptr;
  index_t padded_entries;
  RowMarks operator()() const { return row_marks(row_ptr, static_cast<std::size_t>(padded_entries)); }
};

}  // namespace warpspy
