#include "core/formats/csr.hpp"

#include <algorithm>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

std::size_t index_bytes(index_t largest) { return Indices::fits32(largest) ? 4 : 8; }

Estimate described(std::size_t values, std::size_t columns, std::size_t row_ptr, index_t nnz) {
  return {{{"values", ArraySize::Role::values, values},
           {"columns", ArraySize::Role::indices, columns},
           {"row_ptr", ArraySize::Role::pointers, row_ptr}},
          nnz,
          0};
}

}  // namespace

Estimate csr_estimate(const Csr& a, Precision precision, const ParamSet&) {
  return described(saturating_bytes(a.nnz(), static_cast<std::size_t>(bytes_of(precision))),
                   saturating_bytes(a.nnz(), index_bytes(a.cols())),
                   saturating_bytes(a.rows() + 1, index_bytes(a.nnz())), a.nnz());
}

CsrFormat::CsrFormat(const Csr& a, Precision precision, RealView view, Progress& progress)
    : rows_(a.rows()),
      cols_(a.cols()),
      row_ptr_(Indices::sized(a.nnz(), static_cast<std::size_t>(a.rows()) + 1)),
      columns_(Indices::sized(a.cols(), static_cast<std::size_t>(a.nnz()))),
      values_(precision, static_cast<std::size_t>(a.nnz())) {
  row_ptr_.visit_mut([&](auto out) { std::copy(a.row_ptr().begin(), a.row_ptr().end(), out.begin()); });
  for_row_chunks(rows_, progress, [&](index_t first, index_t last) {
    const index_t begin = a.row_ptr()[first], end = a.row_ptr()[last];
    columns_.visit_mut([&](auto out) {
      a.columns().visit([&](auto in) { std::copy(in.begin() + begin, in.begin() + end, out.begin() + begin); });
    });
    values_.visit_mut([&]<class T>(std::span<T> out) {
      for (index_t row = first; row < last; ++row)
        for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) out[k] = converted<T>(a, row, k, view);
    });
  });
}

Estimate CsrFormat::size() const {
  return described(values_.bytes(), columns_.bytes(), row_ptr_.bytes(), static_cast<index_t>(values_.size()));
}

void CsrFormat::for_each(const std::function<void(index_t, index_t, double)>& visit) const {
  for (index_t row = 0; row < rows_; ++row)
    for (index_t k = row_ptr_[row]; k < row_ptr_[row + 1]; ++k) visit(row, columns_[k], values_[k]);
}

std::shared_ptr<const Format> csr_build(const Csr& a, Precision precision, RealView view, const ParamSet& params,
                                        Progress& progress) {
  require_memory("csr", csr_estimate(a, precision, params), a, precision);
  return std::make_shared<CsrFormat>(a, precision, view, progress);
}

FormatInfo csr_info() {
  return {"csr",
          "CSR",
          "Values and column indices row after row, and where each row begins. No padding; any row lengths.",
          "Bell & Garland 2008, section 3.4",
          {}};
}

}  // namespace warpspy
