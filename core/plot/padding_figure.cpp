#include <algorithm>

#include "core/plot/format_figures.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
Plot padding_figure(const std::string& matrix, const std::string& format, const PaddingProfile& profile,
                    const Estimate& estimate, const Theme& theme) {
  Plot plot;
  plot.title = matrix + " in " + format + ": where the padding is";
  plot.subtitle = grouped(estimate.stored) + " slots, " + percent(estimate.padding_ratio()) + " of them padding";
  plot.x.label = profile.order;
  plot.y.label = "slots per row";
  plot.x.integers = true;
  plot.columns = {"first_row", "rows", "entries", "padding", "rest", "provenance"};
  Series entries, padding, rest;
  for (Series* s : {&rest, &padding, &entries}) s->kind = Series::Kind::bars, s->joined = true;
  // Colours that stand for no memory level: used slots, unused slots, and entries that are stored elsewhere.
  entries.color = theme.dark ? rgb(0x56B4E9) : mix(rgb(0x56B4E9), kL2, 0.25);
  padding.color = mix(theme.ground, theme.ink, theme.dark ? 0.3 : 0.2);
  rest.color = mix(rgb(0xB8860B), theme.ground, 0.15);
  entries.name = profile.rest.empty() ? "entries" : "entries in ELL";
  padding.name = "padding";
  rest.name = "entries " + profile.rest;
  double first = 0, ell_top = 0, top = 0;
  bool any_rest = false, any_padding = false;
  for (const PaddingProfile::Group& g : profile.groups) {
    const double n = static_cast<double>(std::max<index_t>(g.rows, 1));
    const double in = static_cast<double>(g.entries) / n, ell = in + static_cast<double>(g.padding) / n,
                 all = ell + static_cast<double>(g.rest) / n;
    for (Series* s : {&rest, &padding, &entries}) s->x.push_back(first);
    entries.y.push_back(in), padding.y.push_back(ell), rest.y.push_back(all);
    ell_top = std::max(ell_top, ell), top = std::max(top, all);
    any_rest |= g.rest > 0, any_padding |= g.padding > 0;
    plot.rows.push_back({exact(first), std::to_string(g.rows), std::to_string(g.entries), std::to_string(g.padding),
                         std::to_string(g.rest), name_of(Provenance::derived)});
    first += static_cast<double>(g.rows);
  }
  if (profile.groups.empty()) {
    plot.notes.push_back({0.5, 0.5, "the matrix has no rows", theme.muted});
    return plot;
  }
  for (Series* s : {&rest, &padding, &entries}) s->x.push_back(first);
  plot.x.max = std::max(first, 1.0);
  // If the axis showed a few long rows in full, the part with padding would be too small to see.
  const double most = std::max(4 * ell_top, 8.0);
  plot.y.max = 1.06 * std::max(1e-9, any_rest ? std::min(top, most) : top);
  if (plot.y.max <= 0) plot.y.max = 1;
  if (any_rest && top > most) plot.y.label += " (up to " + significant(top, 3) + ", cut off)";
  if (any_rest) plot.series.push_back(std::move(rest));
  if (any_padding) plot.series.push_back(std::move(padding));
  plot.series.push_back(std::move(entries));
  return plot;
}

}  // namespace warpspy::plot
