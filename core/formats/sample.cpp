#include "core/formats/sample.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpspy {
namespace {

constexpr index_t kWindows = 16;
constexpr index_t kAligned = 96;  // windows begin at multiples of every usual block size and slice height

}  // namespace

std::optional<Csr> sample_rows(const Csr& a, index_t entries) {
  if (a.nnz() < 2 * entries) return std::nullopt;
  const double mean = static_cast<double>(a.nnz()) / static_cast<double>(a.rows());
  const auto wanted = static_cast<index_t>(static_cast<double>(entries) / mean / kWindows);
  const index_t rows = (wanted / kAligned + 1) * kAligned, distance = a.rows() / kWindows / kAligned * kAligned;
  if (distance < rows) return std::nullopt;

  // Window w moves up by shift(w) rows and left by as many columns. All are first moved right by the largest shift, so
  // none leaves the matrix.
  const auto shift = [&](index_t w) { return w * (distance - rows); };
  const index_t right = shift(kWindows - 1);
  std::vector<index_t> row_ptr{0};
  std::vector<std::int64_t> columns;
  std::vector<double> values;
  for (index_t w = 0; w < kWindows; ++w)
    for (index_t r = w * distance; r < w * distance + rows; ++r) {
      for (index_t k = a.row_ptr()[r]; k < a.row_ptr()[r + 1]; ++k) {
        columns.push_back(a.columns()[k] + right - shift(w));
        values.push_back(a.values()[k]);
      }
      row_ptr.push_back(static_cast<index_t>(columns.size()));
    }
  const index_t cols = a.cols() + right, count = kWindows * rows;
  if (!Indices::fits32(cols))
    return Csr(count, cols, std::move(row_ptr), Indices(std::move(columns)), std::move(values));
  std::vector<std::int32_t> narrow(columns.begin(), columns.end());
  return Csr(count, cols, std::move(row_ptr), Indices(std::move(narrow)), std::move(values));
}

}  // namespace warpspy
