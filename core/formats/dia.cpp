#include "core/formats/dia.hpp"

#include <algorithm>
#include <mutex>

#include "core/formats/build.hpp"
#include "core/formats/ell.hpp"
#include "core/formats/padding.hpp"

namespace warpspy {
namespace {

index_t largest_offset(const Csr& a) { return std::max(a.rows(), a.cols()); }

// Slots within the matrix, of a diagonal that has entries: the others hold none, which their place tells.
index_t slots_inside(index_t rows, index_t cols, index_t offset) {
  return std::min(rows, cols - offset) - std::max<index_t>(0, -offset);
}

}  // namespace

Fields<DiaParams> dia_fields() { return {{&DiaParams::alignment, alignment_spec()}}; }

Estimate dia_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const DiaParams p = params_of(dia_fields(), params);
  const Csr& a = facts.csr();
  const auto diagonals = static_cast<index_t>(facts.diagonals().size());
  const index_t stored = saturating_count(rounded_up(a.rows(), p.alignment), diagonals);
  index_t inside = 0;
  for (const index_t offset : facts.diagonals()) inside += slots_inside(a.rows(), a.cols(), offset);
  return {
      {values_size("values", stored, precision), index_size("offsets", Role::pointers, diagonals, largest_offset(a))},
      stored,
      stored - a.nnz(),
      {{"diagonals", static_cast<double>(diagonals)}},
      0,
      values_size({}, stored - inside, precision).bytes};
}

DiaFormat::DiaFormat(const FormatFacts& facts, Precision precision, RealView view, const DiaParams& params,
                     Progress& progress)
    : Format(facts.csr()),
      pitch_(rounded_up(rows(), params.alignment)),
      offsets_(largest_offset(facts.csr()), static_cast<index_t>(facts.diagonals().size())),
      values_(precision, pitch_ * static_cast<index_t>(facts.diagonals().size())) {
  const std::vector<index_t>& offsets = facts.diagonals();
  offsets_.visit_mut([&](auto out) { std::copy(offsets.begin(), offsets.end(), out.begin()); });
  const auto count = static_cast<index_t>(offsets.size());
  std::mutex mutex;
  with_typed(facts.csr(), precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    const std::span<T> values = values_.as_mut<T>();
    // Tiles that stay in the cache between being zeroed and being filled.
    const index_t tile = std::clamp<index_t>((1 << 15) / std::max<index_t>(count, 1) / 16 * 16, 16, kRowBlock);
    for_blocks(pitch_, kRowBlock, progress, [&](index_t block, index_t block_end) {
      std::vector<index_t> zeros;
      for (index_t first = block; first < block_end; first += tile) {
        const index_t end = std::min(first + tile, block_end), last = std::min(end, rows());
        for (index_t d = 0; d < count; ++d) std::fill(&values[d * pitch_ + first], &values[d * pitch_] + end, T{0});
        if (first >= rows()) continue;
        s.check_rows(first, last);
        for (index_t row = first; row < last; ++row) {
          auto at = offsets.begin();
          for (index_t k = s.ptr[row]; k < s.ptr[row + 1]; ++k, ++at) {
            const index_t offset = s.columns[k] - row;
            if (*at != offset) at = std::lower_bound(at, offsets.end(), offset);  // mostly it is the next one
            const index_t position = (at - offsets.begin()) * pitch_ + row;
            values[position] = s.value(k);
            if (values[position] == 0) zeros.push_back(position);
          }
        }
      }
      if (zeros.empty()) return;
      std::lock_guard lock(mutex);
      stored_zeros_.insert(stored_zeros_.end(), zeros.begin(), zeros.end());
    });
  });
  std::sort(stored_zeros_.begin(), stored_zeros_.end());
}

std::vector<ArrayView> DiaFormat::arrays() const {
  return {view_of("values", values_, {diagonals(), pitch_}, 0),
          view_of("offsets", Role::pointers, offsets_, {diagonals()})};
}

std::size_t DiaFormat::skippable_bytes() const {
  index_t inside = 0;
  for (index_t d = 0; d < diagonals(); ++d) inside += slots_inside(rows(), cols(), offsets_[d]);
  return values_size({}, slots() - inside, precision()).bytes;
}

std::vector<FormatFact> DiaFormat::facts() const { return {{"diagonals", static_cast<double>(diagonals())}}; }

void DiaFormat::for_each_slot(const SlotVisitor& visit) const {
  auto zero = stored_zeros_.begin();
  for (index_t d = 0; d < diagonals(); ++d)
    for (index_t i = 0; i < pitch_; ++i) {
      const index_t at = d * pitch_ + i;
      const double value = values_[at];
      const bool listed = zero != stored_zeros_.end() && *zero == at;
      zero += listed;
      visit(value != 0 || listed ? Slot{0, at, i, i + offsets_[d], value} : Slot{0, at});
    }
}

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
