// ELLPACK: every row padded to the longest one (Bell & Garland 2008, section 3.2).
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"
#include "core/formats/values.hpp"

namespace warpspy {

struct EllParams {
  int alignment = 32;  // rows per column of the arrays are rounded up to a multiple of this
  bool operator==(const EllParams&) const = default;
};
Fields<EllParams> ell_fields();

// Two dense arrays of pitch x width in column-major order, width = longest row: entry n of row r stands at n * pitch +
// r. The paper pads with zero "or some other sentinel value"; here a padding entry has column -1 and value 0, so that
// it is told from a stored zero, no kernel reads x for it, and for_each returns exactly the matrix. The rows that
// `pitch` adds below the last one, which let every column begin aligned, are padding too and belong to no row.
class EllFormat final : public Format {
 public:
  static constexpr std::int32_t padding_column = -1;

  EllFormat(const Csr& a, Precision precision, RealView view, const EllParams& params, Progress& progress);

  std::string id() const override { return "ell"; }
  Estimate size() const override;
  void for_each(const std::function<void(index_t, index_t, double)>& visit) const override;

  index_t rows() const { return rows_; }
  index_t cols() const { return cols_; }
  index_t pitch() const { return pitch_; }
  index_t width() const { return width_; }
  const Indices& columns() const { return columns_; }
  const Values& values() const { return values_; }

 private:
  index_t rows_, cols_, nnz_, pitch_, width_;
  Indices columns_;
  Values values_;
};

Estimate ell_estimate(const Csr& a, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> ell_build(const Csr& a, Precision precision, RealView view, const ParamSet& params,
                                        Progress& progress);
FormatInfo ell_info();

}  // namespace warpspy
