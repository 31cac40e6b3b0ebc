#include "ui/state/row_mask.hpp"

#include <algorithm>
#include <bit>

namespace warpspy::ui {

template <class Holds>
std::shared_ptr<const RowMask> RowMask::of(index_t rows, const Progress* progress, const Holds& holds) {
  auto mask = std::make_shared<RowMask>();
  mask->rows_ = rows;
  const auto words = static_cast<std::size_t>(rows / 64 + 1);
  mask->bits_.assign(words, 0);
  mask->sums_.assign(words, 0);
  index_t sum = 0;
  for (std::size_t w = 0; w < words; ++w) {
    if (progress && w % 4096 == 0) progress->check();
    std::uint64_t bits = 0;
    const index_t first = static_cast<index_t>(w) * 64, last = std::min(first + 64, rows);
    for (index_t row = first; row < last; ++row)
      if (holds(row)) bits |= std::uint64_t{1} << (row - first);
    mask->bits_[w] = bits;
    mask->sums_[w] = sum;
    sum += std::popcount(bits);
  }
  return mask;
}

std::shared_ptr<const RowMask> RowMask::of_lengths(const Csr& a, index_t lo, index_t hi, const Progress* progress) {
  return of(a.rows(), progress, [&](index_t row) { return a.row_length(row) >= lo && a.row_length(row) < hi; });
}

std::shared_ptr<const RowMask> RowMask::of_rows(const Csr& a, index_t first, index_t past, const Progress* progress) {
  return of(a.rows(), progress, [&](index_t row) { return row >= first && row < past; });
}

index_t RowMask::next(index_t row) const {
  const index_t passed = before(row);
  if (passed == size()) return -1;
  // The word that contains the next marked row: the last one before which at most `passed` rows are marked.
  const auto word = std::upper_bound(sums_.begin(), sums_.end(), passed) - sums_.begin() - 1;
  std::uint64_t bits = bits_[static_cast<std::size_t>(word)];
  for (index_t k = sums_[static_cast<std::size_t>(word)]; k < passed; ++k) bits &= bits - 1;
  return word * 64 + std::countr_zero(bits);
}

index_t RowMask::before(index_t row) const {
  const auto w = static_cast<std::size_t>(row / 64);
  const std::uint64_t below = (std::uint64_t{1} << (row % 64)) - 1;
  return sums_[w] + std::popcount(bits_[w] & below);
}

}  // namespace warpspy::ui
