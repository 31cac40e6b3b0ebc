#include "core/formats/dia.hpp"

#include "core/formats/build.hpp"
#include "core/formats/ell.hpp"
#include "core/formats/padding.hpp"

namespace warpspy {

Fields<DiaParams> dia_fields() { return {{&DiaParams::alignment, alignment_spec()}}; }

Estimate dia_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const Csr& a = facts.csr();
  return diagonals_estimate(a, facts.diagonals(), a.nnz(), precision, params_of(dia_fields(), params).alignment);
}

DiaFormat::DiaFormat(const FormatFacts& facts, Precision precision, RealView view, const DiaParams& params,
                     Progress& progress)
    : Format(facts.csr()), all_(diagonals_of(facts, facts.diagonals(), precision, view, params.alignment, progress)) {}

std::vector<ArrayView> DiaFormat::arrays() const {
  return {view_of("values", values(), {diagonals(), pitch()}, 0),
          view_of("offsets", Kind::pointers, offsets(), {diagonals()})};
}

std::size_t DiaFormat::skippable_bytes() const { return skippable_of(all_, rows(), cols(), precision()); }

std::vector<FormatFact> DiaFormat::facts() const { return {{"diagonals", static_cast<double>(diagonals())}}; }

void DiaFormat::for_each_slot(const SlotVisitor& visit) const { for_each_slot_of(all_, false, visit); }

std::shared_ptr<const Format> dia_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress) {
  require_memory("dia", dia_estimate(facts, precision, params), facts, precision);
  return std::make_shared<DiaFormat>(facts, precision, view, params_of(dia_fields(), params), progress);
}

void dia_padding(PaddingRows& to) {
  to.add_all([width = static_cast<index_t>(to.facts.diagonals().size())](index_t) { return width; });
}

FormatInfo dia_info() {
  return {
      .id = "dia",
      .label = "DIA",
      .help =
          "Whole diagonals, with no column indices at all. For matrices of stencils on regular grids; every diagonal "
          "with a single entry costs a column of padding.",
      .source = "Bell & Garland 2008, section 3.1",
      .params = specs_of(dia_fields()),
      .table1_f32 = 4,
      .table1_f64 = 8};
}

}  // namespace warpspy
