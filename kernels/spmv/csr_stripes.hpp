// A stripe is a range of neighbouring columns, and a piece is the part of a row in one stripe. The kernels csr_striped
// and csr_striped_transposed prepare these before the first product. A thread block works on one stripe of x or y,
// which is in shared memory. Each of its warps has some of the rows, and processes their pieces one after another.
#pragma once

#include <numeric>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/csr.hpp"
#include "kernels/spmv/spmv.hpp"

namespace warpspy {

// The rows are divided among bins, one for each warp. The longest row comes first, and each row goes to the bin with
// the fewest entries so far. Bin b has rows[begin[b]] .. rows[begin[b + 1] - 1].
struct RowBins {
  std::vector<std::int32_t> begin, rows;
};
template <class Ptr>
RowBins dealt_rows(std::span<const Ptr> row_ptr, int bins) {
  const auto count = static_cast<std::int32_t>(row_ptr.size() - 1);
  const auto length = [&](std::int32_t row) { return static_cast<std::int64_t>(row_ptr[row + 1] - row_ptr[row]); };
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return length(a) > length(b); });
  using Load = std::pair<std::int64_t, int>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
  for (int b = 0; b < bins; ++b) least.emplace(0, b);
  std::vector<std::vector<std::int32_t>> dealt(static_cast<std::size_t>(bins));
  constexpr std::int64_t cost_of_row = 1024;  // the cost of every row, however short, counted in entries
  for (const std::int32_t row : order) {
    const auto [load, bin] = least.top();
    least.pop();
    dealt[static_cast<std::size_t>(bin)].push_back(row);
    least.emplace(load + length(row) + cost_of_row, bin);
  }
  RowBins out;
  out.begin.push_back(0);
  for (const auto& rows : dealt) {
    out.rows.insert(out.rows.end(), rows.begin(), rows.end());
    out.begin.push_back(static_cast<std::int32_t>(out.rows.size()));
  }
  return out;
}

// `count` stripes of `width` columns each, the last perhaps narrower.
struct Stripes {
  index_t width = 0, count = 0;
};
// Makes as few stripes as `kib` KiB of shared memory allow. All have the same width, a multiple of 32 columns, so that
// they begin where a sector of x begins. Throws Error if the rows would be cut into more than 2^31 - 1 pieces; the
// message names the kernel to use `instead`.
inline Stripes stripes_of(const KernelInfo& kernel, const CsrFormat& a, int kib, std::size_t value_bytes,
                          const char* instead) {
  constexpr index_t line = 32;
  const auto room = static_cast<index_t>(kib) * 1024 / static_cast<index_t>(value_bytes);
  const index_t fewest = std::max<index_t>(1, (a.cols() + room - 1) / room);
  const index_t lines = std::max<index_t>(1, ((a.cols() + fewest - 1) / fewest + line - 1) / line);
  Stripes s;
  s.width = std::min(room, lines * line);
  s.count = std::max<index_t>(1, (a.cols() + s.width - 1) / s.width);
  if (a.rows() > INT32_MAX || a.rows() * s.count > INT32_MAX)
    throw Error("kernel " + kernel.id + " would cut " + std::to_string(a.rows()) + " rows at " +
                    std::to_string(s.count) + " stripes, more than 2147483647 pieces",
                {}, std::string("it is for few long rows; use ") + instead);
  return s;
}

// Returns where pieces begin, as (stripes + 1) x rows numbers. Number s * rows + i is the first entry of row order[i]
// in stripe s or a later one. The columns of a row are sorted, so a piece is a range of entries.
template <class Ptr, class Col>
std::vector<Ptr> piece_begins(std::span<const Ptr> row_ptr, std::span<const Col> columns,
                              const std::vector<std::int32_t>& order, const Stripes& stripes) {
  const std::size_t rows = order.size();
  std::vector<Ptr> begins(rows * static_cast<std::size_t>(stripes.count + 1));
  for (std::size_t i = 0; i < rows; ++i) {
    auto k = row_ptr[order[i]];
    const auto end = row_ptr[order[i] + 1];
    for (index_t s = 0; s <= stripes.count; ++s) {
      while (k < end && columns[k] < s * stripes.width) ++k;
      begins[static_cast<std::size_t>(s) * rows + i] = k;
    }
  }
  return begins;
}

// The arrays that csr_striped and csr_striped_transposed prepare: the rows of each warp, and where the pieces of rows
// begin.
template <class Ptr>
struct StripedRows {
  RowBins bins;
  std::vector<Ptr> pieces;
};
template <class Ptr, class Col>
StripedRows<Ptr> striped_rows(std::span<const Ptr> row_ptr, std::span<const Col> columns, int warps,
                              const Stripes& stripes) {
  RowBins bins = dealt_rows(row_ptr, warps);
  std::vector<Ptr> pieces = piece_begins(row_ptr, columns, bins.rows, stripes);
  return {std::move(bins), std::move(pieces)};
}

inline ParamSpec stripe_kib_spec(const char* label, const char* help) {
  return {.id = "stripe_kib",
          .label = label,
          .help = help,
          .type = ParamSpec::Type::integer,
          .min = 1,
          .max = 220,
          .scale = ParamSpec::Scale::of_shared,
          .tried = {0.45}};
}
inline ParamSpec groups_spec() {
  return {.id = "groups",
          .label = "Blocks per stripe",
          .help =
              "Blocks that share a stripe, each with a share of the rows. Stripes times blocks should fill the GPU "
              "once.",
          .type = ParamSpec::Type::integer,
          .min = 1,
          .max = 64,
          .tried = {3, 6, 24, 64}};
}

}  // namespace warpspy
