#include "core/formats/ell.hpp"

#include <algorithm>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

index_t pitch_of(index_t rows, const EllParams& p) { return (rows + p.alignment - 1) / p.alignment * p.alignment; }

index_t longest_row(const Csr& a) {
  index_t longest = 0;
  for (index_t row = 0; row < a.rows(); ++row) longest = std::max(longest, a.row_length(row));
  return longest;
}

Estimate described(std::size_t values, std::size_t columns, index_t stored, index_t nnz) {
  return {{{"values", ArraySize::Role::values, values}, {"columns", ArraySize::Role::indices, columns}},
          stored,
          stored - nnz};
}

}  // namespace

Fields<EllParams> ell_fields() {
  return {{&EllParams::alignment,
           {.id = "alignment",
            .label = "Row alignment",
            .help = "Rows are padded to a multiple of this, so that each column of the arrays begins aligned.",
            .type = ParamSpec::Type::power_of_two,
            .min = 1,
            .max = 1024}}};
}

Estimate ell_estimate(const Csr& a, Precision precision, const ParamSet& params) {
  const index_t stored = saturating_count(pitch_of(a.rows(), params_of(ell_fields(), params)), longest_row(a));
  return described(saturating_bytes(stored, static_cast<std::size_t>(bytes_of(precision))),
                   saturating_bytes(stored, Indices::fits32(a.cols()) ? 4 : 8), stored, a.nnz());
}

EllFormat::EllFormat(const Csr& a, Precision precision, RealView view, const EllParams& params, Progress& progress)
    : rows_(a.rows()),
      cols_(a.cols()),
      nnz_(a.nnz()),
      pitch_(pitch_of(a.rows(), params)),
      width_(longest_row(a)),
      columns_(Indices::sized(a.cols(), static_cast<std::size_t>(pitch_ * width_))),
      values_(precision, static_cast<std::size_t>(pitch_ * width_)) {
  columns_.visit_mut([](auto out) { std::fill(out.begin(), out.end(), padding_column); });
  columns_.visit_mut([&](auto columns) {
    values_.visit_mut([&]<class T>(std::span<T> values) {
      for_row_chunks(rows_, progress, [&](index_t first, index_t last) {
        for (index_t row = first; row < last; ++row) {
          index_t at = row;
          for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k, at += pitch_) {
            columns[at] = static_cast<typename decltype(columns)::element_type>(a.columns()[k]);
            values[at] = converted<T>(a, row, k, view);
          }
        }
      });
    });
  });
}

Estimate EllFormat::size() const {
  return described(values_.bytes(), columns_.bytes(), static_cast<index_t>(values_.size()), nnz_);
}

void EllFormat::for_each(const std::function<void(index_t, index_t, double)>& visit) const {
  for (index_t n = 0; n < width_; ++n)
    for (index_t row = 0; row < rows_; ++row) {
      const auto at = static_cast<std::size_t>(n * pitch_ + row);
      if (const index_t column = columns_[at]; column != padding_column) visit(row, column, values_[at]);
    }
}

std::shared_ptr<const Format> ell_build(const Csr& a, Precision precision, RealView view, const ParamSet& params,
                                        Progress& progress) {
  require_memory("ell", ell_estimate(a, precision, params), a, precision);
  return std::make_shared<EllFormat>(a, precision, view, params_of(ell_fields(), params), progress);
}

FormatInfo ell_info() {
  return {
      "ell", "ELLPACK",
      "Every row padded to the longest one and stored column by column, so that neighbouring threads read neighbouring "
      "entries. Good while the longest row is not much longer than the mean.",
      "Bell & Garland 2008, section 3.2", specs_of(ell_fields())};
}

}  // namespace warpspy
