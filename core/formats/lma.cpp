#include "core/formats/lma.hpp"

#include "core/formats/build.hpp"
#include "core/formats/ell.hpp"

namespace warpspy {
namespace {

const ElementMatrices& elements_of(const FormatFacts& facts) {
  if (const ElementMatrices* elements = facts.elements()) return *elements;
  throw Error("format lma needs the element matrices, which this matrix does not have", {},
              "use a matrix of a finite element generator: gen:fem_quad");
}

[[noreturn]] void refuse(const ElementMatrices& e, index_t element, index_t k) {
  const auto node = [&](index_t a) { return std::to_string(e.map[element * e.nodes + a]); };
  throw Error("a part of the value in row " + node(k / e.nodes) + ", column " + node(k % e.nodes) + " does not fit f32",
              {}, "use precision f64");
}

// Entry k of the matrices of elements first to last - 1, as type T.
template <class T>
void fill(const ElementMatrices& e, index_t first, index_t last, index_t k, T* to) {
  for (index_t i = first; i < last; ++i) {
    const double v = e.matrices[i * e.nodes * e.nodes + k];
    to[i] = static_cast<T>(v);
    if (!std::isfinite(to[i]) && std::isfinite(v)) refuse(e, i, k);
  }
}

// Size of some elements, such as those that `alignment` adds.
std::size_t bytes_of_elements(index_t elements, index_t nodes, index_t cols, Precision precision) {
  return skippable_of(saturating_count(elements, nodes * nodes), saturating_count(elements, nodes), cols, precision);
}

}  // namespace

Fields<LmaParams> lma_fields() {
  ParamSpec alignment = alignment_spec();
  alignment.label = "Element alignment";
  alignment.help = "Elements are padded to a multiple of this, so that each column of the arrays begins aligned.";
  return {{&LmaParams::alignment, alignment}};
}

Estimate lma_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const LmaParams p = params_of(lma_fields(), params);
  const ElementMatrices& e = elements_of(facts);
  const index_t pitch = rounded_up(e.elements, p.alignment);
  const index_t stored = saturating_count(pitch, e.nodes * e.nodes);
  return {{values_size("matrices", stored, precision),
           index_size("nodes", Kind::indices, saturating_count(pitch, e.nodes), facts.csr().cols())},
          stored,
          stored - facts.csr().nnz(),
          {{"elements", static_cast<double>(e.elements)}, {"nodes_per_element", static_cast<double>(e.nodes)}},
          0,
          bytes_of_elements(pitch - e.elements, e.nodes, facts.csr().cols(), precision)};
}

LmaFormat::LmaFormat(const FormatFacts& facts, Precision precision, const LmaParams& params, Progress& progress)
    : Format(facts.csr()),
      elements_(elements_of(facts).elements),
      per_element_(elements_of(facts).nodes),
      pitch_(rounded_up(elements_, params.alignment)),
      nodes_(cols(), pitch_ * per_element_),
      values_(precision, pitch_ * per_element_ * per_element_) {
  const ElementMatrices& e = elements_of(facts);
  // Processes blocks of elements with all their columns, so that input stays in the cache until its last column is
  // written.
  const index_t block = std::max<index_t>(16, kEntryBlock / (per_element_ * per_element_));
  nodes_.visit_mut([&]<class I>(std::span<I> nodes) {
    const auto fill_values = [&]<class T>(std::span<T> values) {
      for_blocks(pitch_, block, progress, [&](index_t first, index_t last) {
        const index_t real = std::clamp(elements_, first, last);
        for (index_t a = 0; a < per_element_; ++a) {
          I* column = nodes.data() + a * pitch_;
          for (index_t i = first; i < real; ++i) column[i] = static_cast<I>(e.map[i * per_element_ + a]);
          std::fill(column + real, column + last, static_cast<I>(padding_node));
        }
        for (index_t k = 0; k < per_element_ * per_element_; ++k) {
          T* column = values.data() + k * pitch_;
          fill(e, first, real, k, column);
          std::fill(column + real, column + last, T{0});
        }
      });
    };
    if (precision == Precision::f32) {
      fill_values(values_.as_mut<float>());
    } else {
      fill_values(values_.as_mut<double>());
    }
  });
}

std::vector<ArrayView> LmaFormat::arrays() const {
  return {view_of("matrices", values_, {per_element_ * per_element_, pitch_}, 0),
          view_of("nodes", Kind::indices, nodes_, {per_element_, pitch_})};
}

std::size_t LmaFormat::skippable_bytes() const {
  return bytes_of_elements(pitch_ - elements_, per_element_, cols(), precision());
}

std::vector<FormatFact> LmaFormat::facts() const {
  return {{"elements", static_cast<double>(elements_)}, {"nodes_per_element", static_cast<double>(per_element_)}};
}

void LmaFormat::for_each_slot(const SlotVisitor& visit) const {
  for (index_t k = 0; k < per_element_ * per_element_; ++k)
    for (index_t i = 0; i < pitch_; ++i) {
      const index_t at = k * pitch_ + i, row = nodes_[k / per_element_ * pitch_ + i];
      visit(row == padding_node ? Slot{0, at} : Slot{0, at, row, nodes_[k % per_element_ * pitch_ + i], values_[at]});
    }
}

std::shared_ptr<const Format> lma_build(const FormatFacts& facts, Precision precision, RealView, const ParamSet& params,
                                        Progress& progress) {
  require_memory("lma", lma_estimate(facts, precision, params), facts, precision);
  return std::make_shared<LmaFormat>(facts, precision, params_of(lma_fields(), params), progress);
}

FormatInfo lma_info() {
  return {.id = "lma",
          .label = "LMA",
          .help =
              "Local matrix approach: the dense matrix of every finite element, and the nodes of the element, instead "
              "of the "
              "assembled matrix. Less index data; products add into shared rows.",
          .source = "Reguly & Giles 2012, section 8.2",
          .params = specs_of(lma_fields())};
}

}  // namespace warpspy
