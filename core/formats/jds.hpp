// JDS (jagged diagonals) sorts rows by length, and stores them column by column without padding (Saad 1989; Bell &
// Garland 2008, section 3.7, name it as a natural generalisation of ELL).
#pragma once

#include "core/formats/format.hpp"

namespace warpspy {

// permutation: rows, the longest row first, equal ones in their order; diagonal_ptr: longest row + 1; columns, values:
// nnz, the n-th entry of the i-th row of the permutation at diagonal_ptr[n] + i. No padding.
class JdsFormat final : public Format {
 public:
  JdsFormat(const FormatFacts& facts, Precision precision, RealView view, Progress& progress);

  std::string id() const override { return "jds"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;

  index_t diagonals() const { return static_cast<index_t>(diagonal_ptr_.size()) - 1; }
  const IndexArray& permutation() const { return permutation_; }
  const IndexArray& diagonal_ptr() const { return diagonal_ptr_; }
  const IndexArray& columns() const { return columns_; }
  const Values& values() const { return values_; }

 private:
  IndexArray permutation_, diagonal_ptr_, columns_;
  Values values_;
};

Estimate jds_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> jds_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress);
void jds_padding(PaddingRows& to);
FormatInfo jds_info();

}  // namespace warpspy
