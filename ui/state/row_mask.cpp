#include "ui/state/row_mask.hpp"

#include <algorithm>
#include <bit>

namespace warpspy::ui {

std::shared_ptr<const RowMask> RowMask::of_lengths(const Csr& a, index_t lo, index_t hi, const Progress* progress) {
  auto mask = std::make_shared<RowMask>();
  mask->rows_ = a.rows();
  const auto words = static_cast<std::size_t>(a.rows() / 64 + 1);
  mask->bits_.assign(words, 0);
  mask->sums_.assign(words, 0);
  index_t sum = 0;
  for (std::size_t w = 0; w < words; ++w) {
    if (progress && w % 4096 == 0) progress->check();
    std::uint64_t bits = 0;
    const index_t first = static_cast<index_t>(w) * 64, last = std::min(first + 64, a.rows());
    for (index_t row = first; row < last; ++row) {
      const index_t length = a.row_length(row);
      if (length >= lo && length < hi) bits |= std::uint64_t{1} << (row - first);
    }
    mask->bits_[w] = bits;
    mask->sums_[w] = sum;
    sum += std::popcount(bits);
  }
  return mask;
}

index_t RowMask::before(index_t row) const {
  const auto w = static_cast<std::size_t>(row / 64);
  const std::uint64_t below = (std::uint64_t{1} << (row % 64)) - 1;
  return sums_[w] + std::popcount(bits_[w] & below);
}

}  // namespace warpspy::ui
