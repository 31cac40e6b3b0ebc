#include "core/formats/coo.hpp"

#include <algorithm>

#include "core/formats/build.hpp"

namespace warpspy {

Estimate coo_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  checked_params({}, params);
  const Csr& a = facts.csr();
  return {{values_size("values", a.nnz(), precision), index_size("rows", Kind::indices, a.nnz(), a.rows()),
           index_size("columns", Kind::indices, a.nnz(), a.cols())},
          a.nnz(),
          0};
}

CooFormat::CooFormat(const Csr& a, Precision precision, RealView view, Progress& progress)
    : Format(a), rows_(a.rows(), a.nnz()), columns_(a.cols(), a.nnz()), values_(precision, a.nnz()) {
  with_typed(a, precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    const std::span<T> values = values_.as_mut<T>();
    const std::span<C> columns = columns_.as_mut<C>();
    rows_.visit_mut([&]<class R>(std::span<R> row_of) {
      // Divided by entries and not by rows, so that one long row is divided too.
      for_blocks(a.nnz(), kEntryBlock, progress, [&](index_t first, index_t last) {
        s.check(first, last);
        std::copy(s.columns + first, s.columns + last, columns.begin() + first);
        for (index_t k = first; k < last; ++k) values[k] = s.value(k);
        index_t row = std::upper_bound(s.ptr, s.ptr + a.rows() + 1, first) - s.ptr - 1;
        for (index_t k = first; k < last; ++row) {
          const index_t end = std::min(s.ptr[row + 1], last);
          std::fill(row_of.begin() + k, row_of.begin() + end, static_cast<R>(row));
          k = end;
        }
      });
    });
  });
}

std::vector<ArrayView> CooFormat::arrays() const {
  return {view_of("values", values_, {nnz()}, 0), view_of("rows", Kind::indices, rows_, {nnz()}, 0),
          view_of("columns", Kind::indices, columns_, {nnz()}, 0)};
}

void CooFormat::for_each_slot(const SlotVisitor& visit) const {
  for (index_t k = 0; k < nnz(); ++k) visit({0, k, rows_[k], columns_[k], values_[k]});
}

std::shared_ptr<const Format> coo_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress) {
  require_memory("coo", coo_estimate(facts, precision, params), facts, precision);
  return std::make_shared<CooFormat>(facts.csr(), precision, view, progress);
}

FormatInfo coo_info() {
  return {.id = "coo",
          .label = "COO",
          .help =
              "Row, column and value of every entry, sorted by row. Any matrix, whatever its row lengths; a third more "
              "indices than CSR.",
          .source = "Bell & Garland 2008, section 3.3",
          .table1_f32 = 8,
          .table1_f64 = 12};
}

}  // namespace warpspy
