// Compact CSR stores the numbers of CSR in fewer bytes. If all values are equal, the value is stored once. A few
// different values are stored in a table, with a byte per entry that is an index into it (value indexing: Kourtis,
// Goumas & Koziris 2008). f64 values that are exact in f32 are stored as f32. Columns take 16 bits if all fit. Every
// value is kept bit for bit.
#pragma once

#include "core/formats/format.hpp"

namespace warpspy {

// Tells how values are stored. The form that takes the fewest bytes is used; if two take the same, the first.
enum class ValueForm : std::uint8_t { one, indexed, narrow, whole };
// Returns the form for nnz values, of which `distinct` are different. `distinct` is 0 if there are too many for a
// table, or if the number is unknown.
ValueForm value_form_of(index_t distinct, bool exact_in_f32, index_t nnz, Precision precision);
// Whether columns take 16 bits.
bool has_short_columns(index_t cols, index_t nnz);

// row_ptr: as in CSR. columns: 16 bits if the matrix has at most 65536, else as in CSR. The values have one of four
// forms. one: only `table`, with one value. indexed: value_index has a byte for each entry, which is an index into
// `table` (at most 256 values). narrow: values in f32. whole: values in the chosen precision.
class CsrCompactFormat final : public Format {
 public:
  CsrCompactFormat(const FormatFacts& facts, Precision precision, RealView view, Progress& progress);

  std::string id() const override { return "csr_compact"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;
  Precision precision() const override { return precision_; }

  ValueForm form() const { return form_; }
  const Values& table() const { return table_; }
  std::span<const std::uint8_t> value_index() const { return value_index_.span(); }
  const Values& values() const { return values_; }  // f32 where narrow
  const IndexArray& row_ptr() const { return row_ptr_; }
  bool has_short_columns() const { return short_columns_.size() > 0; }
  std::span<const std::uint16_t> short_columns() const { return short_columns_.span(); }
  const IndexArray& columns() const { return columns_; }  // empty where they are short

 private:
  double value(index_t k) const;

  Precision precision_;
  ValueForm form_;
  IndexArray row_ptr_, columns_;
  Buffer<std::uint16_t> short_columns_;
  Values table_, values_;
  Buffer<std::uint8_t> value_index_;
};

Estimate csr_compact_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> csr_compact_build(const FormatFacts& facts, Precision precision, RealView view,
                                                const ParamSet& params, Progress& progress);
FormatInfo csr_compact_info();

}  // namespace warpspy
