// COO (coordinates) stores the row, the column and the value of each entry, sorted by row and column (Bell & Garland
// 2008, section 3.3).
#pragma once

#include "core/formats/format.hpp"

namespace warpspy {

// rows, columns, values: nnz each, in the order of the CSR: the row array is sorted, as the segmented reduction of the
// COO kernel needs it.
class CooFormat final : public Format {
 public:
  CooFormat(const Csr& a, Precision precision, RealView view, Progress& progress);

  std::string id() const override { return "coo"; }
  std::vector<ArrayView> arrays() const override;
  void for_each_slot(const SlotVisitor& visit) const override;

  const IndexArray& row_indices() const { return rows_; }
  const IndexArray& columns() const { return columns_; }
  const Values& values() const { return values_; }

 private:
  IndexArray rows_, columns_;
  Values values_;
};

Estimate coo_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> coo_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress);
FormatInfo coo_info();

}  // namespace warpspy
