// A two-level stable counting sort, as csr_from_coo does it: first by groups of columns (a few hundred write streams,
// so that caches and TLB keep up), then every group, which is small, by column straight into its final place.
#include "core/formats/csc.hpp"

#include <algorithm>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

constexpr index_t kGroups = 512;  // groups of columns, at most

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

// Edges of blocks of rows of about as many entries each.
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

}  // namespace

Estimate csc_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  checked_params({}, params);
  const Csr& a = facts.csr();
  return {{values_size("values", a.nnz(), precision), index_size("rows", Role::indices, a.nnz(), a.rows()),
           index_size("col_ptr", Role::pointers, a.cols() + 1, a.nnz())},
          a.nnz(),
          0,
          {},
          saturating_bytes(a.nnz(), entry_bytes(a, precision))};
}

CscFormat::CscFormat(const Csr& a, Precision precision, RealView view, Progress& progress)
    : Format(a), col_ptr_(a.nnz(), a.cols() + 1), rows_(a.rows(), a.nnz()), values_(precision, a.nnz()) {
  const int shift = group_shift(a.cols());
  const index_t width = index_t{1} << shift, groups = divided_up(a.cols(), width);
  const std::vector<index_t> edge = row_blocks(a);
  const auto blocks = static_cast<index_t>(edge.size()) - 1;
  std::vector<index_t> at(static_cast<std::size_t>(blocks * groups), 0), begin(static_cast<std::size_t>(groups) + 1);

  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
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

    const std::span<T> values = values_.as_mut<T>();
    rows_.visit_mut([&]<class R>(std::span<R> rows) {
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
      col_ptr_.visit_mut([&]<class P>(std::span<P> col_ptr) {
        col_ptr[a.cols()] = static_cast<P>(a.nnz());
        for_blocks(groups, 1, progress, [&](index_t g, index_t) {
          const index_t first = g << shift, columns = std::min(a.cols() - first, width);
          std::vector<index_t> next(static_cast<std::size_t>(columns) + 1, 0);
          for (index_t k = begin[g]; k < begin[g + 1]; ++k) ++next[parted[k].column - first + 1];
          next[0] = begin[g];
          for (index_t c = 1; c <= columns; ++c) next[c] += next[c - 1];
          for (index_t c = 0; c < columns; ++c) col_ptr[first + c] = static_cast<P>(next[c]);
          for (index_t k = begin[g]; k < begin[g + 1]; ++k) {
            const auto& e = parted[k];
            const index_t to = next[e.column - first]++;
            rows[to] = e.row;
            values[to] = e.value;
          }
        });
      });
    });
  });
}

std::vector<ArrayView> CscFormat::arrays() const {
  return {view_of("values", values_, {nnz()}, 0), view_of("rows", Role::indices, rows_, {nnz()}, 0),
          view_of("col_ptr", Role::pointers, col_ptr_, {cols() + 1})};
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
  return {"csc",
          "CSC",
          "Values and row indices column after column, and where each column begins: the CSR of the transpose.",
          "Steinberger et al. 2016, section 2",
          {}};
}

}  // namespace warpspy
