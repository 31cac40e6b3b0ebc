// Which row an entry of a CSR belongs to, told without row pointers: what csr_slots_transposed and csr_even_transposed
// read, whose lanes take entries wherever their rows begin.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpspy {

struct RowMarks {
  // Of each 32 entries a pair: a bit where a row ends, but for the last row, and how many rows end before them, empty
  // ones not counted.
  std::vector<std::int32_t> marks;
  std::vector<std::int32_t> rows;  // that are not empty, in order; empty where all are there
};

// `padded_entries`: a multiple of 32, at least as many as there are. What is behind the last entry is in the last row.
template <class Ptr>
RowMarks row_marks(std::span<const Ptr> row_ptr, std::size_t padded_entries) {
  const std::size_t words = padded_entries / 32, rows = row_ptr.size() - 1;
  RowMarks m;
  m.marks.resize(2 * words);
  m.rows.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    if (row_ptr[row] == row_ptr[row + 1]) continue;
    m.rows.push_back(static_cast<std::int32_t>(row));
    if (row_ptr[row + 1] == row_ptr[rows]) break;
    const auto last = static_cast<std::size_t>(row_ptr[row + 1] - 1);
    m.marks[last / 32 * 2] |= static_cast<std::int32_t>(1u << last % 32);
  }
  if (m.rows.size() == rows) m.rows.clear();
  std::int32_t before = 0;
  for (std::size_t w = 0; w < words; ++w) {
    m.marks[2 * w + 1] = before;
    before += std::popcount(static_cast<std::uint32_t>(m.marks[2 * w]));
  }
  return m;
}

}  // namespace warpspy
