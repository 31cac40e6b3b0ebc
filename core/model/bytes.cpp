#include "core/model/bytes.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "core/jobs/parallel.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy {
namespace {

// Lines that hold the bytes [begin, end).
index_t lines_of(index_t begin, index_t end, int line_bytes) {
  return begin >= end ? 0 : (end - 1) / line_bytes - begin / line_bytes + 1;
}

// For each block, how many lines of x its entries access; summed over the blocks of a range.
template <class Columns>
index_t x_lines(const Csr& a, const Columns& columns, index_t first_block, index_t last_block, index_t rows_per_block,
                index_t per_line) {
  // For each line, the last block that accessed it. So a new block need not clear anything.
  std::vector<std::uint32_t> seen(static_cast<std::size_t>(a.cols() / per_line + 1), 0);
  index_t lines = 0;
  std::uint32_t stamp = 0;
  for (index_t block = first_block; block < last_block; ++block) {
    ++stamp;
    const index_t end = std::min(a.rows(), (block + 1) * rows_per_block);
    for (index_t k = a.row_ptr()[block * rows_per_block]; k < a.row_ptr()[end]; ++k) {
      std::uint32_t& last = seen[static_cast<std::size_t>(static_cast<index_t>(columns[k]) / per_line)];
      lines += last != stamp;
      last = stamp;
    }
  }
  return lines;
}

}  // namespace

double product_flops(index_t nnz) { return 2.0 * static_cast<double>(nnz); }

double effective_bytes(index_t rows, index_t nnz, Precision precision, int index_bytes) {
  const double value = bytes_of(precision);
  return static_cast<double>(nnz) * (2 * value + index_bytes) + static_cast<double>(rows) * (value + index_bytes);
}

double worst_bytes(index_t rows, index_t nnz, int line_bytes) {
  return line_bytes * (3 * static_cast<double>(nnz) + 2 * static_cast<double>(rows));
}

double caching_bytes(const Csr& a, index_t rows_per_block, Precision precision, int line_bytes, int index_bytes) {
  const index_t blocks = (a.rows() + rows_per_block - 1) / rows_per_block;
  const index_t value = bytes_of(precision), index = index_bytes;
  // Few, long ranges, since each has a table of all lines of x.
  const index_t grain = std::max<index_t>(1, blocks / 64);
  require_memory(static_cast<double>(tbb::this_task_arena::max_concurrency()) * sizeof(std::uint32_t) *
                     (static_cast<double>(a.cols() / (line_bytes / value)) + 1),
                 "the count of lines that blocks share");
  const auto count = [&](const auto& columns) {
    return tbb::parallel_reduce(
        tbb::blocked_range<index_t>(0, blocks, static_cast<std::size_t>(grain)), index_t{0},
        [&](const tbb::blocked_range<index_t>& range, index_t lines) {
          lines += x_lines(a, columns, range.begin(), range.end(), rows_per_block, line_bytes / value);
          for (index_t b = range.begin(); b < range.end(); ++b) {
            const index_t r0 = b * rows_per_block, r1 = std::min(a.rows(), r0 + rows_per_block);
            const index_t k0 = a.row_ptr()[r0], k1 = a.row_ptr()[r1];
            lines += lines_of(k0 * value, k1 * value, line_bytes) + lines_of(k0 * index, k1 * index, line_bytes) +
                     lines_of(r0 * index, (r1 + 1) * index, line_bytes) + lines_of(r0 * value, r1 * value, line_bytes);
          }
          return lines;
        },
        std::plus<index_t>());
  };
  index_t lines = 0;
  a.columns().visit([&](auto columns) { lines = count(columns); });
  return static_cast<double>(lines) * line_bytes;
}

double gathered_bytes(const Csr& a, int parts, Precision precision) {
  constexpr index_t sector_bytes = 32;
  const index_t in_sector = sector_bytes / static_cast<index_t>(bytes_of(precision));
  const auto sectors_of_part = [&](const auto& columns, std::size_t part) {
    const auto count = static_cast<std::size_t>(a.nnz()), of = static_cast<std::size_t>(parts);
    std::vector<bool> asked(static_cast<std::size_t>(a.cols() / in_sector + 1));
    index_t sectors = 0;
    for (std::size_t k = part_begin(count, part, of); k < part_begin(count, part + 1, of); ++k) {
      const auto sector = static_cast<std::size_t>(columns[k] / in_sector);
      if (asked[sector]) continue;
      asked[sector] = true;
      ++sectors;
    }
    return sectors;
  };
  index_t sectors = 0;
  a.columns().visit([&](auto columns) {
    using Range = tbb::blocked_range<int>;
    sectors = tbb::parallel_reduce(
        Range(0, parts), index_t{0},
        [&](const Range& range, index_t sum) {
          for (int part = range.begin(); part < range.end(); ++part)
            sum += sectors_of_part(columns, static_cast<std::size_t>(part));
          return sum;
        },
        std::plus<index_t>());
  });
  return static_cast<double>(sectors * sector_bytes);
}

std::optional<double> table1_bytes_per_flop(const FormatInfo& format, Precision precision) {
  const double bytes = precision == Precision::f32 ? format.table1_f32 : format.table1_f64;
  return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

}  // namespace warpspy
