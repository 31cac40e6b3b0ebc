// A set of column numbers: it lists the columns of some entries, each once and in ascending order, without sorting. It
// has a bit for each column, and a bit for each word of those bits that is not 0, so empty words are skipped quickly.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

class ColumnSet {
 public:
  explicit ColumnSet(index_t cols)
      : columns_(static_cast<std::size_t>(cols) / word + 1), words_(columns_.size() / word + 1) {}

  void add(std::size_t column) {
    columns_[column / word] |= std::uint64_t{1} << column % word;
    words_[column / word / word] |= std::uint64_t{1} << column / word % word;
  }
  // Calls f(column) for each column, and leaves the set empty.
  template <class F>
  void take(F&& f) {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for_each_bit(words_[w], w, [&](std::size_t of_columns) { for_each_bit(columns_[of_columns], of_columns, f); });
  }

 private:
  static constexpr std::size_t word = 64;

  template <class F>
  static void for_each_bit(std::uint64_t& bits, std::size_t at, F&& f) {
    for (std::uint64_t left = std::exchange(bits, 0); left != 0; left &= left - 1)
      f(at * word + static_cast<std::size_t>(std::countr_zero(left)));
  }

  std::vector<std::uint64_t> columns_, words_;
};

}  // namespace warpspy
