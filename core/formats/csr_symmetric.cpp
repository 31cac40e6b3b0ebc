#include "core/formats/csr_symmetric.hpp"

#include <algorithm>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

index_t stored_of(const FormatFacts& facts) { return (facts.csr().nnz() + facts.symmetry().diagonal) / 2; }

// Entries of a row up to its diagonal: where the first one behind it stands.
index_t end_of(const Csr& a, index_t row) {
  return a.columns().visit([&](auto columns) -> index_t {
    const auto* first = columns.data() + a.row_ptr()[row];
    return std::upper_bound(first, columns.data() + a.row_ptr()[row + 1], row) - columns.data();
  });
}

}  // namespace

Estimate csr_symmetric_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  checked_params({}, params);
  require_symmetric_values("csr_symmetric", facts);
  const Csr& a = facts.csr();
  const index_t stored = stored_of(facts);
  Estimate e{{values_size("values", stored, precision), index_size("columns", Kind::indices, stored, a.cols()),
              index_size("row_ptr", Kind::pointers, a.rows() + 1, a.nnz())},
             stored,
             0};
  e.mirrored = a.nnz() - stored;
  return e;
}

CsrSymmetricFormat::CsrSymmetricFormat(const FormatFacts& facts, Precision precision, RealView view, Progress& progress)
    : Format(facts.csr()),
      row_ptr_(facts.csr().nnz(), facts.csr().rows() + 1),
      columns_(facts.csr().cols(), stored_of(facts)),
      values_(precision, stored_of(facts)) {
  const Csr& a = facts.csr();
  row_ptr_.visit_mut([&]<class P>(std::span<P> ptr) {
    ptr[0] = 0;
    with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
      const std::span<T> values = values_.as_mut<T>();
      const std::span<C> columns = columns_.as_mut<C>();
      const auto count = [&](index_t first, index_t last) {
        index_t sum = 0;
        for (index_t row = first; row < last; ++row) sum += end_of(a, row) - s.ptr[row];
        return sum;
      };
      for_blocks_placed(a.rows(), kRowBlock, progress, count, [&](index_t first, index_t last, index_t to) {
        s.check_rows(first, last);
        for (index_t row = first; row < last; ++row) {
          for (index_t k = s.ptr[row], end = end_of(a, row); k < end; ++k, ++to) {
            columns[to] = s.columns[k];
            values[to] = s.value(k);
          }
          ptr[row + 1] = static_cast<P>(to);
        }
      });
    });
  });
}

std::vector<ArrayView> CsrSymmetricFormat::arrays() const {
  return {view_of("values", values_, {stored()}, 0), view_of("columns", Kind::indices, columns_, {stored()}, 0),
          view_of("row_ptr", Kind::pointers, row_ptr_, {rows() + 1})};
}

void CsrSymmetricFormat::for_each_slot(const SlotVisitor& visit) const {
  for (index_t row = 0; row < rows(); ++row)
    for (index_t k = row_ptr_[row]; k < row_ptr_[row + 1]; ++k)
      visit({0, k, row, columns_[k], values_[k], columns_[k] != row});
}

std::shared_ptr<const Format> csr_symmetric_build(const FormatFacts& facts, Precision precision, RealView view,
                                                  const ParamSet& params, Progress& progress) {
  require_memory("csr_symmetric", csr_symmetric_estimate(facts, precision, params), facts, precision);
  return std::make_shared<CsrSymmetricFormat>(facts, precision, view, progress);
}

FormatInfo csr_symmetric_info() {
  return {.id = "csr_symmetric",
          .label = "CSR, symmetric",
          .help =
              "CSR of the lower triangle of a symmetric matrix: each entry stands for the one across the diagonal too, "
              "so that half of the bytes are left. For stiffness matrices and undirected graphs; others are refused. "
              "Each entry adds to two elements of y, by atomics, which often cost more than the bytes that are saved. "
              "To convert costs a search for every entry's mirror.",
          .source = "after Gkountouvas et al. 2013",
          .compact_of = "csr"};
}

}  // namespace warpspy
