// SELL with slices of 32 rows, whose columns take 8 bits. Each entry stores its distance from the previous entry of its
// row. If the distance is too large, it stores an escape code, and the full column stands elsewhere. (After the delta
// units of Kourtis, Goumas & Koziris 2008, CSR-DU. Escape codes replace units, so that 32 rows can be read side by
// side.)
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"
#include "core/formats/sell.hpp"

namespace warpspy {

struct Sell8Params {
  int sort_window = 256;  // sigma; 1: rows are not sorted
  bool operator==(const Sell8Params&) const = default;
};
Fields<Sell8Params> sell8_fields();

// Slot n of lane i of slice s stands at slice_ptr[s] + 32 n + i. columns: the distance of the slot's column from that
// of slot n - 1, for slot 0 from bases[s]. `escape`: the slot's column is the next element of escapes. `padding`: the
// slot has no entry, and its value is 0. The escapes of a slice begin at escape_ptr[s] and stand in the order of slots.
class Sell8Format final : public Format {
 public:
  static constexpr index_t slice_rows = 32;
  static constexpr std::uint8_t escape = 254, padding = 255;

  Sell8Format(const FormatFacts& facts, Precision precision, RealView view, const Sell8Params& params,
              Progress& progress);

  std::string id() const override { return "sell8"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;

  index_t slices() const { return static_cast<index_t>(slice_ptr_.size()) - 1; }
  bool permuted() const { return sorted_; }
  const IndexArray& slice_ptr() const { return slice_ptr_; }
  std::span<const std::uint8_t> deltas() const { return deltas_.span(); }
  const IndexArray& bases() const { return bases_; }
  const IndexArray& escape_ptr() const { return escape_ptr_; }
  const IndexArray& escapes() const { return escapes_; }
  const Values& values() const { return values_; }
  const IndexArray& permutation() const { return permutation_; }

 private:
  std::size_t skippable_bytes() const override;

  bool sorted_;
  IndexArray slice_ptr_, bases_, escape_ptr_, escapes_;
  Buffer<std::uint8_t> deltas_;
  Values values_;
  IndexArray permutation_;
};

Estimate sell8_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> sell8_build(const FormatFacts& facts, Precision precision, RealView view,
                                          const ParamSet& params, Progress& progress);
void sell8_padding(PaddingRows& to);
FormatInfo sell8_info();

}  // namespace warpspy
