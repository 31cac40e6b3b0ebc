// Code that the formats dia and dia_symmetric share.
#pragma once

#include <vector>

#include "core/formats/format.hpp"

namespace warpspy {

// Whole diagonals side by side: the value of row r on diagonal d (offsets[d] = column - row, increasing) at d * pitch +
// r. Padding is 0; `stored_zeros` remembers which zeros are entries.
struct Diagonals {
  index_t pitch = 0;
  IndexArray offsets;
  Values values;
  std::vector<index_t> stored_zeros;  // positions in `values` that hold an entry of value 0, increasing

  index_t count() const { return static_cast<index_t>(offsets.size()); }
};
// Builds the diagonals with these offsets; entries right of the last of them may be left out. It runs in parallel.
// Throws Cancelled.
Diagonals diagonals_of(const FormatFacts& facts, const std::vector<index_t>& offsets, Precision precision,
                       RealView view, index_t alignment, Progress& progress);

// The size of diagonals with `entries` entries on them: values and offsets, padding, and how much of the padding can be
// skipped.
Estimate diagonals_estimate(const Csr& a, const std::vector<index_t>& offsets, index_t entries, Precision precision,
                            index_t alignment);
std::size_t skippable_of(const Diagonals& d, index_t rows, index_t cols, Precision precision);

// Visits every slot; `mirrored`: entries off the main diagonal also stand for their mirrors.
void for_each_slot_of(const Diagonals& d, bool mirrored, const SlotVisitor& visit);

}  // namespace warpspy
