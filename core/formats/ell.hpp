// ELLPACK pads every row to the length of the longest one (Bell & Garland 2008, section 3.2). With an additional array
// of row lengths it is called ELLPACK-R.
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"

namespace warpspy {

struct EllParams {
  int alignment = 32;   // rows per column of the arrays are rounded up to a multiple of this
  int row_lengths = 0;  // 1: kept (ELLPACK-R)
  bool operator==(const EllParams&) const = default;
};
Fields<EllParams> ell_fields();

// Two dense arrays of pitch x width in column-major order, width = longest row: entry n of row r stands at n * pitch +
// r. The paper pads with zero "or some other sentinel value"; here a padding entry has column -1 and value 0, so that
// it differs from a stored zero. So no kernel reads x for it, and for_each returns exactly the matrix. The rows that
// `pitch` adds below the last one, which let every column begin aligned, are padding too and belong to no row.
class EllFormat final : public Format {
 public:
  static constexpr std::int32_t padding_column = -1;

  EllFormat(const FormatFacts& facts, Precision precision, RealView view, const EllParams& params, Progress& progress);

  std::string id() const override { return "ell"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;

  index_t pitch() const { return pitch_; }
  index_t width() const { return width_; }
  const IndexArray& columns() const { return columns_; }
  const Values& values() const { return values_; }
  // The length of each row; empty if lengths were not asked for.
  const IndexArray& row_lengths() const { return row_lengths_; }

 private:
  std::size_t skippable_bytes() const override;
  index_t pitch_, width_;
  bool has_lengths_;
  IndexArray columns_;
  Values values_;
  IndexArray row_lengths_;
};

Estimate ell_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> ell_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress);
void ell_padding(PaddingRows& to);
FormatInfo ell_info();

// The parameter `alignment`, which several formats have.
ParamSpec alignment_spec();

}  // namespace warpspy
