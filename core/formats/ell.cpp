#include "core/formats/ell.hpp"

#include <algorithm>

#include "core/formats/build.hpp"
#include "core/formats/padding.hpp"

namespace warpspy {

ParamSpec alignment_spec() {
  return {.id = "alignment",
          .label = "Row alignment",
          .help = "Rows are padded to a multiple of this, so that each column of the arrays begins aligned.",
          .type = ParamSpec::Type::power_of_two,
          .min = 1,
          .max = 1024};
}

Fields<EllParams> ell_fields() {
  return {{&EllParams::alignment, alignment_spec()},
          {&EllParams::row_lengths,
           {.id = "row_lengths",
            .label = "Row lengths",
            .help = "Keep the length of every row, so that a kernel stops at its end instead of reading padding "
                    "(ELLPACK-R).",
            .type = ParamSpec::Type::choice,
            .min = 0,
            .max = 1,
            .choices = {"left out", "kept"}}}};
}

Estimate ell_estimate(const FormatFacts& facts, Precision precision, const ParamSet& params) {
  const EllParams p = params_of(ell_fields(), params);
  const Csr& a = facts.csr();
  const index_t width = facts.lengths().longest;
  const index_t stored = saturating_count(rounded_up(a.rows(), p.alignment), width);
  Estimate e{{values_size("values", stored, precision), index_size("columns", Kind::indices, stored, a.cols())},
             stored,
             stored - a.nnz(),
             {{"k", static_cast<double>(width)}}};
  if (p.row_lengths) e.arrays.push_back(index_size("row_lengths", Kind::pointers, a.rows(), width));
  const index_t below = saturating_count(rounded_up(a.rows(), p.alignment) - a.rows(), width);
  e.skippable = skippable_of(e.padding, p.row_lengths ? e.padding : below, a.cols(), precision);
  return e;
}

EllFormat::EllFormat(const FormatFacts& facts, Precision precision, RealView view, const EllParams& params,
                     Progress& progress)
    : Format(facts.csr()),
      pitch_(rounded_up(rows(), params.alignment)),
      width_(facts.lengths().longest),
      has_lengths_(params.row_lengths != 0),
      columns_(cols(), pitch_ * width_),
      values_(precision, pitch_ * width_),
      row_lengths_(width_, has_lengths_ ? rows() : 0) {
  with_typed(facts.csr(), precision, view, [&]<class T, class C>(const TypedCsr<T, C>& s) {
    const auto row = [&](index_t i) { return i < rows() ? i : -1; };
    const auto column = [&](index_t n) { return n * pitch_; };
    for_blocks(pitch_, kRowBlock, progress, [&](index_t first, index_t last) {
      s.check_rows(std::min(first, rows()), std::min(last, rows()));
      fill_columns(s, first, last, 0, width_, row, column, columns_.as_mut<C>().data(), values_.as_mut<T>().data());
    });
    row_lengths_.visit_mut([&]<class L>(std::span<L> lengths) {
      for_blocks(static_cast<index_t>(lengths.size()), kEntryBlock, progress, [&](index_t first, index_t last) {
        for (index_t r = first; r < last; ++r) lengths[r] = static_cast<L>(s.length(r));
      });
    });
  });
}

std::vector<ArrayView> EllFormat::arrays() const {
  std::vector<ArrayView> all{view_of("values", values_, {width_, pitch_}, 0),
                             view_of("columns", Kind::indices, columns_, {width_, pitch_}, 0)};
  if (has_lengths_) all.push_back(view_of("row_lengths", Kind::pointers, row_lengths_, {rows()}));
  return all;
}

std::size_t EllFormat::skippable_bytes() const {
  const index_t padding = padding_of(0);
  return skippable_of(padding, has_lengths_ ? padding : (pitch_ - rows()) * width_, cols(), precision());
}

std::vector<FormatFact> EllFormat::facts() const { return {{"k", static_cast<double>(width_)}}; }

void EllFormat::for_each_slot(const SlotVisitor& visit) const {
  for (index_t n = 0; n < width_; ++n)
    for (index_t i = 0; i < pitch_; ++i) {
      const index_t at = n * pitch_ + i, column = columns_[at];
      visit(column == padding_column ? Slot{0, at} : Slot{0, at, i, column, values_[at]});
    }
}

std::shared_ptr<const Format> ell_build(const FormatFacts& facts, Precision precision, RealView view,
                                        const ParamSet& params, Progress& progress) {
  require_memory("ell", ell_estimate(facts, precision, params), facts, precision);
  return std::make_shared<EllFormat>(facts, precision, view, params_of(ell_fields(), params), progress);
}

void ell_padding(PaddingRows& to) {
  to.add_all([width = to.facts.lengths().longest](index_t) { return width; });
}

FormatInfo ell_info() {
  return {.id = "ell",
          .label = "ELLPACK",
          .help =
              "Every row padded to the longest one and stored column by column, so that neighbouring threads read "
              "neighbouring "
              "entries. Good while the longest row is not much longer than the mean.",
          .source = "Bell & Garland 2008, section 3.2",
          .params = specs_of(ell_fields()),
          .cut = {"k", "ELL width"},
          .padding_index = FormatInfo::PaddingIndex::column,
          .fact_names = {{"k", "K chosen"}},
          .table1_f32 = 6,
          .table1_f64 = 10};
}

}  // namespace warpspy
