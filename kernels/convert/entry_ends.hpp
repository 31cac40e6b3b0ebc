// Finds which entries are the last of their rows, as a bit for each entry. Kernels such as csr_even read such bits in
// place of row pointers. From these bits it also lists the rows that have entries.
#pragma once

#include <cstdint>

#include "kernels/convert/steps.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// For all threads of a block, each of which has `items` entries from entry `first` on: sets bit i of element j of
// `ends` if entry i of thread j is the last of its row. It leaves out entries from `past` on. `bounds` has two
// elements.
template <class Ptr>
SIMT_DEVICE void mark_ends(simt::Thread t, const simt::SharedArray<int>& ends,
                           const simt::SharedArray<std::int64_t>& bounds, const simt::Array<const Ptr>& row_ptr,
                           std::int64_t first, std::int64_t past, int items,
                           simt::Where where = simt::Where::current()) {
  simt::st(ends, t.thread, 0, where);
  const Between near = rows_between(t, bounds, row_ptr, row_ptr.size - 2, first, past, where);
  for (std::int64_t row = near.low + t.thread; row <= near.high; row += threads) {
    const std::int64_t begin = simt::ld(row_ptr, row, where), end = simt::ld(row_ptr, row + 1, where) - 1;
    if (end < begin || end >= past) continue;
    const int at = static_cast<int>(end - first);
    simt::atomic_add(ends, at / items, 1 << at % items, where);
  }
  simt::sync_block(where);
}

// Counts the rows that end before an entry, from the flags of lanes and the counts of tiles in an EvenSplit.
// ColumnOrder has such flags and counts for columns.
template <class Count>
struct EndsByFlags {
  simt::Array<const std::uint16_t> flags;
  simt::Array<const Count> first_ends;
  int items;

  SIMT_DEVICE bool at(std::int64_t entry, simt::Where where = simt::Where::current()) const {
    return (simt::ld(flags, entry / items, where) >> entry % items & 1) != 0;
  }
  SIMT_DEVICE std::int64_t before(std::int64_t entry, simt::Where where = simt::Where::current()) const {
    const std::int64_t lane = entry / items;
    const std::uint32_t own = simt::ld(flags, lane, where), earlier = own & ((1u << entry % items) - 1);
    return simt::ld(first_ends, lane / simt::warp_size, where) + static_cast<std::int64_t>(own >> items) +
           simt::count_bits(earlier);
  }
};

// Each row gets a thread. It writes the row's number to its place among the rows that have entries, and sets the row's
// bit, if these are wanted.
template <class Ptr, class Ends>
struct ListFilledRows {
  simt::Array<const Ptr> row_ptr;
  Ends ends;
  simt::Array<std::int32_t> filled;
  simt::Array<std::uint32_t> present;
  std::int64_t rows;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    const std::int64_t row = t.block * t.block_size + t.thread;
    std::int64_t first = 0, end = 0;
    if (row < rows) first = simt::ld(row_ptr, row), end = simt::ld(row_ptr, row + 1);
    const std::uint32_t bits = simt::ballot(end > first);
    if (row < rows && row % simt::warp_size == 0 && present.size > 0) simt::st(present, row / simt::warp_size, bits);
    if (end > first) simt::st(filled, ends.before(end - 1), static_cast<std::int32_t>(row));
  }
};

}  // namespace SIMT_TARGET
}  // namespace warpspy::convert
