// Gives each row as many threads as its length needs. The rows are sorted by length and divided into ranges. Rows of
// range r get 2^r threads each, and each range has thread blocks of its own (EVC-HYB, section 1 and figure 1, listing
// 2).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/spmv/spmv.hpp"

namespace warpspy {

// Returns the range of a row of this length. 2^range threads share the row: the fewest that have at most `entries`
// entries each, but no more than a block has. The paper writes that the widest range begins at more than 8 * 512
// entries; then rows of 8 * 256 to 8 * 512 entries would have no range.
constexpr int range_of(index_t length, int entries, int block_size) {
  int range = 0;
  while ((1 << range) < block_size && length > index_t{entries} << range) ++range;
  return range;
}

inline ParamSpec entries_per_thread_spec() {
  return {.id = "entries",
          .label = "Entries per thread",
          .help =
              "A row gets the fewest threads, 1, 2, 4 ... up to the block, that leave each at most this many of "
              "its entries. The paper takes 8.",
          .type = ParamSpec::Type::power_of_two,
          .min = 1,
          .max = 128};
}

inline namespace SIMT_TARGET {

// Tells each thread block which rows it computes. It is passed to the kernel as an argument.
struct AdaptiveRanges {
  static constexpr int most = 11;  // 1 to 1024 threads per row
  // Rows are sorted by length. Range r has the rows at positions row[r] .. row[r + 1] - 1 of the sorted rows, and the
  // thread blocks block[r] .. block[r + 1] - 1.
  std::int64_t row[most + 1] = {}, block[most + 1] = {};

  // The work of one thread. `row` is the position of its row among the rows sorted by length; if it is not below `end`,
  // the range has no row for this thread. `lane` is the thread's number among the 2^range threads that share the row.
  struct Share {
    std::int64_t row, end;
    int range, lane;
  };
  SIMT_DEVICE Share share_of(std::int64_t number, simt::Thread t) const {
    Share s{row[0], row[1], 0, 0};
    std::int64_t first = block[0];
    // Every range is read with a constant index, so that the arguments are not copied to local memory.
    for (int r = 1; r < most; ++r)
      if (block[r] <= number && number < block[r + 1]) s = {row[r], row[r + 1], r, 0}, first = block[r];
    const std::int64_t thread = (number - first) * t.block_size + t.thread;
    s.row += thread >> s.range;
    s.lane = t.thread & ((1 << s.range) - 1);
    return s;
  }
};

// Adds up a value over each group of 2^range neighbouring threads; the first thread of a group gets the sum. All
// threads of the block must call it, and a kernel calls it only once. The paper adds up in shared memory step by step;
// here warps add up by shuffles, and only groups of several warps meet in shared memory.
template <class T>
SIMT_DEVICE T sum_over_group(T sum, simt::Thread t, int range, simt::Where where = simt::Where::current()) {
  const int width = range < 5 ? 1 << range : simt::warp_size;
  sum = simt::sum_down(sum, width, where);
  if (range <= 5) return sum;
  SIMT_SHARED(T, warp_sums, 32);
  const int warp = t.thread / simt::warp_size, lane = t.thread % simt::warp_size, warps = 1 << (range - 5);
  if (lane == 0) simt::st(warp_sums, warp, sum, where);
  simt::sync_block(where);
  if (warp % warps != 0) return T{0};
  sum = lane < warps ? simt::ld(warp_sums, warp + lane, where) : T{0};
  return simt::sum_down(sum, simt::warp_size, where);
}

}  // namespace SIMT_TARGET

// Makes the ranges from the number of rows in each. The first range begins at the first of the sorted rows and at block
// 0.
inline AdaptiveRanges ranges_of(const std::array<index_t, AdaptiveRanges::most>& rows, int block_size) {
  AdaptiveRanges ranges;
  for (int r = 0; r < AdaptiveRanges::most; ++r) {
    const index_t rows_per_block = std::max(1, block_size >> r);
    ranges.row[r + 1] = ranges.row[r] + rows[static_cast<std::size_t>(r)];
    ranges.block[r + 1] = ranges.block[r] + (rows[static_cast<std::size_t>(r)] + rows_per_block - 1) / rows_per_block;
  }
  return ranges;
}

// Describes these blocks to the emulator, which may run only a sample of blocks. `first` is the number of their first
// block in the launch. Each range is listed as another kind of work. If rows are ordered by length, the last block of a
// range has its longest row, with longest[range] entries.
inline void tell_ranges(LaunchSpec& spec, const AdaptiveRanges& ranges, std::int64_t first,
                        const std::array<index_t, AdaptiveRanges::most>& longest, bool ordered) {
  for (int r = 0; r < AdaptiveRanges::most; ++r)
    if (ranges.block[r + 1] > ranges.block[r] && first + ranges.block[r] > 0)
      spec.sections.push_back(first + ranges.block[r]);
  for (int r = AdaptiveRanges::most; ordered && r-- > 0;)
    if (ranges.block[r + 1] > ranges.block[r])
      spec.longest.push_back({first + ranges.block[r + 1] - 1, longest[static_cast<std::size_t>(r)]});
}

// Returns the length of the longest row of each range.
template <class Ptr>
std::array<index_t, AdaptiveRanges::most> longest_in_ranges(std::span<const Ptr> row_ptr, int entries, int block_size) {
  std::array<index_t, AdaptiveRanges::most> longest{};
  for (std::size_t i = 0; i + 1 < row_ptr.size(); ++i) {
    const auto length = static_cast<index_t>(row_ptr[i + 1] - row_ptr[i]);
    index_t& most = longest[static_cast<std::size_t>(range_of(length, entries, block_size))];
    most = std::max(most, length);
  }
  return longest;
}

}  // namespace warpspy
