// CSR (compressed sparse row), with the arrays that kernels read (Bell & Garland 2008, section 3.4; Reguly & Giles
// 2012, figure 1).
#pragma once

#include "core/formats/format.hpp"

namespace warpspy {

// row_ptr: rows + 1 (32 bits while nnz < 2^31, else 64); columns: nnz (32 bits while cols < 2^31, else 64);
// values: nnz in the chosen precision. No padding.
class CsrFormat final : public Format {
 public:
  CsrFormat(const Csr& a, Precision precision, RealView view, Progress& progress);

  std::string id() const override { return "csr"; }
  std::vector<ArrayView> arrays() const override;
  void for_each_slot(const SlotVisitor& visit) const override;

  const IndexArray& row_ptr() const { return row_ptr_; }
  const IndexArray& columns() const { return columns_; }
  const Values& values() const { return values_; }

 private:
  IndexArray row_ptr_, columns_;
  Values values_;
};

Estimate csr_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> csr_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress);
FormatInfo csr_info();

}  // namespace warpspy
