#include "core/reorder/permutation.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "core/matrix/memory_guard.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy {
namespace {

using Rows = tbb::blocked_range<index_t>;

void check_list(const std::vector<index_t>& order, index_t size, const char* what) {
  if (order.empty()) return;
  if (static_cast<index_t>(order.size()) != size)
    throw Error("the permutation has " + std::to_string(order.size()) + " " + what + "s, the matrix " +
                std::to_string(size));
  std::vector<bool> seen(order.size(), false);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const index_t to = order[k];
    const std::string place = std::string(what) + " " + std::to_string(to) + " (counted from 0)";
    if (to < 0 || to >= size) throw Error("the permutation names " + place + ", which the matrix has not");
    if (seen[to]) throw Error("the permutation names " + place + " twice");
    seen[to] = true;
  }
}

// The columns of one row, renumbered and sorted, with their values.
template <class From>
class RowMover {
 public:
  RowMover(const Csr& a, From from, const std::vector<index_t>& new_column)
      : a_(a), from_(from), new_column_(new_column) {}

  template <class Column>
  void move(index_t old_row, Column* columns, double* values, double* imag) {
    const index_t begin = a_.row_ptr()[old_row], length = a_.row_length(old_row);
    order_.resize(static_cast<std::size_t>(length));
    for (index_t k = 0; k < length; ++k) {
      const index_t col = from_[begin + k];
      order_[k] = {new_column_.empty() ? col : new_column_[col], begin + k};
    }
    if (!new_column_.empty()) std::sort(order_.begin(), order_.end());  // columns differ: positions decide nothing
    for (index_t k = 0; k < length; ++k) {
      columns[k] = static_cast<Column>(order_[k].first);
      values[k] = a_.values()[order_[k].second];
      if (imag) imag[k] = a_.imag()[order_[k].second];
    }
  }

 private:
  const Csr& a_;
  From from_;
  const std::vector<index_t>& new_column_;
  std::vector<std::pair<index_t, index_t>> order_;  // new column, position
};

}  // namespace

void check_permutation(const Permutation& p, index_t rows, index_t cols) {
  check_list(p.row, rows, "row");
  check_list(p.col, cols, "column");
}

std::vector<index_t> inverse(const std::vector<index_t>& order) {
  std::vector<index_t> result = zeroed<index_t>(order.size());
  tbb::parallel_for(std::size_t{0}, order.size(), [&](std::size_t k) { result[order[k]] = static_cast<index_t>(k); });
  return result;
}

Permutation inverse(const Permutation& p) { return {inverse(p.row), inverse(p.col)}; }

Csr apply(const Csr& a, const Permutation& p, Progress& progress) {
  check_permutation(p, a.rows(), a.cols());
  progress.check();
  const MemoryReservation reservation(
      static_cast<double>(a.bytes()) + sizeof(index_t) * static_cast<double>(p.col.size()),
      "the matrix in its new order");
  const auto old_row = [&](index_t row) { return p.row.empty() ? row : p.row[row]; };
  const std::vector<index_t> new_column = inverse(p.col);
  std::vector<index_t> row_ptr = zeroed<index_t>(static_cast<std::size_t>(a.rows()) + 1);
  for (index_t row = 0; row < a.rows(); ++row) row_ptr[row + 1] = row_ptr[row] + a.row_length(old_row(row));

  const auto nnz = static_cast<std::size_t>(a.nnz());
  Indices columns = Indices::sized(a.cols(), nnz);
  std::vector<double> values = zeroed<double>(nnz), imag = zeroed<double>(a.is_complex() ? nnz : 0);
  // About 2^16 entries per block, so that cancelling takes effect soon.
  const index_t grain = std::max<index_t>(1, a.rows() / std::max<index_t>(1, (a.nnz() + a.rows()) >> 16));
  std::atomic<index_t> done{0};
  columns.visit_mut([&](auto to) {
    a.columns().visit([&](auto from) {
      tbb::parallel_for(
          Rows(0, a.rows(), grain),
          [&](const Rows& range) {
            progress.check();
            RowMover mover(a, from, new_column);
            for (index_t row = range.begin(); row < range.end(); ++row)
              mover.move(old_row(row), to.data() + row_ptr[row], values.data() + row_ptr[row],
                         imag.empty() ? nullptr : imag.data() + row_ptr[row]);
            done += static_cast<index_t>(range.size());
            progress.set(static_cast<double>(done) / static_cast<double>(a.rows()));
          },
          tbb::simple_partitioner{});
    });
  });
  return Csr(a.rows(), a.cols(), std::move(row_ptr), std::move(columns), std::move(values), std::move(imag));
}

Envelope envelope_of(const Csr& a) {
  if (a.rows() != a.cols())
    throw Error("only a square matrix has a profile; this one is " + std::to_string(a.rows()) + " x " +
                std::to_string(a.cols()));
  std::vector<index_t> first(static_cast<std::size_t>(a.rows()));
  std::iota(first.begin(), first.end(), index_t{0});
  Envelope e;
  a.columns().visit([&](auto columns) {
    for (index_t row = 0; row < a.rows(); ++row) {
      const index_t begin = a.row_ptr()[row], end = a.row_ptr()[row + 1];
      if (begin == end) continue;
      first[row] = std::min<index_t>(first[row], columns[begin]);
      // Only right of the diagonal, from the far end: the mirrors of these entries are in later rows.
      for (index_t k = end - 1; k >= begin && columns[k] > row; --k)
        first[columns[k]] = std::min(first[columns[k]], row);
    }
  });
  for (index_t row = 0; row < a.rows(); ++row) {
    e.bandwidth = std::max(e.bandwidth, row - first[row]);
    e.profile += row - first[row];
  }
  return e;
}

}  // namespace warpspy
