// Marks the ends of CSR rows by bits, and finds the rows that are not empty. Kernels with equal shares of entries read
// these bits in place of row pointers. It uses all processors; the result does not depend on their number.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "core/jobs/parallel.hpp"

namespace warpspy {

// Divides rows into parts that run in parallel; each part begins at a multiple of 32.
template <class Ptr>
class RowEnds {
 public:
  static constexpr std::size_t together = 32;

  explicit RowEnds(std::span<const Ptr> row_ptr)
      : row_ptr_(row_ptr),
        groups_((row_ptr.size() - 1 + together - 1) / together),
        parts_(std::clamp<std::size_t>(groups_ / least_groups, 1, most_parts)),
        begins_(parts_ + 1) {}

  // For every row that is not empty, sets the bit of its last entry e: bit e % in_word of words[e / in_word * stride].
  // Skips the last such row unless `last_too`. `in_word` is a power of two, at most the bits of a word.
  template <class Word>
  void mark(std::span<Word> words, std::size_t in_word, std::size_t stride, bool last_too) {
    const auto entries = static_cast<std::size_t>(row_ptr_.back());
    const int shift = std::countr_zero(in_word);  // a shift is much faster than a division
    in_parallel(parts_, [&](std::size_t part) {
      // The first and the last word of this part may also hold bits of other parts.
      const std::size_t first = static_cast<std::size_t>(row_ptr_[first_row(part)]) >> shift;
      const std::size_t end = static_cast<std::size_t>(row_ptr_[first_row(part + 1)]) >> shift;
      std::size_t filled = 0;
      for_filled(part, [&](std::size_t, std::size_t entry) {
        ++filled;
        if (!last_too && entry + 1 == entries) return;
        const std::size_t at = entry >> shift;
        const auto bit = static_cast<Word>(Word{1} << (entry & (in_word - 1)));
        if (at == first || at == end)
          std::atomic_ref<Word>(words[at * stride]).fetch_or(bit, std::memory_order_relaxed);
        else
          words[at * stride] |= bit;
      });
      begins_[part + 1] = filled;
    });
    for (std::size_t part = 0; part < parts_; ++part) begins_[part + 1] += begins_[part];
  }

  // Call the next functions after mark(). all_filled() returns whether no row is empty. The others return the rows that
  // are not empty, in ascending order, and a bit for each row.
  bool all_filled() const { return begins_.back() == row_ptr_.size() - 1; }
  std::vector<std::int32_t> filled() {
    std::vector<std::int32_t> rows(begins_.back());
    in_parallel(parts_, [&](std::size_t part) {
      std::size_t at = begins_[part];
      for_filled(part, [&](std::size_t row, std::size_t) { rows[at++] = static_cast<std::int32_t>(row); });
    });
    return rows;
  }
  std::vector<std::uint32_t> filled_bits() {
    std::vector<std::uint32_t> bits(groups_);
    in_parallel(parts_, [&](std::size_t part) {
      for_filled(part, [&](std::size_t row, std::size_t) { bits[row / together] |= 1u << row % together; });
    });
    return bits;
  }

 private:
  static constexpr std::size_t most_parts = 16, least_groups = 512;

  std::size_t first_row(std::size_t part) const {
    return std::min(row_ptr_.size() - 1, part_begin(groups_, part, parts_) * together);
  }

  // Calls f(row, last entry of the row) for each row that is not empty.
  template <class F>
  void for_filled(std::size_t part, F&& f) const {
    for (std::size_t row = first_row(part), end = first_row(part + 1); row < end; ++row)
      if (row_ptr_[row + 1] > row_ptr_[row]) f(row, static_cast<std::size_t>(row_ptr_[row + 1] - 1));
  }

  std::span<const Ptr> row_ptr_;
  std::size_t groups_, parts_;
  std::vector<std::size_t> begins_;  // for each part, how many rows before it are not empty
};

}  // namespace warpspy
