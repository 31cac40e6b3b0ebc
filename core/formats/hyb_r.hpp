// HYB-R splits the COO part of HYB again and again into an ELL part and a COO part (HYB-R paper, section IV.B).
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/facts.hpp"
#include "core/formats/format.hpp"
#include "core/formats/hyb_rule.hpp"

namespace warpspy {

struct HybRParams {
  int rule = static_cast<int>(HybRule::third4096);
  int k = 4;                // K of every part, with HybRule::by_hand
  double stop_share = 0.5;  // %: no further part once less than this share of nnz is left
  int stop_rows = 4096;     // ... or once fewer rows than this are left
  int depth = 64;           // ELL parts at most
  int alignment = 32;
  bool operator==(const HybRParams&) const = default;
};
std::vector<ParamSpec> hyb_r_specs();
HybRParams hyb_r_params(const ParamSet& given);  // throws Error as checked_params does

// One ELL part: of each of the first `rows` rows in the permutation's order, the entries skip..skip+width-1.
struct HybRPart {
  index_t rows = 0, pitch = 0, width = 0, skip = 0;
  index_t begin = 0;  // where this part begins in ell_columns and ell_values
  index_t nnz = 0;
  bool operator==(const HybRPart&) const = default;
};

struct HybRPlan {
  std::vector<HybRPart> parts;
  index_t slots = 0;   // slots of all ELL parts
  index_t in_coo = 0;  // entries left
};
struct HybRShape {
  index_t rows = 0, cols = 0, nnz = 0;
};
// Computes how the rows are divided into parts; this depends only on their lengths.
HybRPlan hyb_r_plan(const LengthSteps& lengths, const HybRShape& of, Precision precision, const HybRParams& params);

// ell_columns, ell_values: the parts one after another, each pitch x width as in EllFormat. coo_rows, coo_columns,
// coo_values: what is left, sorted by row. With two parts or more the rows are reordered by decreasing length, so that
// a part holds only rows that have something left: permutation[i] is the row that comes i-th, and coo_rows counts in
// that order too. With one part there is no permutation. part_begin, part_rows, part_width (one element per part)
// describe the parts for code that reads only the arrays.
class HybRFormat final : public Format {
 public:
  HybRFormat(const FormatFacts& facts, Precision precision, RealView view, const HybRParams& params,
             Progress& progress);

  std::string id() const override { return "hyb_r"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;
  std::vector<ArrayGrid> grids() const override;

  const std::vector<HybRPart>& parts() const { return parts_; }
  bool permuted() const { return parts_.size() > 1; }
  index_t coo_entries() const { return coo_entries_; }
  const IndexArray& permutation() const { return permutation_; }
  const IndexArray& ell_columns() const { return ell_columns_; }
  const Values& ell_values() const { return ell_values_; }
  const IndexArray& coo_rows() const { return coo_rows_; }
  const IndexArray& coo_columns() const { return coo_columns_; }
  const Values& coo_values() const { return coo_values_; }

 private:
  std::size_t skippable_bytes() const override;
  index_t row_at(index_t i) const { return permuted() ? permutation_[i] : i; }

  std::vector<HybRPart> parts_;
  index_t coo_entries_ = 0;
  IndexArray permutation_, ell_columns_;
  Values ell_values_;
  IndexArray coo_rows_, coo_columns_;
  Values coo_values_;
  Buffer<std::int64_t> part_begin_, part_rows_, part_width_;
};

Estimate hyb_r_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> hyb_r_build(const FormatFacts& facts, Precision precision, RealView view,
                                          const ParamSet& params, Progress& progress);
void hyb_r_padding(PaddingRows& to);
FormatInfo hyb_r_info();

}  // namespace warpspy
