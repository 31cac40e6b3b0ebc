// Stores the diagonals of the lower triangle of a symmetric matrix. A stored diagonal also stands for its mirror above
// the main diagonal. (It is the band storage of LAPACK, for diagonals that need not be neighbours.)
#pragma once

#include "core/formats/dia.hpp"

namespace warpspy {

// Like DiaFormat, but only with the diagonals up to the main one: offsets 0 and less. An entry off the main diagonal
// also stands for its mirror: value (r, r + offset) at d * pitch + r is that of (r + offset, r).
class DiaSymmetricFormat final : public Format {
 public:
  DiaSymmetricFormat(const FormatFacts& facts, Precision precision, RealView view, const DiaParams& params,
                     Progress& progress);

  std::string id() const override { return "dia_symmetric"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;
  index_t mirrored() const override { return mirrored_; }

  index_t pitch() const { return lower_.pitch; }
  index_t diagonals() const { return lower_.count(); }
  const IndexArray& offsets() const { return lower_.offsets; }
  const Values& values() const { return lower_.values; }

 private:
  std::size_t skippable_bytes() const override;
  index_t mirrored_;
  Diagonals lower_;
};

Estimate dia_symmetric_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> dia_symmetric_build(const FormatFacts& facts, Precision precision, RealView view,
                                                  const ParamSet& params, Progress& progress);
FormatInfo dia_symmetric_info();

}  // namespace warpspy
