#include "core/formats/hyb.hpp"

#include <algorithm>

#include "core/formats/build.hpp"
#include "core/formats/ell.hpp"
#include "core/formats/padding.hpp"

namespace warpspy {
namespace {

index_t width_of(const FormatFacts& facts, Precision precision, const HybParams& p) {
  return hyb_width(LengthSteps(facts.lengths()), facts.csr().cols(), precision, p);
}

std::vector<FormatFact> facts_about(index_t width, index_t in_coo, index_t nnz) {
  const double all = static_cast<double>(std::max<index_t>(nnz, 1));
  return {{"k", static_cast<double>(width)},
          {"ell_share", static_cast<double>(nnz - in_coo) / all},
          {"coo_share", static_cast<double>(in_coo) / all}};
}

}  // namespace

index_t hyb_width(const LengthSteps& lengths, index_t cols, Precision precision, const HybParams& p) {
  const std::size_t value = static_cast<std::size_t>(bytes_of(precision)), column = IndexArray::width(cols);
  return hyb_width({lengths, 0}, static_cast<HybRule>(p.rule), p.k,
                   {p.alignment, value + column, value + column + IndexArray::width(lengths.at_least(0))});
}

Fields<HybParams> hyb_fields() {
  return {{&HybParams::rule, rule_spec()}, {&HybParams::k, k_spec()}, {&HybParams::alignment, alignment_spec()}};
}

Estimate hyb_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const HybParams p = params_of(hyb_fields(), params);
  const Csr& a = facts.csr();
  const index_t width = width_of(facts, precision, p);
  const index_t slots = saturating_count(rounded_up(a.rows(), p.alignment), width);
  const index_t in_coo = a.nnz() - facts.lengths().within[width];
  const index_t below = saturating_count(rounded_up(a.rows(), p.alignment) - a.rows(), width);
  return {{values_size("ell_values", slots, precision), index_size("ell_columns", Kind::indices, slots, a.cols()),
           values_size("coo_values", in_coo, precision), index_size("coo_rows", Kind::indices, in_coo, a.rows()),
           index_size("coo_columns", Kind::indices, in_coo, a.cols())},
          slots + in_coo,
          slots + in_coo - a.nnz(),
          facts_about(width, in_coo, a.nnz()),
          0,
          skippable_of(slots + in_coo - a.nnz(), below, a.cols(), precision)};
}

HybFormat::HybFormat(const FormatFacts& facts, Precision precision, RealView view, const HybParams& params,
                     Progress& progress)
    : Format(facts.csr()),
      width_(width_of(facts, precision, params)),
      pitch_(rounded_up(rows(), params.alignment)),
      coo_entries_(nnz() - facts.lengths().within[width_]),
      ell_columns_(cols(), pitch_ * width_),
      ell_values_(precision, pitch_ * width_),
      coo_rows_(rows(), coo_entries_),
      coo_columns_(cols(), coo_entries_),
      coo_values_(precision, coo_entries_) {
  with_typed(facts.csr(), precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    const auto row = [&](index_t i) { return i < rows() ? i : -1; };
    const auto column = [&](index_t n) { return n * pitch_; };
    const auto beyond = [&](index_t first, index_t last) {
      index_t sum = 0;
      for (index_t r = first; r < std::min(last, rows()); ++r) sum += std::max<index_t>(s.length(r) - width_, 0);
      return sum;
    };
    const std::span<C> coo_columns = coo_columns_.as_mut<C>();
    const std::span<T> coo_values = coo_values_.as_mut<T>();
    coo_rows_.visit_mut([&]<class R>(std::span<R> coo_rows) {
      for_blocks_placed(pitch_, kRowBlock, progress, beyond, [&](index_t first, index_t last, index_t to) {
        s.check_rows(std::min(first, rows()), std::min(last, rows()));
        fill_columns(s, first, last, 0, width_, row, column, ell_columns_.as_mut<C>().data(),
                     ell_values_.as_mut<T>().data());
        for (index_t r = first; r < std::min(last, rows()); ++r)
          for (index_t k = s.ptr[r] + width_; k < s.ptr[r + 1]; ++k, ++to) {
            coo_rows[to] = static_cast<R>(r);
            coo_columns[to] = s.columns[k];
            coo_values[to] = s.value(k);
          }
      });
    });
  });
}

std::vector<ArrayView> HybFormat::arrays() const {
  return {view_of("ell_values", ell_values_, {width_, pitch_}, 0),
          view_of("ell_columns", Kind::indices, ell_columns_, {width_, pitch_}, 0),
          view_of("coo_values", coo_values_, {coo_entries_}, 1),
          view_of("coo_rows", Kind::indices, coo_rows_, {coo_entries_}, 1),
          view_of("coo_columns", Kind::indices, coo_columns_, {coo_entries_}, 1)};
}

std::size_t HybFormat::skippable_bytes() const {
  return skippable_of(padding_of(0), (pitch_ - rows()) * width_, cols(), precision());
}

std::vector<FormatFact> HybFormat::facts() const { return facts_about(width_, coo_entries_, nnz()); }

void HybFormat::for_each_slot(const SlotVisitor& visit) const {
  for (index_t n = 0; n < width_; ++n)
    for (index_t i = 0; i < pitch_; ++i) {
      const index_t at = n * pitch_ + i, column = ell_columns_[at];
      visit(column == kPaddingColumn ? Slot{0, at} : Slot{0, at, i, column, ell_values_[at]});
    }
  for (index_t k = 0; k < coo_entries_; ++k) visit({1, k, coo_rows_[k], coo_columns_[k], coo_values_[k]});
}

std::shared_ptr<const Format> hyb_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress) {
  require_memory("hyb", hyb_estimate(facts, precision, params), facts, precision);
  return std::make_shared<HybFormat>(facts, precision, view, params_of(hyb_fields(), params), progress);
}

void hyb_padding(PaddingRows& to) {
  to.profile.rest = "in COO";
  to.add_all([width = to.fact("k")](index_t) { return width; });
}

FormatInfo hyb_info() {
  return {.id = "hyb",
          .label = "HYB",
          .help = "The typical number of entries of every row in ELL, what exceptional rows have beyond it in COO.",
          .source = "Bell & Garland 2008, section 3.5; HYB-R, sections II.D and IV.C",
          .params = specs_of(hyb_fields()),
          .cut = {"k", "HYB K"},
          .padding_index = FormatInfo::PaddingIndex::column,
          .fact_names = {{"k", "K chosen"}, {"ell_share", "nnz in ELL"}, {"coo_share", "nnz in COO"}},
          .table1_f32 = 6,
          .table1_f64 = 10};
}

}  // namespace warpspy
