// Makes CSR from entries in any order.
//
// A two-level stable counting sort. First the entries are divided into groups of rows: a few hundred write streams, so
// that caches and TLB keep up. Then every small group is sorted by row into its final place. Both passes are stable, so
// duplicates are summed in the order of the input, and the result does not depend on the number of threads. Rows that
// arrive sorted by column (as in column-major files) are not sorted again.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/matrix/csr.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;  // the fewest entries per block of the first pass
constexpr index_t kGroups = 512;                      // groups of rows, at most

using Range = tbb::blocked_range<std::size_t>;

// What the order of the input makes unnecessary.
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
        // No branch per entry: which entry is out of range or out of order is searched only if there is one.
        bool outside = false, falls = false;
        for (std::size_t k = range.begin(); k < range.end(); ++k) {
          const index_t i = row[k], j = col[k];
          outside |= (i < 0) | (i >= rows) | (j < 0) | (j >= cols);
        }
        if (outside) {
          std::size_t k = range.begin();
          while (row[k] >= 0 && row[k] < rows && col[k] >= 0 && col[k] < cols) ++k;
          o.bad = std::min(o.bad, k);
        }
        const std::size_t second = std::max<std::size_t>(range.begin(), 1);
        if (o.by_row)
          for (std::size_t k = second; k < range.end(); ++k) falls |= row[k - 1] > row[k];
        o.by_row &= !falls;
        o.increasing &= o.by_row;
        for (std::size_t k = second; o.increasing && k < range.end(); ++k)
          o.increasing = row[k - 1] < row[k] || col[k - 1] < col[k];
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
  // Entry k sets the start of every row after that of entry k - 1, up to its own row.
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

// One row of the output arrays. Sorts it by column in place; equal columns keep their order.
template <class I, bool kComplex>
class RowSorter {
 public:
  RowSorter(I* col, double* value, double* imag) : col_(col), value_(value), imag_(imag) {}

  void sort(index_t begin, index_t end) {
    if (std::is_sorted(col_ + begin, col_ + end)) return;
    if (end - begin <= kShort) return by_rank(begin, static_cast<int>(end - begin));
    by_radix(begin, static_cast<std::size_t>(end - begin));
  }

  // Sums entries with equal columns; returns how many entries are left.
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
  static constexpr int kShort = 40;
  struct Plain {
    I col;
    double value;
  };
  struct Complex {
    I col;
    double value, imag;
  };
  using Item = std::conditional_t<kComplex, Complex, Plain>;

  Item item(index_t k) const {
    if constexpr (kComplex) {
      return {col_[k], value_[k], imag_[k]};
    } else {
      return {col_[k], value_[k]};
    }
  }
  void put(index_t k, const Item& item) {
    col_[k] = item.col;
    value_[k] = item.value;
    if constexpr (kComplex) imag_[k] = item.imag;
  }

  // Each entry moves to the position that is the number of smaller entries. This is quadratic, but has no branch to
  // predict, and the inner loop is vectorised.
  void by_rank(index_t begin, int n) {
    I col[kShort], rank[kShort] = {};
    double value[kShort];
    [[maybe_unused]] double imag[kShort];
    std::copy_n(col_ + begin, n, col);
    std::copy_n(value_ + begin, n, value);
    if constexpr (kComplex) std::copy_n(imag_ + begin, n, imag);
    for (int i = 1; i < n; ++i) {
      const I own = col[i];
      I before = 0;
      for (int j = 0; j < i; ++j) {
        const I is_before = col[j] <= own;
        before += is_before;
        rank[j] += 1 - is_before;
      }
      rank[i] = before;
    }
    for (int i = 0; i < n; ++i) {
      const index_t to = begin + rank[i];
      col_[to] = col[i];
      value_[to] = value[i];
      if constexpr (kComplex) imag_[to] = imag[i];
    }
  }

  // Radix sort, least digit first, only over bits in which the columns differ. A digit has about as many values as the
  // row has entries.
  void by_radix(index_t begin, std::size_t n) {
    const auto [low, high] = std::minmax_element(col_ + begin, col_ + begin + n);
    const std::uint64_t least = static_cast<std::uint64_t>(*low);
    const int bits = std::bit_width(static_cast<std::uint64_t>(*high) - least);
    const int most = std::clamp(static_cast<int>(std::bit_width(n)) - 1, 4, 11);
    const int passes = (bits + most - 1) / most, digit = (bits + passes - 1) / passes;
    const std::uint64_t mask = (std::uint64_t{1} << digit) - 1;
    from_.resize(n);
    to_.resize(n);
    for (std::size_t k = 0; k < n; ++k) from_[k] = item(begin + static_cast<index_t>(k));
    for (int shift = 0; shift < bits; shift += digit) {
      next_.assign(mask + 1, 0);
      const auto at = [&](const Item& i) -> std::size_t& {
        return next_[((static_cast<std::uint64_t>(i.col) - least) >> shift) & mask];
      };
      for (const Item& i : from_) ++at(i);
      std::exclusive_scan(next_.begin(), next_.end(), next_.begin(), std::size_t{0});
      for (const Item& i : from_) to_[at(i)++] = i;
      from_.swap(to_);
    }
    for (std::size_t k = 0; k < n; ++k) put(begin + static_cast<index_t>(k), from_[k]);
  }

  I* col_;
  double *value_, *imag_;
  std::vector<Item> from_, to_;
  std::vector<std::size_t> next_;
};

template <class I, bool kComplex>
struct Arrays {
  std::vector<index_t> ptr;
  std::vector<I> col;
  std::vector<double> value, imag;
};

// Sorts rows first to last - 1, whose entries begin at `begin`, by column, and sums duplicates. Returns how many
// entries were summed into another one. Does not read a.ptr[first], which may belong to another task. `kept` gets (row,
// entries left) of rows that became shorter.
template <class I, bool kComplex>
index_t finish_rows(Arrays<I, kComplex>& a, index_t first, index_t last, index_t begin, std::vector<index_t>& kept) {
  RowSorter<I, kComplex> sorter(a.col.data(), a.value.data(), a.imag.data());
  index_t merged = 0;
  for (index_t i = first, end; i < last; ++i, begin = end) {
    end = a.ptr[i + 1];
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

// Closes the gaps that summing left. `kept` has (row, entries left) for the rows that became shorter, by increasing
// row.
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

// Rows that became shorter when duplicates were summed, by groups of rows.
struct Merged {
  explicit Merged(std::size_t groups) : kept(groups) {}
  std::vector<std::vector<index_t>> kept;  // rows that became shorter, from finish_rows
  std::atomic<index_t> entries{0};
};

template <class I, bool kComplex>
index_t close_gaps(Arrays<I, kComplex>& a, const Merged& merged) {
  if (merged.entries == 0) return 0;
  std::vector<index_t> all;
  for (const auto& k : merged.kept) all.insert(all.end(), k.begin(), k.end());
  compact(a, all);
  return merged.entries;
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

// The rows per group are a power of two, so that a shift finds the group of a row.
int group_shift(index_t rows) {
  int shift = 0;
  while ((rows >> shift) >= kGroups) ++shift;
  return shift;
}

// First pass: a stable partition into groups of rows. Returns the entries, and where each group begins.
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

// The output uses the memory of the input again: touching new memory costs more than sorting.
template <class I>
std::vector<I> room_in(Indices& indices, std::size_t n) {
  if (sizeof(I) == (indices.is32() ? 4 : 8)) return indices.take<I>();
  indices = Indices();
  return zeroed<I>(n);
}

template <class I, bool kComplex>
Arrays<I, kComplex> sort_by_row(Coo coo, index_t& merged) {
  const index_t rows = coo.rows;
  const int shift = group_shift(rows);
  const auto groups = static_cast<std::size_t>((rows + (index_t{1} << shift) - 1) >> shift);
  const std::size_t n = coo.values.size();
  std::vector<std::size_t> begin;
  const auto entries = partition<I, kComplex>(coo, shift, groups, begin);

  Arrays<I, kComplex> a;
  coo.row = Indices();
  a.col = room_in<I>(coo.col, n);
  a.value = std::move(coo.values);
  a.imag = std::move(coo.imag);
  a.ptr = zeroed<index_t>(static_cast<std::size_t>(rows) + 1);

  Merged shrunk(groups);
  tbb::parallel_for(std::size_t{0}, groups, [&](std::size_t g) {
    const index_t first = static_cast<index_t>(g) << shift, last = std::min(rows, first + (index_t{1} << shift));
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
    // While they are in the cache.
    shrunk.entries += finish_rows(a, first, last, static_cast<index_t>(begin[g]), shrunk.kept[g]);
  });
  merged = close_gaps(a, shrunk);
  return a;
}

// Rows are together already, columns in any order.
template <class I, bool kComplex>
Arrays<I, kComplex> sort_within_rows(Coo coo, index_t& merged) {
  const index_t rows = coo.rows;
  Arrays<I, kComplex> a;
  a.ptr = coo.row.visit([&](auto row) { return row_pointers_of_sorted(row, rows); });
  coo.row = Indices();
  if (sizeof(I) == (coo.col.is32() ? 4 : 8)) {
    a.col = coo.col.take<I>();
  } else {
    coo.col.visit([&](auto col) { a.col.assign(col.begin(), col.end()); });
    coo.col = Indices();
  }
  a.value = std::move(coo.values);
  a.imag = std::move(coo.imag);
  const index_t step = std::max<index_t>(1, rows / kGroups);
  Merged shrunk(static_cast<std::size_t>((rows + step - 1) / step));
  tbb::parallel_for(std::size_t{0}, shrunk.kept.size(), [&](std::size_t g) {
    const index_t first = static_cast<index_t>(g) * step;
    shrunk.entries += finish_rows(a, first, std::min(rows, first + step), a.ptr[first], shrunk.kept[g]);
  });
  merged = close_gaps(a, shrunk);
  return a;
}

// The columns of the result have the width that the number of columns needs, whatever width the entries had.
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
  index_t merged = 0;
  Arrays<I, kComplex> a = order.by_row ? sort_within_rows<I, kComplex>(std::move(coo), merged)
                                       : sort_by_row<I, kComplex>(std::move(coo), merged);
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
