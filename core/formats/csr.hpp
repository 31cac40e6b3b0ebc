// Compressed sparse row as kernels read it (Bell & Garland 2008, section 3.4; Reguly & Giles 2012, figure 1).
#pragma once

#include "core/formats/format.hpp"
#include "core/formats/values.hpp"

namespace warpspy {

// row_ptr: rows + 1 (32 bits while nnz < 2^31, else 64); columns: nnz (32 bits while cols < 2^31, else 64);
// values: nnz in the chosen precision. No padding.
class CsrFormat final : public Format {
 public:
  CsrFormat(const Csr& a, Precision precision, RealView view, Progress& progress);

  std::string id() const override { return "csr"; }
  Estimate size() const override;
  void for_each(const std::function<void(index_t, index_t, double)>& visit) const override;

  index_t rows() const { return rows_; }
  index_t cols() const { return cols_; }
  const Indices& row_ptr() const { return row_ptr_; }
  const Indices& columns() const { return columns_; }
  const Values& values() const { return values_; }

 private:
  index_t rows_, cols_;
  Indices row_ptr_, columns_;
  Values values_;
};

Estimate csr_estimate(const Csr& a, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> csr_build(const Csr& a, Precision precision, RealView view, const ParamSet& params,
                                        Progress& progress);
FormatInfo csr_info();

}  // namespace warpspy
