// EVC-HYB stores short rows in ELL, grouped by length, and long rows in CSR with rows padded for vector loads (EVC-HYB
// paper, section 2.1 and table 1).
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"
#include "core/formats/hyb_rule.hpp"

namespace warpspy {

struct EvcHybParams {
  int boundary = 128;  // longest row of the ELL part
  bool operator==(const EvcHybParams&) const = default;
};
Fields<EvcHybParams> evc_hyb_fields();

// A group of rows of the same width in the ELL part. It has `rows` rows, a multiple of 32, and begins at row `row` of
// the permuted rows. Entry n of the group's i-th row stands at begin + n * rows + i.
struct EvcGroup {
  index_t row = 0, rows = 0, width = 0, begin = 0;
};

// What follows from how many rows have each length.
struct EvcHybPlan {
  std::vector<EvcGroup> groups;
  index_t split_row = 0;                 // rows of the ELL part
  index_t ell_slots = 0, csr_slots = 0;  // entries and padding
  index_t in_csr = 0;                    // entries of the CSR part
};
EvcHybPlan evc_hyb_plan(const LengthSteps& lengths, const EvcHybParams& params);

// Rows are sorted by length, then by their first column, then by number: permutation[i] is the row that comes i-th. Up
// to the boundary, the rows of one length make a group of a multiple of 32 rows; the remainder is merged into the next
// longer length, and past the boundary into the CSR part, which begins at split_row. There every row is padded to a
// multiple of 32 entries. Padding has column -1 and value 0.
// ell_values, ell_columns: the groups one after another; csr_values, csr_columns, csr_ptr: the rows from split_row on;
// group_row, group_begin: groups + 1; group_width: groups.
class EvcHybFormat final : public Format {
 public:
  static constexpr index_t warp = 32;

  EvcHybFormat(const FormatFacts& facts, Precision precision, RealView view, const EvcHybParams& params,
               Progress& progress);

  std::string id() const override { return "evc_hyb"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  index_t padding_of(int part) const override;
  void for_each_slot(const SlotVisitor& visit) const override;
  std::vector<ArrayGrid> grids() const override;

  const std::vector<EvcGroup>& groups() const { return groups_; }
  index_t split_row() const { return split_row_; }
  const IndexArray& permutation() const { return permutation_; }
  const IndexArray& ell_columns() const { return ell_columns_; }
  const Values& ell_values() const { return ell_values_; }
  const IndexArray& csr_ptr() const { return csr_ptr_; }
  const IndexArray& csr_columns() const { return csr_columns_; }
  const Values& csr_values() const { return csr_values_; }
  const IndexArray& group_row() const { return group_row_; }
  const IndexArray& group_begin() const { return group_begin_; }
  const IndexArray& group_width() const { return group_width_; }

 private:
  std::size_t skippable_bytes() const override;
  std::vector<EvcGroup> groups_;
  index_t split_row_ = 0, in_csr_ = 0;
  IndexArray permutation_, ell_columns_;
  Values ell_values_;
  IndexArray csr_ptr_, csr_columns_;
  Values csr_values_;
  IndexArray group_row_, group_begin_, group_width_;
};

Estimate evc_hyb_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> evc_hyb_build(const FormatFacts& facts, Precision precision, RealView view,
                                            const ParamSet& params, Progress& progress);
void evc_hyb_padding(PaddingRows& to);
FormatInfo evc_hyb_info();

}  // namespace warpspy
