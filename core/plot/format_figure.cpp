#include "core/plot/format_figures.hpp"

namespace warpspy::plot {
namespace {

constexpr std::size_t kMostSlots = 2400;  // the most slots of printed arrays, padding included

Error only_small(const FormatRow& row) {
  return Error("the arrays of " + row.info.label + " are printed for matrices of at most " +
                   std::to_string(kMostPrintedRows) + " rows and " + std::to_string(kMostSlots) + " slots",
               {}, "choose a smaller matrix, or a format whose padding can be drawn");
}

}  // namespace

Plot format_figure(const Matrix& m, const FormatFacts& facts, const FormatChoice& choice, FormatPicture picture,
                   const Budget& budget, const Theme& theme, Progress& progress) {
  const FormatRow& row = format_row(choice.format);
  const Csr& a = *m.csr;
  const bool small = a.rows() <= kMostPrintedRows;
  // The estimate would take seconds in vain: such a format has no picture of its padding.
  if (row.slow_estimate && !small) throw only_small(row);
  const Estimate e = row.estimate(facts, choice.precision, choice.params);
  const bool printable = small && static_cast<std::size_t>(e.stored) <= kMostSlots;
  if (picture == FormatPicture::arrays && !printable) throw only_small(row);
  if (picture != FormatPicture::padding && printable) {
    if (!fits(e, budget).fits) throw refusal(row.info.id, e, facts, choice.precision, budget);
    const auto built = row.build(facts, choice.precision, choice.view, choice.params, progress);
    try {
      return layout_figure(m, *built, row.info.label, theme);
    } catch (const Error&) {
      // Too many elements to print, so the picture shows where the padding is.
      if (picture == FormatPicture::arrays) throw;
    }
  }
  const auto profile = padding_profile(facts, choice.format, choice.params, e);
  if (profile) return padding_figure(m.source.name, row.info.label, *profile, e, theme);
  if (picture == FormatPicture::padding)
    throw Error("the padding of " + row.info.label + " belongs to no row: there is no picture of it", {},
                "draw its arrays, for a matrix of at most " + std::to_string(kMostPrintedRows) + " rows");
  throw only_small(row);
}

}  // namespace warpspy::plot
