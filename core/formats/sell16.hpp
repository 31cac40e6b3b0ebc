// SELL with slices of 32 rows, whose columns take 16 bits. A step has the n-th entries of a slice's 32 rows; its
// columns are stored as offsets from the least of them. In matrices from meshes, neighbouring rows have neighbouring
// columns, so nearly all steps fit into 16 bits. Other steps have 16 more bits for each slot.
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"
#include "core/formats/sell.hpp"

namespace warpspy {

struct Sell16Params {
  int sort_window = 256;  // sigma; 1: rows are not sorted
  bool operator==(const Sell16Params&) const = default;
};
Fields<Sell16Params> sell16_fields();

// A step is 32 slots, lane by lane; slot n of lane i of slice s stands at slice_ptr[s] + 32 n + i, in step
// slice_ptr[s] / 32 + n. The column of slot k in step j is bases[j] + columns[k]. If wide_at[j] >= 0, 65536 times
// high_columns[32 wide_at[j] + i] is added. Padding has every bit of these set, and value 0. wide_at is absent where
// every step fits, permutation while the window is 1.
class Sell16Format final : public Format {
 public:
  static constexpr index_t slice_rows = 32;
  static constexpr std::uint16_t padding = 0xffff;

  Sell16Format(const FormatFacts& facts, Precision precision, RealView view, const Sell16Params& params,
               Progress& progress);

  std::string id() const override { return "sell16"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;

  index_t slices() const { return static_cast<index_t>(slice_ptr_.size()) - 1; }
  bool permuted() const { return sorted_; }
  const IndexArray& slice_ptr() const { return slice_ptr_; }
  std::span<const std::uint16_t> offsets() const { return offsets_.span(); }
  const IndexArray& bases() const { return bases_; }
  std::span<const std::int32_t> wide_at() const { return wide_at_.span(); }
  std::span<const std::uint16_t> high_offsets() const { return high_offsets_.span(); }
  const Values& values() const { return values_; }
  const IndexArray& permutation() const { return permutation_; }

 private:
  std::size_t skippable_bytes() const override;

  bool sorted_;
  index_t wide_steps_ = 0;
  IndexArray slice_ptr_, bases_;
  Buffer<std::uint16_t> offsets_, high_offsets_;
  Buffer<std::int32_t> wide_at_;
  Values values_;
  IndexArray permutation_;
};

Estimate sell16_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> sell16_build(const FormatFacts& facts, Precision precision, RealView view,
                                           const ParamSet& params, Progress& progress);
void sell16_padding(PaddingRows& to);
FormatInfo sell16_info();

}  // namespace warpspy
