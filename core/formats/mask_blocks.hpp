// Small blocks with a mask that says which of their places hold an entry, and the values of these packed, without
// padding (Bramas & Kus 2018, SPC5; with blocks at multiples of their size, and masks of 32 bits, one for each lane of
// a warp).
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"

namespace warpspy {

struct MaskBlocksParams {
  int height = 4;  // rows of a block; it has 32 / height columns
  bool operator==(const MaskBlocksParams&) const = default;
};

// Block b of block row i, block_ptr[i] <= b < block_ptr[i + 1]: block_columns[b] counts blocks; bit r * width + c of
// masks[b] is set where it has an entry in its row r and column c. Values stand in the order of blocks, and in a block
// of bits; those of block row i begin at value_ptr[i].
class MaskBlocksFormat final : public Format {
 public:
  static constexpr index_t places = 32;

  MaskBlocksFormat(const FormatFacts& facts, Precision precision, RealView view, const MaskBlocksParams& params,
                   Progress& progress);

  std::string id() const override { return "mask_blocks"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;

  index_t height() const { return height_; }
  index_t width() const { return places / height_; }
  index_t block_rows() const { return static_cast<index_t>(block_ptr_.size()) - 1; }
  index_t blocks() const { return static_cast<index_t>(masks_.size()); }
  std::span<const std::uint32_t> masks() const { return masks_.span(); }
  const IndexArray& block_columns() const { return block_columns_; }
  const IndexArray& block_ptr() const { return block_ptr_; }
  const IndexArray& value_ptr() const { return value_ptr_; }
  const Values& values() const { return values_; }

 private:
  index_t height_;
  IndexArray block_ptr_, value_ptr_, block_columns_;
  Buffer<std::uint32_t> masks_;
  Values values_;
};

Estimate mask_blocks_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> mask_blocks_build(const FormatFacts& facts, Precision precision, RealView view,
                                                const ParamSet& params, Progress& progress);
FormatInfo mask_blocks_info();

}  // namespace warpspy
