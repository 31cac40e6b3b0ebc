#include "core/matrix/csr.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>

#include "core/matrix/pages.hpp"

namespace warpspy {

Indices Indices::sized(index_t dimension, std::size_t count) {
  if (fits32(dimension)) return Indices(zeroed<std::int32_t>(count));
  return Indices(zeroed<std::int64_t>(count));
}

namespace {

void require(bool ok, const std::string& what) {
  if (!ok) throw Error("not a valid CSR matrix: " + what);
}

template <class Span>
index_t bad_row(Span columns, const std::vector<index_t>& row_ptr, index_t cols) {
  const auto rows = static_cast<index_t>(row_ptr.size()) - 1;
  return tbb::parallel_reduce(
      tbb::blocked_range<index_t>(0, rows, 4096), rows,
      [&](const tbb::blocked_range<index_t>& range, index_t bad) {
        for (index_t i = range.begin(); i < range.end(); ++i) {
          index_t previous = -1;
          bool ok = true;
          for (index_t k = row_ptr[i]; k < row_ptr[i + 1]; ++k) {
            const index_t col = columns[k];
            ok &= col > previous && col < cols;
            previous = col;
          }
          if (!ok) return std::min(bad, i);
        }
        return bad;
      },
      [](index_t a, index_t b) { return std::min(a, b); });
}

void check_columns(const Indices& columns, const std::vector<index_t>& row_ptr, index_t cols) {
  const index_t row = columns.visit([&](auto span) { return bad_row(span, row_ptr, cols); });
  require(row + 1 == static_cast<index_t>(row_ptr.size()),
          "the columns of row " + std::to_string(row) + " do not increase within 0 to " + std::to_string(cols - 1));
}

}  // namespace

Csr::Csr(index_t rows, index_t cols, std::vector<index_t> row_ptr, Indices columns, std::vector<double> values,
         std::vector<double> imag)
    : rows_(rows),
      cols_(cols),
      row_ptr_(std::move(row_ptr)),
      columns_(std::move(columns)),
      values_(std::move(values)),
      imag_(std::move(imag)) {
  require(rows_ >= 0 && cols_ >= 0, "negative size");
  require(row_ptr_.size() == static_cast<std::size_t>(rows_) + 1, "row pointers need rows + 1 entries");
  require(row_ptr_.front() == 0, "the first row pointer is not 0");
  require(std::is_sorted(row_ptr_.begin(), row_ptr_.end()), "row pointers decrease");
  const auto entries = static_cast<std::size_t>(row_ptr_.back());
  require(columns_.size() == entries && values_.size() == entries, "columns and values need nnz entries");
  require(imag_.empty() || imag_.size() == entries, "imaginary parts need nnz entries");
  check_columns(columns_, row_ptr_, cols_);
}

std::size_t Csr::bytes() const {
  return row_ptr_.size() * sizeof(index_t) + columns_.bytes() + (values_.size() + imag_.size()) * sizeof(double);
}

double Csr::real_value(index_t k, RealView view) const {
  if (!is_complex() || view == RealView::real_part) return values_[k];
  return std::hypot(values_[k], imag_[k]);
}

index_t Csr::find(index_t row, index_t col) const {
  return columns_.visit([&](auto span) -> index_t {
    const auto first = span.begin() + row_ptr_[row], last = span.begin() + row_ptr_[row + 1];
    const auto at = std::lower_bound(first, last, col);
    return at != last && *at == col ? at - span.begin() : -1;
  });
}

}  // namespace warpspy
