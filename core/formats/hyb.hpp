// HYB (hybrid) stores the first K entries of every row in ELL, and the rest in COO (Bell & Garland 2008, section 3.5).
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"
#include "core/formats/hyb_rule.hpp"

namespace warpspy {

struct HybParams {
  int rule = static_cast<int>(HybRule::third);
  int k = 4;  // with HybRule::by_hand
  int alignment = 32;
  bool operator==(const HybParams&) const = default;
};
Fields<HybParams> hyb_fields();
// Returns K (the width of the ELL part) for a matrix with rows of these lengths.
index_t hyb_width(const LengthSteps& lengths, index_t cols, Precision precision, const HybParams& p);

// ell_columns, ell_values: pitch x K as in EllFormat (padding: column -1, value 0); coo_rows, coo_columns, coo_values:
// the entries beyond the K-th of each row, sorted by row.
class HybFormat final : public Format {
 public:
  HybFormat(const FormatFacts& facts, Precision precision, RealView view, const HybParams& params, Progress& progress);

  std::string id() const override { return "hyb"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;

  index_t pitch() const { return pitch_; }
  index_t width() const { return width_; }
  index_t coo_entries() const { return coo_entries_; }
  const IndexArray& ell_columns() const { return ell_columns_; }
  const Values& ell_values() const { return ell_values_; }
  const IndexArray& coo_rows() const { return coo_rows_; }
  const IndexArray& coo_columns() const { return coo_columns_; }
  const Values& coo_values() const { return coo_values_; }

 private:
  std::size_t skippable_bytes() const override;
  index_t width_, pitch_, coo_entries_;
  IndexArray ell_columns_;
  Values ell_values_;
  IndexArray coo_rows_, coo_columns_;
  Values coo_values_;
};

Estimate hyb_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> hyb_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress);
void hyb_padding(PaddingRows& to);
FormatInfo hyb_info();

}  // namespace warpspy
