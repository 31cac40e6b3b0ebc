// CSR of the lower triangle of a symmetric matrix, diagonal included: half of the entries stand for both (the symmetric
// storage of skyline and SSS formats; Gkountouvas et al. 2013).
#pragma once

#include "core/formats/format.hpp"

namespace warpspy {

// row_ptr: rows + 1; columns and values: the entries of each row up to its diagonal, as in CSR. An entry left of the
// diagonal stands for the one across it too.
class CsrSymmetricFormat final : public Format {
 public:
  CsrSymmetricFormat(const FormatFacts& facts, Precision precision, RealView view, Progress& progress);

  std::string id() const override { return "csr_symmetric"; }
  std::vector<ArrayView> arrays() const override;
  void for_each_slot(const SlotVisitor& visit) const override;
  index_t mirrored() const override { return nnz() - stored(); }

  index_t stored() const { return static_cast<index_t>(values_.size()); }
  const IndexArray& row_ptr() const { return row_ptr_; }
  const IndexArray& columns() const { return columns_; }
  const Values& values() const { return values_; }

 private:
  IndexArray row_ptr_, columns_;
  Values values_;
};

Estimate csr_symmetric_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> csr_symmetric_build(const FormatFacts& facts, Precision precision, RealView view,
                                                  const ParamSet& params, Progress& progress);
FormatInfo csr_symmetric_info();

}  // namespace warpspy
