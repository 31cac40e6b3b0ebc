// SELL-C-sigma divides the rows into slices of C rows, and pads each slice to its own longest row. Rows are sorted by
// length within windows of sigma rows (Kreutzer et al. 2014; referred to in EVC-HYB, section 1).
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"

namespace warpspy {

struct SellParams {
  int slice_rows = 32;    // C
  int sort_window = 256;  // sigma; 1: rows are not sorted
  bool operator==(const SellParams&) const = default;
};
Fields<SellParams> sell_fields();

// Tells where every slice begins, and which row stands at each place. All SELL formats share this.
struct SellOrder {
  std::vector<index_t> begin;  // slices + 1
  std::vector<index_t> rows;   // empty while the window is 1
  index_t slots() const { return begin.back(); }
  index_t row_at(index_t place) const { return rows.empty() ? place : rows[static_cast<std::size_t>(place)]; }
};
SellOrder sell_order(const FormatFacts& facts, const SellParams& params, Progress& progress);
// Counts the rows with 1024 or more entries. Sorting a window keeps their numbers for a while, which takes memory.
index_t sell_long_rows(const FormatFacts& facts);
// Returns how many slots of the last slice belong to no row.
index_t sell_slots_below(index_t rows, index_t slice_rows, index_t last_slice_slots);

// slice_ptr: slices + 1, where each slice begins in columns and values (32 bits while the slots are < 2^31); slot n of
// lane i of slice s stands at slice_ptr[s] + n * C + i. Padding has column -1 and value 0; lanes past the last row are
// padding. permutation: rows, the row that each lane holds; absent while sigma is 1.
class SellFormat final : public Format {
 public:
  SellFormat(const FormatFacts& facts, Precision precision, RealView view, const SellParams& params,
             Progress& progress);

  std::string id() const override { return "sell"; }
  std::vector<ArrayView> arrays() const override;
  void for_each_slot(const SlotVisitor& visit) const override;
  std::vector<ArrayGrid> grids() const override;

  index_t slice_rows() const { return slice_rows_; }
  index_t slices() const { return static_cast<index_t>(slice_ptr_.size()) - 1; }
  bool permuted() const { return sorted_; }
  const IndexArray& slice_ptr() const { return slice_ptr_; }
  const IndexArray& columns() const { return columns_; }
  const Values& values() const { return values_; }
  const IndexArray& permutation() const { return permutation_; }

 private:
  std::size_t skippable_bytes() const override;
  index_t row_at(index_t i) const { return i >= rows() ? -1 : sorted_ ? permutation_[i] : i; }

  index_t slice_rows_;
  bool sorted_;
  IndexArray slice_ptr_, columns_;
  Values values_;
  IndexArray permutation_;
};

Estimate sell_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> sell_build(const FormatFacts& facts, Precision precision, RealView view,
                                         const ParamSet& params, Progress& progress);
void sell_padding(PaddingRows& to);
FormatInfo sell_info();

}  // namespace warpspy
