// Which row an entry of a CSR belongs to, told without row pointers: what csr_slots_transposed and csr_even_transposed
// read, whose lanes take entries wherever their rows begin.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/spmv/row_ends.hpp"

namespace warpspy {

struct RowMarks {
  // Of each 32 entries a pair: a bit where a row ends, but for the last row, and how many rows end before them, empty
  // ones not counted.
  std::vector<std::int32_t> marks;
  std::vector<std::int32_t> rows;  // that are not empty, in order; empty where all are there
};

// On all processors. `padded_entries`: a multiple of 32, at least as many as there are. What is behind the last entry
// is in the last row.
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

}  // namespace warpspy
