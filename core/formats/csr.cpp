#include "core/formats/csr.hpp"

#include <algorithm>

#include "core/formats/build.hpp"

namespace warpspy {

Estimate csr_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  checked_params({}, params);
  const Csr& a = facts.csr();
  return {{values_size("values", a.nnz(), precision), index_size("columns", Kind::indices, a.nnz(), a.cols()),
           index_size("row_ptr", Kind::pointers, a.rows() + 1, a.nnz())},
          a.nnz(),
          0};
}

CsrFormat::CsrFormat(const Csr& a, Precision precision, RealView view, Progress& progress)
    : Format(a), row_ptr_(a.nnz(), a.rows() + 1), columns_(a.cols(), a.nnz()), values_(precision, a.nnz()) {
  row_ptr_.visit_mut([&](auto out) {
    for_blocks(rows() + 1, kEntryBlock, progress, [&](index_t first, index_t last) {
      std::copy(a.row_ptr().begin() + first, a.row_ptr().begin() + last, out.begin() + first);
    });
  });
  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    const std::span<T> values = values_.as_mut<T>();
    const std::span<C> columns = columns_.as_mut<C>();
    for_blocks(a.nnz(), kEntryBlock, progress, [&](index_t first, index_t last) {
      s.check(first, last);
      std::copy(s.columns + first, s.columns + last, columns.begin() + first);
      for (index_t k = first; k < last; ++k) values[k] = s.value(k);
    });
  });
}

std::vector<ArrayView> CsrFormat::arrays() const {
  return {view_of("values", values_, {nnz()}, 0), view_of("columns", Kind::indices, columns_, {nnz()}, 0),
          view_of("row_ptr", Kind::pointers, row_ptr_, {rows() + 1})};
}

void CsrFormat::for_each_slot(const SlotVisitor& visit) const {
  for (index_t row = 0; row < rows(); ++row)
    for (index_t k = row_ptr_[row]; k < row_ptr_[row + 1]; ++k) visit({0, k, row, columns_[k], values_[k]});
}

std::shared_ptr<const Format> csr_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress) {
  require_memory("csr", csr_estimate(facts, precision, params), facts, precision);
  return std::make_shared<CsrFormat>(facts.csr(), precision, view, progress);
}

FormatInfo csr_info() {
  return {.id = "csr",
          .label = "CSR",
          .help = "Values and column indices row after row, and where each row begins. No padding; any row lengths.",
          .source = "Bell & Garland 2008, section 3.4",
          .intermediate = true,
          .table1_f32 = 6,
          .table1_f64 = 10};
}

}  // namespace warpspy
