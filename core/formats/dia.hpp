// DIA stores every diagonal that has an entry, as a whole (Bell & Garland 2008, section 3.1).
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/diagonals.hpp"
#include "core/formats/format.hpp"

namespace warpspy {

struct DiaParams {
  int alignment = 32;  // rows per column of the array are rounded up to a multiple of this
  bool operator==(const DiaParams&) const = default;
};
Fields<DiaParams> dia_fields();

// offsets: column - row of every diagonal with an entry, increasing; values: pitch x diagonals in column-major order,
// the value of row r on diagonal d at d * pitch + r. Padding is 0: a kernel cannot distinguish it from an entry, and
// multiplies it with x. The format remembers which zeros are entries, so that for_each returns exactly the matrix.
class DiaFormat final : public Format {
 public:
  DiaFormat(const FormatFacts& facts, Precision precision, RealView view, const DiaParams& params, Progress& progress);

  std::string id() const override { return "dia"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;

  index_t pitch() const { return all_.pitch; }
  index_t diagonals() const { return all_.count(); }
  const IndexArray& offsets() const { return all_.offsets; }
  const Values& values() const { return all_.values; }

 private:
  std::size_t skippable_bytes() const override;
  Diagonals all_;
};

Estimate dia_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> dia_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress);
void dia_padding(PaddingRows& to);
FormatInfo dia_info();

}  // namespace warpspy
