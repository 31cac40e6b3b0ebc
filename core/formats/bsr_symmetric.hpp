// BSR of the lower triangle of a symmetric matrix: half of the blocks stand for both (as csr_symmetric for entries,
// after Gkountouvas et al. 2013; blocks as in Vuduc 2003), and values of 32 blocks lie side by side, so that a warp
// that has a block in each lane reads them as they lie in memory.
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"

namespace warpspy {

struct BsrSymmetricParams {
  int block_rows = 3;
  bool operator==(const BsrSymmetricParams&) const = default;
};
Fields<BsrSymmetricParams> bsr_symmetric_fields();

// Block rows stand in windows of 64, and there every eighth after another (0, 8, 16 ... 56, 1, 9 ...): neighbours have
// the same columns, and what is added to one column in a tile waits for each other. In tiles of stand-ins of meshes a
// column is up to 3 times in the mean where rows are in order, and 1.0 to 1.1 times so.
//
// block_ptr: of these places of block rows, of whole windows, + 1; block_columns: in units of blocks, increasing up to
// the diagonal within a block row; values: tiles of 32 blocks, element e of a block (row-major) at (tile * r * r + e) *
// 32 + its place in the tile. A block left of the diagonal stands for the one across it too; one on the diagonal is
// stored whole. Blocks begin at multiples of r; the last tile is filled up with blocks that are none. Which zeros are
// entries is remembered beside the arrays.
class BsrSymmetricFormat final : public Format {
 public:
  static constexpr index_t tile = 32;    // blocks
  static constexpr index_t window = 64;  // block rows
  // The block row at a place, and the place of a block row. Behind the last one places are empty.
  static constexpr index_t row_at(index_t place) {
    constexpr index_t step = 8;
    const index_t in_window = place % window;
    return place - in_window + in_window % step * step + in_window / step;
  }

  BsrSymmetricFormat(const FormatFacts& facts, Precision precision, RealView view, const BsrSymmetricParams& params,
                     Progress& progress);

  std::string id() const override { return "bsr_symmetric"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;
  std::vector<ArrayGrid> grids() const override;
  index_t mirrored() const override { return mirrored_; }

  index_t block_rows() const { return r_; }  // r
  index_t blocks() const { return static_cast<index_t>(block_columns_.size()); }
  index_t tiles() const { return (blocks() + tile - 1) / tile; }
  const IndexArray& block_ptr() const { return block_ptr_; }
  const IndexArray& block_columns() const { return block_columns_; }
  const Values& values() const { return values_; }

 private:
  index_t r_, mirrored_ = 0;
  IndexArray block_ptr_, block_columns_;
  Values values_;
  std::vector<index_t> stored_zeros_;  // positions in values_ that hold an entry of value 0, increasing
};

Estimate bsr_symmetric_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> bsr_symmetric_build(const FormatFacts& facts, Precision precision, RealView view,
                                                  const ParamSet& params, Progress& progress);
FormatInfo bsr_symmetric_info();

}  // namespace warpspy
