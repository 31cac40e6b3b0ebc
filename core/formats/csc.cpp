// Two stable algorithms. If blocks of rows touch few columns each (bands, stencils), every block knows where its part
// of every column begins and writes its entries there directly. Otherwise a two-level counting sort, as in
// csr_from_coo. First entries go into groups of columns: a few hundred write streams, so that caches and TLB keep up.
// Then every small group is sorted by column into its final place.
#include "core/formats/csc.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

constexpr index_t kGroups = 512;  // groups of columns, at most
constexpr index_t kColumnBlock = 8192;

template <class T, class R, class C>
struct Entry {
  R row;
  C column;
  T value;
};
std::size_t entry_bytes(const Csr& a, Precision precision) {
  const std::size_t index = std::max(IndexArray::width(a.rows()), IndexArray::width(a.cols()));
  return index == 4 ? 8 + static_cast<std::size_t>(bytes_of(precision)) : 24;
}

int group_shift(index_t cols) {
  int shift = 0;
  while ((cols >> shift) >= kGroups) ++shift;
  return shift;
}

// Borders of blocks of rows with similar numbers of entries.
std::vector<index_t> row_blocks(const Csr& a) {
  const index_t blocks = std::clamp<index_t>(a.nnz() / kEntryBlock, 1, 256);
  std::vector<index_t> edges{0};
  for (index_t b = 1; b < blocks; ++b) {
    const auto at = std::lower_bound(a.row_ptr().begin(), a.row_ptr().end(), a.nnz() / blocks * b);
    edges.push_back(std::max(edges.back(), static_cast<index_t>(at - a.row_ptr().begin())));
  }
  edges.push_back(a.rows());
  return edges;
}

template <class T, class R, class P>
struct Target {
  std::span<T> values;
  std::span<R> rows;
  std::span<P> col_ptr;
};

// The columns that a block of rows touches, and the position of its next entry in each.
template <class P>
struct Reach {
  index_t low = 0, high = 0;
  std::vector<P> next;
};

// Returns false and does nothing if the blocks together would need more than nnz counters.
template <class T, class C, class R, class P>
bool by_blocks(const TypedCsr<T, C>& s, const std::vector<index_t>& edge, const Target<T, R, P>& to,
               Progress& progress) {
  const auto blocks = static_cast<index_t>(edge.size()) - 1;
  const index_t cols = s.a.cols();
  std::vector<Reach<P>> reach(static_cast<std::size_t>(blocks));
  std::atomic<index_t> counters{0};
  for_blocks(blocks, 1, progress, [&](index_t b, index_t) {
    if (counters > s.a.nnz()) return;
    Reach<P>& r = reach[b];
    r.low = cols;
    for (index_t row = edge[b]; row < edge[b + 1]; ++row) {
      if (s.length(row) == 0) continue;
      r.low = std::min<index_t>(r.low, s.columns[s.ptr[row]]);
      r.high = std::max<index_t>(r.high, s.columns[s.ptr[row + 1] - 1] + 1);
    }
    r.high = std::max(r.low, r.high);
    if ((counters += r.high - r.low) > s.a.nnz()) return;
    r.next.assign(static_cast<std::size_t>(r.high - r.low), 0);
    for (index_t k = s.ptr[edge[b]]; k < s.ptr[edge[b + 1]]; ++k) ++r.next[static_cast<index_t>(s.columns[k]) - r.low];
  });
  if (counters > s.a.nnz()) return false;

  // Column by column, and in each column the blocks in order.
  const auto each_reach = [&](index_t first, index_t last, auto&& f) {
    for (Reach<P>& r : reach)
      for (index_t c = std::max(first, r.low); c < std::min(last, r.high); ++c) f(c, r.next[c - r.low]);
  };
  const auto entries_in = [&](index_t first, index_t last) {
    index_t sum = 0;
    each_reach(first, last, [&](index_t, P count) { sum += count; });
    return sum;
  };
  to.col_ptr[cols] = static_cast<P>(s.a.nnz());
  for_blocks_placed(cols, kColumnBlock, progress, entries_in, [&](index_t first, index_t last, index_t begin) {
    P* next = to.col_ptr.data();
    std::fill(next + first, next + last, P{0});
    each_reach(first, last, [&](index_t c, P count) { next[c] += count; });
    for (index_t c = first; c < last; ++c) begin += std::exchange(next[c], static_cast<P>(begin));
    // The start of each column must not change, so a copy advances from block to block.
    std::vector<P> at(next + first, next + last);
    each_reach(first, last, [&](index_t c, P& count) { at[c - first] += std::exchange(count, at[c - first]); });
  });

  for_blocks(blocks, 1, progress, [&](index_t b, index_t) {
    P* next = reach[b].next.data();
    const index_t low = reach[b].low;
    s.check_rows(edge[b], edge[b + 1]);
    for (index_t row = edge[b]; row < edge[b + 1]; ++row)
      for (index_t k = s.ptr[row]; k < s.ptr[row + 1]; ++k) {
        const P at = next[static_cast<index_t>(s.columns[k]) - low]++;
        to.rows[at] = static_cast<R>(row);
        to.values[at] = s.value(k);
      }
  });
  return true;
}

template <class T, class C, class R, class P>
void by_groups(const TypedCsr<T, C>& s, const std::vector<index_t>& edge, const Target<T, R, P>& to,
               Progress& progress) {
  const Csr& a = s.a;
  const int shift = group_shift(a.cols());
  const index_t width = index_t{1} << shift, groups = divided_up(a.cols(), width);
  const auto blocks = static_cast<index_t>(edge.size()) - 1;
  std::vector<index_t> at(static_cast<std::size_t>(blocks * groups), 0), begin(static_cast<std::size_t>(groups) + 1);
  for_blocks(blocks, 1, progress, [&](index_t b, index_t) {
    index_t* count = at.data() + b * groups;
    for (index_t k = s.ptr[edge[b]]; k < s.ptr[edge[b + 1]]; ++k) ++count[s.columns[k] >> shift];
  });
  index_t total = 0;
  for (index_t g = 0; g < groups; ++g) {
    begin[g] = total;
    for (index_t b = 0; b < blocks; ++b) total += std::exchange(at[b * groups + g], total);
  }
  begin[groups] = total;

  Buffer<Entry<T, R, C>> entries(static_cast<std::size_t>(a.nnz()));
  const auto parted = entries.span();
  for_blocks(blocks, 1, progress, [&](index_t b, index_t) {
    index_t* next = at.data() + b * groups;
    s.check_rows(edge[b], edge[b + 1]);
    for (index_t row = edge[b]; row < edge[b + 1]; ++row)
      for (index_t k = s.ptr[row]; k < s.ptr[row + 1]; ++k) {
        const C column = s.columns[k];
        parted[next[column >> shift]++] = {static_cast<R>(row), column, s.value(k)};
      }
  });
  to.col_ptr[a.cols()] = static_cast<P>(a.nnz());
  for_blocks(groups, 1, progress, [&](index_t g, index_t) {
    const index_t first = g << shift, columns = std::min(a.cols() - first, width);
    std::vector<index_t> next(static_cast<std::size_t>(columns) + 1, 0);
    for (index_t k = begin[g]; k < begin[g + 1]; ++k) ++next[parted[k].column - first + 1];
    next[0] = begin[g];
    for (index_t c = 1; c <= columns; ++c) next[c] += next[c - 1];
    for (index_t c = 0; c < columns; ++c) to.col_ptr[first + c] = static_cast<P>(next[c]);
    for (index_t k = begin[g]; k < begin[g + 1]; ++k) {
      const auto& e = parted[k];
      const index_t at_end = next[e.column - first]++;
      to.rows[at_end] = e.row;
      to.values[at_end] = e.value;
    }
  });
}

}  // namespace

Estimate csc_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  checked_params({}, params);
  const Csr& a = facts.csr();
  return {{values_size("values", a.nnz(), precision), index_size("rows", Kind::indices, a.nnz(), a.rows()),
           index_size("col_ptr", Kind::pointers, a.cols() + 1, a.nnz())},
          a.nnz(),
          0,
          {},
          saturating_bytes(a.nnz(), entry_bytes(a, precision))};
}

CscFormat::CscFormat(const Csr& a, Precision precision, RealView view, Progress& progress)
    : Format(a), col_ptr_(a.nnz(), a.cols() + 1), rows_(a.rows(), a.nnz()), values_(precision, a.nnz()) {
  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    rows_.visit_mut([&]<class R>(std::span<R> rows) {
      col_ptr_.visit_mut([&]<class P>(std::span<P> col_ptr) {
        const Target<T, R, P> to{values_.as_mut<T>(), rows, col_ptr};
        const std::vector<index_t> edge = row_blocks(a);
        if (!by_blocks(s, edge, to, progress)) by_groups(s, edge, to, progress);
      });
    });
  });
}

std::vector<ArrayView> CscFormat::arrays() const {
  return {view_of("values", values_, {nnz()}, 0), view_of("rows", Kind::indices, rows_, {nnz()}, 0),
          view_of("col_ptr", Kind::pointers, col_ptr_, {cols() + 1})};
}

void CscFormat::for_each_slot(const SlotVisitor& visit) const {
  for (index_t column = 0; column < cols(); ++column)
    for (index_t k = col_ptr_[column]; k < col_ptr_[column + 1]; ++k) visit({0, k, rows_[k], column, values_[k]});
}

std::shared_ptr<const Format> csc_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress) {
  require_memory("csc", csc_estimate(facts, precision, params), facts, precision);
  return std::make_shared<CscFormat>(facts.csr(), precision, view, progress);
}

FormatInfo csc_info() {
  return {.id = "csc",
          .label = "CSC",
          .help = "Values and row indices column after column, and where each column begins: the CSR of the transpose.",
          .source = "Steinberger et al. 2016, section 2"};
}

}  // namespace warpspy
