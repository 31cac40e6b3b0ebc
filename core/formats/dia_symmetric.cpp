#include "core/formats/dia_symmetric.hpp"

#include <algorithm>

#include "core/formats/build.hpp"

namespace warpspy {
namespace {

std::vector<index_t> lower_diagonals(const FormatFacts& facts) {
  const std::vector<index_t>& all = facts.diagonals();
  return {all.begin(), std::upper_bound(all.begin(), all.end(), index_t{0})};
}

index_t mirrored_of(const FormatFacts& facts) { return (facts.csr().nnz() - facts.symmetry().diagonal) / 2; }

}  // namespace

Estimate dia_symmetric_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const index_t alignment = params_of(dia_fields(), params).alignment;
  require_symmetric_values("dia_symmetric", facts);
  const index_t mirrored = mirrored_of(facts);
  Estimate e =
      diagonals_estimate(facts.csr(), lower_diagonals(facts), facts.csr().nnz() - mirrored, precision, alignment);
  e.mirrored = mirrored;
  return e;
}

DiaSymmetricFormat::DiaSymmetricFormat(const FormatFacts& facts, Precision precision, RealView view,
                                       const DiaParams& params, Progress& progress)
    : Format(facts.csr()),
      mirrored_(mirrored_of(facts)),
      lower_(diagonals_of(facts, lower_diagonals(facts), precision, view, params.alignment, progress)) {}

std::vector<ArrayView> DiaSymmetricFormat::arrays() const {
  return {view_of("values", values(), {diagonals(), pitch()}, 0),
          view_of("offsets", Kind::pointers, offsets(), {diagonals()})};
}

std::size_t DiaSymmetricFormat::skippable_bytes() const { return skippable_of(lower_, rows(), cols(), precision()); }

std::vector<FormatFact> DiaSymmetricFormat::facts() const { return {{"diagonals", static_cast<double>(diagonals())}}; }

void DiaSymmetricFormat::for_each_slot(const SlotVisitor& visit) const { for_each_slot_of(lower_, true, visit); }

std::shared_ptr<const Format> dia_symmetric_build(const FormatFacts& facts, Precision precision, RealView view,
                                                  const ParamSet& params, Progress& progress) {
  require_memory("dia_symmetric", dia_symmetric_estimate(facts, precision, params), facts, precision);
  return std::make_shared<DiaSymmetricFormat>(facts, precision, view, params_of(dia_fields(), params), progress);
}

FormatInfo dia_symmetric_info() {
  return {.id = "dia_symmetric",
          .label = "DIA, symmetric",
          .help =
              "Whole diagonals of the lower triangle of a symmetric matrix: each stands for the one across the main "
              "diagonal too, so that half of the bytes are left, and no atomics are needed. For symmetric stencils and "
              "bands; others are refused. To convert costs a search for every entry's mirror.",
          .source = "after Bell & Garland 2008, section 3.1, and Anderson et al. 1999 (LAPACK), section 5.3.3",
          .params = specs_of(dia_fields()),
          .compact_of = "dia"};
}

}  // namespace warpspy
