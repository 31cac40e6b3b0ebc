// CSC (compressed sparse column) stores the entries column by column; it is the CSR of the transpose (Steinberger et
// al. 2016, section 2).
#pragma once

#include "core/formats/format.hpp"

namespace warpspy {

// col_ptr: cols + 1 (32 bits while nnz < 2^31, else 64); rows: nnz, increasing within a column; values: nnz.
class CscFormat final : public Format {
 public:
  CscFormat(const Csr& a, Precision precision, RealView view, Progress& progress);

  std::string id() const override { return "csc"; }
  std::vector<ArrayView> arrays() const override;
  void for_each_slot(const SlotVisitor& visit) const override;

  const IndexArray& col_ptr() const { return col_ptr_; }
  const IndexArray& row_indices() const { return rows_; }
  const Values& values() const { return values_; }

 private:
  IndexArray col_ptr_, rows_;
  Values values_;
};

Estimate csc_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> csc_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress);
FormatInfo csc_info();

}  // namespace warpspy
