// BSR of the lower triangle of a symmetric matrix: a stored block also stands for its mirror (after Gkountouvas et al.
// 2013; blocks as in Vuduc 2003). Values of 32 blocks lie side by side, so that a warp with a block in each lane reads
// neighbouring memory.
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"

namespace warpspy {

struct BsrSymmetricParams {
  int block_rows = 3;
  bool operator==(const BsrSymmetricParams&) const = default;
};
Fields<BsrSymmetricParams> bsr_symmetric_fields();

// Block rows are sorted in windows of 128, rows with most blocks first. 32 neighbouring places are a slice (as in
// SELL-C-sigma, Kreutzer et al. 2014). A tile has 32 blocks, one of each row of the slice. The first tile of a slice
// has the first block of each row, the second tile the second blocks, and so on. The blocks of a row are reordered, so
// that blocks of a tile rarely add to columns in the same bank of shared memory. In stand-ins of meshes 1.4 to 2.2 of a
// tile's 32 blocks (f32), or of 16 (f64), share a bank. Without reordering it is 2.4 to 2.8. Blocks change places only
// within segments of 256 blocks of their row, so that the segments of a long row can be reordered at the same time.
//
// slice_ptr: slices + 1, where each begins, in tiles; block_columns: of each place of the tiles, up to the diagonal, in
// units of blocks, -1 where there is no block; values: element e of a block (row-major) at (tile * r * r + e) * 32 +
// its place in the tile; permutation: the block row at each place. A block left of the diagonal also stands for its
// mirror; a block on the diagonal is stored whole. Blocks begin at multiples of r. `stored_zeros_` remembers which
// zeros are entries.
class BsrSymmetricFormat final : public Format {
 public:
  static constexpr index_t tile = 32;      // blocks of a tile, and places of a slice
  static constexpr index_t window = 128;   // places
  static constexpr index_t segment = 256;  // blocks of a row, and so tiles of a slice

  BsrSymmetricFormat(const FormatFacts& facts, Precision precision, RealView view, const BsrSymmetricParams& params,
                     Progress& progress);

  std::string id() const override { return "bsr_symmetric"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;
  std::vector<ArrayGrid> grids() const override;
  index_t mirrored() const override { return mirrored_; }

  index_t block_rows() const { return r_; }  // r
  index_t blocks() const { return blocks_; }
  index_t tiles() const { return static_cast<index_t>(block_columns_.size()) / tile; }
  const IndexArray& slice_ptr() const { return slice_ptr_; }
  const IndexArray& block_columns() const { return block_columns_; }
  const IndexArray& permutation() const { return permutation_; }
  const Values& values() const { return values_; }

 private:
  std::size_t skippable_bytes() const override;

  index_t r_, blocks_ = 0, mirrored_ = 0;
  IndexArray slice_ptr_, block_columns_, permutation_;
  Values values_;
  std::vector<index_t> stored_zeros_;  // positions in values_ that hold an entry of value 0, increasing
};

Estimate bsr_symmetric_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> bsr_symmetric_build(const FormatFacts& facts, Precision precision, RealView view,
                                                  const ParamSet& params, Progress& progress);
FormatInfo bsr_symmetric_info();

}  // namespace warpspy
