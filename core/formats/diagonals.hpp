// What dia and dia_symmetric share.
#pragma once

#include <vector>

#include "core/formats/format.hpp"

namespace warpspy {

// Whole diagonals side by side: the value of row r on diagonal d (offsets[d] = column - row, increasing) at
// d * pitch + r. Padding is 0; which zeros are entries is remembered.
struct Diagonals {
  index_t pitch = 0;
  IndexArray offsets;
  Values values;
  std::vector<index_t> stored_zeros;  // positions in `values` that hold an entry of value 0, increasing

  index_t count() const { return static_cast<index_t>(offsets.size()); }
};
// Of the diagonals `offsets`, which may leave out what is right of the last of them. In parallel; throws Cancelled.
Diagonals diagonals_of(const FormatFacts& facts, const std::vector<index_t>& offsets, Precision precision,
                       RealView view, index_t alignment, Progress& progress);

// What diagonals of a matrix with `entries` on them take: values and offsets, padding and what of it can be skipped.
Estimate diagonals_estimate(const Csr& a, const std::vector<index_t>& offsets, index_t entries, Precision precision,
                            index_t alignment);
std::size_t skippable_of(const Diagonals& d, index_t rows, index_t cols, Precision precision);

// Every slot; `mirrored`: entries off the main diagonal stand for the ones across it.
void for_each_slot_of(const Diagonals& d, bool mirrored, const SlotVisitor& visit);

}  // namespace warpspy
