// A set of rows: one bit per row and a running count. It gives the number of its rows in a range in constant time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy::ui {

class RowMask {
 public:
  // Rows whose length is in [lo, hi). O(rows).
  static std::shared_ptr<const RowMask> of_lengths(const Csr& a, index_t lo, index_t hi,
                                                   const Progress* progress = nullptr);

  // The rows [first, past). O(rows).
  static std::shared_ptr<const RowMask> of_rows(const Csr& a, index_t first, index_t past,
                                                const Progress* progress = nullptr);

  index_t rows() const { return rows_; }
  index_t size() const { return before(rows_); }
  bool has(index_t row) const { return (bits_[row / 64] >> (row % 64)) & 1; }
  // Members in [row0, row1), both in 0..rows.
  index_t count(index_t row0, index_t row1) const { return before(row1) - before(row0); }
  // The first member from `row` (0..rows - 1) on, or -1.
  index_t next(index_t row) const;

 private:
  template <class Holds>
  static std::shared_ptr<const RowMask> of(index_t rows, const Progress* progress, const Holds& holds);
  index_t before(index_t row) const;
  index_t rows_ = 0;
  std::vector<std::uint64_t> bits_;
  std::vector<index_t> sums_;  // members before each word
};

}  // namespace warpspy::ui
