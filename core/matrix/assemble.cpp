// From entries in any order to CSR.
//
// A two-level stable counting sort. First the entries are partitioned by groups of rows (a few hundred write streams,
// so that caches and TLB keep up), then every group, which is small, is sorted by row straight into its final place.
// Both passes are stable, so duplicates are summed in the order of the input: the result does not depend on the number
// of threads. Rows that arrive sorted by column (column-major files do) are recognised and not sorted again.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "core/matrix/csr.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;  // entries per block of the first pass, at least
constexpr index_t kGroups = 512;                      // groups of rows, at most

using Range = tbb::blocked_range<std::size_t>;

// What the order of the input spares us.
struct Order {
  bool by_row = true;          // rows never decrease
  bool increasing = true;      // (row, column) strictly increase: CSR already
  std::size_t bad = SIZE_MAX;  // first entry outside the matrix
};

template <class R, class C>
Order inspect(R row, C col, index_t rows, index_t cols) {
  return tbb::parallel_reduce(
      Range(0, row.size(), kBlock), Order{},
      [&](const Range& range, Order o) {
        for (std::size_t k = range.begin(); k < range.end(); ++k) {
          const index_t i = row[k], j = col[k];
          if (i < 0 || i >= rows || j < 0 || j >= cols) {
            o.bad = std::min(o.bad, k);
            break;
          }
          if (k == 0) continue;
          const index_t before = row[k - 1];
          o.by_row = o.by_row && before <= i;
          o.increasing = o.increasing && (before < i || (before == i && col[k - 1] < j));
        }
        return o;
      },
      [](Order a, const Order& b) {
        return Order{a.by_row && b.by_row, a.increasing && b.increasing, std::min(a.bad, b.bad)};
      });
}

template <class R>
std::vector<index_t> row_pointers_of_sorted(R row, index_t rows) {
  std::vector<index_t> ptr = zeroed<index_t>(static_cast<std::size_t>(rows) + 1);
  const std::size_t n = row.size();
  // Entry k opens every row after that of entry k-1 up to its own.
  tbb::parallel_for(Range(0, n, kBlock), [&](const Range& range) {
    for (std::size_t k = range.begin(); k < range.end(); ++k) {
      const index_t from = k == 0 ? 0 : static_cast<index_t>(row[k - 1]) + 1;
      for (index_t i = from; i <= static_cast<index_t>(row[k]); ++i) ptr[i] = static_cast<index_t>(k);
    }
  });
  const index_t from = n == 0 ? 0 : static_cast<index_t>(row[n - 1]) + 1;
  std::fill(ptr.begin() + from, ptr.end(), static_cast<index_t>(n));
  return ptr;
}

// One row in the output arrays, sorted by column in place; equal columns keep their order.
template <class I, bool kComplex>
class RowSorter {
 public:
  RowSorter(I* col, double* value, double* imag) : col_(col), value_(value), imag_(imag) {}

  void sort(index_t begin, index_t end) {
    if (std::is_sorted(col_ + begin, col_ + end)) return;
    if (end - begin <= 24) return insertion(begin, end);
    scratch_.resize(static_cast<std::size_t>(end - begin));
    for (index_t k = begin; k < end; ++k) scratch_[k - begin] = {col_[k], k, value_[k], kComplex ? imag_[k] : 0.0};
    std::sort(scratch_.begin(), scratch_.end(),
              [](const Item& a, const Item& b) { return a.col != b.col ? a.col < b.col : a.at < b.at; });
    for (index_t k = begin; k < end; ++k) {
      const Item& item = scratch_[k - begin];
      col_[k] = item.col;
      value_[k] = item.value;
      if constexpr (kComplex) imag_[k] = item.imag;
    }
  }

  // Sums equal neighbours to the front of the row; returns the number of entries left.
  index_t merge(index_t begin, index_t end) {
    index_t out = begin;
    for (index_t k = begin; k < end; ++k) {
      if (out > begin && col_[out - 1] == col_[k]) {
        value_[out - 1] += value_[k];
        if constexpr (kComplex) imag_[out - 1] += imag_[k];
        continue;
      }
      if (out != k) move(out, k);
      ++out;
    }
    return out - begin;
  }

  void move(index_t to, index_t from) {
    col_[to] = col_[from];
    value_[to] = value_[from];
    if constexpr (kComplex) imag_[to] = imag_[from];
  }

 private:
  struct Item {
    I col;
    index_t at;
    double value, imag;
  };

  void insertion(index_t begin, index_t end) {
    for (index_t k = begin + 1; k < end; ++k) {
      const I c = col_[k];
      if (col_[k - 1] <= c) continue;
      const double v = value_[k];
      [[maybe_unused]] const double w = kComplex ? imag_[k] : 0.0;
      index_t at = k;
      for (; at > begin && col_[at - 1] > c; --at) move(at, at - 1);
      col_[at] = c;
      value_[at] = v;
      if constexpr (kComplex) imag_[at] = w;
    }
  }

  I* col_;
  double *value_, *imag_;
  std::vector<Item> scratch_;
};

template <class I, bool kComplex>
struct Arrays {
  std::vector<index_t> ptr;
  std::vector<I> col;
  std::vector<double> value, imag;
};

// Sorts every row by column and sums duplicates; returns how many were summed into another.
template <class I, bool kComplex>
index_t finish_rows(Arrays<I, kComplex>& a, index_t first, index_t last, std::vector<index_t>& kept) {
  RowSorter<I, kComplex> sorter(a.col.data(), a.value.data(), a.imag.data());
  index_t merged = 0;
  for (index_t i = first; i < last; ++i) {
    const index_t begin = a.ptr[i], end = a.ptr[i + 1];
    if (end - begin < 2) continue;
    sorter.sort(begin, end);
    if (std::adjacent_find(a.col.begin() + begin, a.col.begin() + end) == a.col.begin() + end) continue;
    const index_t left = sorter.merge(begin, end);
    merged += end - begin - left;
    kept.push_back(i);
    kept.push_back(left);
  }
  return merged;
}

// Closes the gaps that merging left. `kept` holds (row, entries left) for the rows that shrank, by increasing row.
template <class I, bool kComplex>
void compact(Arrays<I, kComplex>& a, const std::vector<index_t>& kept) {
  const auto rows = static_cast<index_t>(a.ptr.size()) - 1;
  index_t out = 0;
  std::size_t next = 0;
  for (index_t i = 0; i < rows; ++i) {
    const index_t begin = a.ptr[i];
    index_t length = a.ptr[i + 1] - begin;
    if (next < kept.size() && kept[next] == i) {
      length = kept[next + 1];
      next += 2;
    }
    a.ptr[i] = out;
    if (out != begin) {
      std::copy_n(a.col.begin() + begin, length, a.col.begin() + out);
      std::copy_n(a.value.begin() + begin, length, a.value.begin() + out);
      if constexpr (kComplex) std::copy_n(a.imag.begin() + begin, length, a.imag.begin() + out);
    }
    out += length;
  }
  a.ptr[rows] = out;
  a.col.resize(out);
  a.value.resize(out);
  if constexpr (kComplex) a.imag.resize(out);
}

// The second half of both ways in: rows are together, columns in any order.
template <class I, bool kComplex>
index_t finish(Arrays<I, kComplex>& a, const std::vector<index_t>& group_first_row) {
  const std::size_t groups = group_first_row.size() - 1;
  std::vector<std::vector<index_t>> kept(groups);
  std::atomic<index_t> merged{0};
  tbb::parallel_for(std::size_t{0}, groups, [&](std::size_t g) {
    merged += finish_rows(a, group_first_row[g], group_first_row[g + 1], kept[g]);
  });
  if (merged == 0) return 0;
  std::vector<index_t> all;
  for (const auto& k : kept) all.insert(all.end(), k.begin(), k.end());
  compact(a, all);
  return merged;
}

template <class I, bool kComplex>
struct Entry {
  I row, col;
  double value;
};
template <class I>
struct Entry<I, true> {
  I row, col;
  double value, imag;
};

// Rows per group as a power of two, so that a group is a shift away.
int group_shift(index_t rows) {
  int shift = 0;
  while ((rows >> shift) >= kGroups) ++shift;
  return shift;
}

// First pass: a stable partition into groups of rows. Returns the entries and, per group, where it begins.
template <class I, bool kComplex>
std::unique_ptr<Entry<I, kComplex>[]> partition(const Coo& coo, int shift, std::size_t groups,
                                                std::vector<std::size_t>& begin) {
  const std::size_t n = coo.values.size();
  const std::size_t blocks = std::clamp<std::size_t>(n / kBlock, 1, 256);
  const auto edge = [&](std::size_t b) { return n / blocks * b + std::min(b, n % blocks); };
  std::vector<std::size_t> at(blocks * groups, 0);
  std::unique_ptr<Entry<I, kComplex>[]> out(new Entry<I, kComplex>[n]);
  prefer_huge_pages(out.get(), n * sizeof(Entry<I, kComplex>));
  coo.row.visit([&](auto row) {
    tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t b) {
      std::size_t* count = &at[b * groups];
      for (std::size_t k = edge(b); k < edge(b + 1); ++k) ++count[static_cast<index_t>(row[k]) >> shift];
    });
    begin.assign(groups + 1, 0);
    std::size_t total = 0;
    for (std::size_t g = 0; g < groups; ++g) {
      begin[g] = total;
      for (std::size_t b = 0; b < blocks; ++b) {
        const std::size_t count = at[b * groups + g];
        at[b * groups + g] = total;
        total += count;
      }
    }
    begin[groups] = total;
    coo.col.visit([&](auto col) {
      tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t b) {
        std::size_t* next = &at[b * groups];
        for (std::size_t k = edge(b); k < edge(b + 1); ++k) {
          auto& e = out[next[static_cast<index_t>(row[k]) >> shift]++];
          e.row = static_cast<I>(row[k]);
          e.col = static_cast<I>(col[k]);
          e.value = coo.values[k];
          if constexpr (kComplex) e.imag = coo.imag[k];
        }
      });
    });
  });
  return out;
}

template <class I, bool kComplex>
Arrays<I, kComplex> sort_by_row(Coo coo, std::vector<index_t>& group_first_row) {
  const index_t rows = coo.rows;
  const int shift = group_shift(rows);
  const auto groups = static_cast<std::size_t>((rows + (index_t{1} << shift) - 1) >> shift);
  const std::size_t n = coo.values.size();
  std::vector<std::size_t> begin;
  const auto entries = partition<I, kComplex>(coo, shift, groups, begin);
  coo = Coo{};  // half of the peak: gone before the output is allocated

  Arrays<I, kComplex> a;
  a.ptr = zeroed<index_t>(static_cast<std::size_t>(rows) + 1);
  a.col = zeroed<I>(n);
  a.value = zeroed<double>(n);
  if constexpr (kComplex) a.imag = zeroed<double>(n);
  group_first_row.resize(groups + 1);
  for (std::size_t g = 0; g <= groups; ++g) group_first_row[g] = std::min(rows, static_cast<index_t>(g) << shift);

  tbb::parallel_for(std::size_t{0}, groups, [&](std::size_t g) {
    const index_t first = group_first_row[g], last = group_first_row[g + 1];
    std::vector<index_t> next(static_cast<std::size_t>(last - first) + 1, 0);
    for (std::size_t k = begin[g]; k < begin[g + 1]; ++k) ++next[entries[k].row - first + 1];
    next[0] = static_cast<index_t>(begin[g]);
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    std::copy(next.begin() + 1, next.end(), a.ptr.begin() + first + 1);
    for (std::size_t k = begin[g]; k < begin[g + 1]; ++k) {
      const auto& e = entries[k];
      const index_t to = next[e.row - first]++;
      a.col[to] = e.col;
      a.value[to] = e.value;
      if constexpr (kComplex) a.imag[to] = e.imag;
    }
  });
  return a;
}

// Columns leave in the width that the number of columns asks for, whatever width the entries had.
template <class I>
Indices as_columns(std::vector<I> col, index_t cols) {
  const bool want32 = Indices::fits32(cols);
  if (want32 == (sizeof(I) == 4)) return Indices(std::move(col));
  if (want32) return Indices(std::vector<std::int32_t>(col.begin(), col.end()));
  return Indices(std::vector<std::int64_t>(col.begin(), col.end()));
}

template <class I, bool kComplex>
Csr assemble(Coo coo, const Order& order, index_t* duplicates) {
  const index_t rows = coo.rows, cols = coo.cols;
  Arrays<I, kComplex> a;
  std::vector<index_t> group_first_row;
  if (order.by_row) {
    a.ptr = coo.row.visit([&](auto row) { return row_pointers_of_sorted(row, rows); });
    coo.row = Indices();
    coo.col.visit_mut([&](auto col) { a.col.assign(col.begin(), col.end()); });
    coo.col = Indices();
    a.value = std::move(coo.values);
    a.imag = std::move(coo.imag);
    const index_t step = std::max<index_t>(1, rows / kGroups);
    for (index_t i = 0; i < rows; i += step) group_first_row.push_back(i);
    group_first_row.push_back(rows);
  } else {
    a = sort_by_row<I, kComplex>(std::move(coo), group_first_row);
  }
  const index_t merged = finish(a, group_first_row);
  if (duplicates) *duplicates = merged;
  return Csr(rows, cols, std::move(a.ptr), as_columns(std::move(a.col), cols), std::move(a.value), std::move(a.imag));
}

void check_shape(const Coo& coo) {
  if (coo.rows < 0 || coo.cols < 0) throw Error("a matrix cannot have a negative size");
  const std::size_t n = coo.values.size();
  if (coo.row.size() != n || coo.col.size() != n || (!coo.imag.empty() && coo.imag.size() != n))
    throw Error("rows, columns and values of the entries differ in number");
}

Csr already_csr(Coo coo) {
  auto ptr = coo.row.visit([&](auto row) { return row_pointers_of_sorted(row, coo.rows); });
  coo.row = Indices();
  if (coo.col.is32() != Indices::fits32(coo.cols)) {
    Indices wanted = Indices::sized(coo.cols, coo.col.size());
    wanted.visit_mut([&](auto to) {
      using To = typename decltype(to)::value_type;
      for (std::size_t k = 0; k < to.size(); ++k) to[k] = static_cast<To>(coo.col[k]);
    });
    coo.col = std::move(wanted);
  }
  return Csr(coo.rows, coo.cols, std::move(ptr), std::move(coo.col), std::move(coo.values), std::move(coo.imag));
}

}  // namespace

Csr csr_from_coo(Coo coo, index_t* duplicates) {
  check_shape(coo);
  if (duplicates) *duplicates = 0;
  const Order order = coo.row.visit(
      [&](auto row) { return coo.col.visit([&](auto col) { return inspect(row, col, coo.rows, coo.cols); }); });
  if (order.bad != SIZE_MAX)
    throw Error("entry " + std::to_string(order.bad) + " is at row " + std::to_string(coo.row[order.bad]) +
                ", column " + std::to_string(coo.col[order.bad]) + " (counted from 0), outside a " +
                std::to_string(coo.rows) + " x " + std::to_string(coo.cols) + " matrix");
  if (order.increasing) return already_csr(std::move(coo));

  const bool wide = !Indices::fits32(coo.rows) || !Indices::fits32(coo.cols);
  const bool complex = !coo.imag.empty();
  if (wide) {
    return complex ? assemble<std::int64_t, true>(std::move(coo), order, duplicates)
                   : assemble<std::int64_t, false>(std::move(coo), order, duplicates);
  }
  return complex ? assemble<std::int32_t, true>(std::move(coo), order, duplicates)
                 : assemble<std::int32_t, false>(std::move(coo), order, duplicates);
}

}  // namespace warpspy
