#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "core/plot/figures.hpp"
#include "core/plot/length_counts.hpp"
#include "core/plot/text.hpp"

namespace warpspy::plot {
namespace {

// Colours that everyone can tell apart, and that no memory level has.
const Color kColors[] = {rgb(0x0072B2), rgb(0xE69F00), rgb(0x7A7A7A)};

constexpr std::size_t kLongestLegend = 18;  // in a small frame a legend has only one line

Axis axis_of(const std::vector<LengthsOf>& matrices) {
  index_t longest = 1, shortest = INT64_MAX;
  double median = INFINITY;
  for (const LengthsOf& m : matrices) {
    longest = std::max(longest, m.facts->rows.max);
    shortest = std::min(shortest, m.facts->rows.min);
    median = std::min(median, std::max(1.0, m.facts->rows.median));
  }
  Axis x;
  x.label = "row length (entries)";
  x.integers = true;
  // As in the histogram: if one row is much longer than the others, a log axis shows their differences.
  const bool log = static_cast<double>(longest) > 50 * median;
  x.scale = log ? Scale::log10 : Scale::linear;
  x.min = log && shortest == 0 ? kZeroLeft : left_of_length(std::min(shortest, longest), log);
  x.max = left_of_length(longest + 1, log);
  if (log && shortest == 0) x.named.emplace_back(kZeroMiddle, "0");
  return x;
}

}  // namespace

Plot lengths_figure(const std::vector<LengthsOf>& matrices, const Theme& theme) {
  Plot plot;
  plot.title = "Row lengths";
  plot.y.label = "rows at most this long (%)";
  plot.y.min = 0, plot.y.max = 105;
  plot.columns = {"matrix", "length", "rows", "share", "provenance"};
  plot.x = axis_of(matrices);
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    const LengthsOf& m = matrices[k];
    plot.subtitle += (k > 0 ? ", " : "") + m.name;
    Series curve;
    curve.name = shortened(m.name, kLongestLegend);
    curve.color = kColors[k % std::size(kColors)];
    curve.width = 1.75;
    curve.dashed = k % 2 == 1;  // distinguishable without colour too
    const double rows = static_cast<double>(m.matrix->csr->rows());
    const std::vector<LengthCount> lengths = length_counts(*m.matrix->csr, m.facts->rows);
    if (rows > 0) add_share_curve(curve, lengths, rows, plot.x);
    for (const LengthCount& c : lengths) curve.ids.push_back(static_cast<std::uint64_t>(c.length));
    plot.series.push_back(std::move(curve));
    for (const LengthCount& c : lengths)
      plot.rows.push_back({m.name, std::to_string(c.length), std::to_string(c.rows),
                           exact(static_cast<double>(c.rows) / rows), name_of(Provenance::derived)});
  }
  if (matrices.empty()) plot.notes.push_back({0.5, 50, "no matrices", theme.muted});
  return plot;
}

}  // namespace warpspy::plot
