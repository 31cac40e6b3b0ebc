// Block compressed sparse row: dense blocks of r x c with one column index each (named, but not taken
// up, in the conclusions of Bell & Garland 2008; BCSR in Reguly & Giles 2012, section 2).
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"

namespace warpspy {

struct BsrParams {
  int block_rows = 2, block_cols = 2;
  bool operator==(const BsrParams&) const = default;
};
Fields<BsrParams> bsr_fields();

// block_ptr: block rows + 1; block_columns: blocks, in units of blocks, increasing within a block row; values: blocks x
// r x c, every block row-major. Blocks begin at multiples of r and c; where those do not divide the matrix, the last
// ones are padded beyond its edge (facts padded_rows and padded_cols say by how much). Padding is 0, and a kernel
// cannot distinguish it from an entry. `stored_zeros_` remembers which zeros are entries.
class BsrFormat final : public Format {
 public:
  BsrFormat(const FormatFacts& facts, Precision precision, RealView view, const BsrParams& params, Progress& progress);

  std::string id() const override { return "bsr"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;
  std::vector<ArrayGrid> grids() const override;

  index_t block_rows() const { return r_; }  // r and c
  index_t block_cols() const { return c_; }
  index_t blocks() const { return static_cast<index_t>(block_columns_.size()); }
  const IndexArray& block_ptr() const { return block_ptr_; }
  const IndexArray& block_columns() const { return block_columns_; }
  const Values& values() const { return values_; }

 private:
  index_t r_, c_;
  IndexArray block_ptr_, block_columns_;
  Values values_;
  std::vector<index_t> stored_zeros_;  // positions in values_ that hold an entry of value 0, increasing
};

Estimate bsr_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> bsr_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress);
void bsr_padding(PaddingRows& to);
FormatInfo bsr_info();

}  // namespace warpspy
