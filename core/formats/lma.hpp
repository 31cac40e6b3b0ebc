// The local matrix approach stores the small matrix of each finite element, and the element's nodes, instead of the
// assembled matrix (Reguly & Giles 2012, section 8.2 and equation 12). It is only for matrices that come from finite
// elements.
#pragma once

#include "core/catalog/fields.hpp"
#include "core/formats/format.hpp"

namespace warpspy {

struct LmaParams {
  int alignment = 32;  // elements per column of the arrays are rounded up to a multiple of this
  bool operator==(const LmaParams&) const = default;
};
Fields<LmaParams> lma_fields();

// Two dense arrays in column-major order, so that "the nth value of each one is in one contiguous block": node a of
// element e, which is row and column nodes()[a * pitch + e] of the matrix, and entry (a, b) of its matrix at (a *
// nodes_per_element + b) * pitch + e. The elements that `pitch` adds have node -1 and values 0. The entry (i, j) of the
// matrix is the sum of all slots of that row and column: those beyond the first count as padding.
class LmaFormat final : public Format {
 public:
  static constexpr std::int32_t padding_node = -1;

  // Throws Error when the facts know of no elements.
  LmaFormat(const FormatFacts& facts, Precision precision, const LmaParams& params, Progress& progress);

  std::string id() const override { return "lma"; }
  std::vector<ArrayView> arrays() const override;
  std::vector<FormatFact> facts() const override;
  void for_each_slot(const SlotVisitor& visit) const override;

  index_t elements() const { return elements_; }
  index_t nodes_per_element() const { return per_element_; }
  index_t pitch() const { return pitch_; }
  const IndexArray& nodes() const { return nodes_; }
  const Values& values() const { return values_; }

 private:
  std::size_t skippable_bytes() const override;
  index_t elements_, per_element_, pitch_;
  IndexArray nodes_;
  Values values_;
};

Estimate lma_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params);
std::shared_ptr<const Format> lma_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress);
FormatInfo lma_info();

}  // namespace warpspy
