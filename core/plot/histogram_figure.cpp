#include <algorithm>
#include <cmath>

#include "core/plot/figures.hpp"
#include "core/plot/length_counts.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

constexpr int kMostBars = 128;
const Color kBars = rgb(0x56B4E9);        // Okabe-Ito sky blue: means no memory level
const Color kCumulative = rgb(0xB8860B);  // dark yellow, far from it for every eye
const Color kQuartile = rgb(0x7A7A7A);

// The edges of bars that hold whole lengths: [edges[k], edges[k+1]).
std::vector<index_t> linear_edges(index_t first, index_t last) {
  const index_t span = last - first + 1;
  index_t width = 1;
  // Widths are 1, 2, 5, 10, ..., so that edges are round numbers.
  for (index_t scale = 1; (span + width - 1) / width > kMostBars; scale *= 10)
    for (index_t m : {1, 2, 5})
      if (width = m * scale; (span + width - 1) / width <= kMostBars) break;
  std::vector<index_t> edges;
  for (index_t e = first / width * width; e <= last; e += width) edges.push_back(e);
  edges.push_back(edges.back() + width);
  return edges;
}

// Bars of similar width on a log axis, at least one length each.
std::vector<index_t> log_edges(index_t first, index_t last) {
  if (last - first < 48) return linear_edges(first, last);
  const double decades = std::log10(static_cast<double>(last + 1) / static_cast<double>(first));
  const double per_decade = std::clamp(48 / std::max(decades, 1.0), 8.0, 20.0);
  const double ratio = std::pow(10.0, 1 / per_decade);
  std::vector<index_t> edges = {first};
  double ideal = static_cast<double>(first);
  while (edges.back() <= last) {
    while (std::llround(ideal) <= edges.back()) ideal *= ratio;
    edges.push_back(std::llround(ideal));
  }
  return edges;
}

std::string length_text(index_t first, index_t past) {
  if (past - first == 1) return grouped(first) + (first == 1 ? " entry" : " entries");
  return grouped(first) + " to " + grouped(past - 1) + " entries";
}

// Quartiles that coincide are drawn as one line: "Q1 = median: 5".
void add_quartiles(Plot& plot, const RowStats& stats) {
  struct Quartile {
    const char* name;
    double value;
  };
  const Quartile all[] = {{"Q1", stats.q1}, {"median", stats.median}, {"Q3", stats.q3}};
  for (std::size_t k = 0; k < 3;) {
    std::string label = all[k].name;
    std::size_t next = k + 1;
    for (; next < 3 && all[next].value == all[k].value; ++next) label += std::string(" = ") + all[next].name;
    Series s;
    s.kind = Series::Kind::vline;
    s.label = label + ": " + short_number(all[k].value);
    // On a log axis, lengths below 1 are in the first bar.
    s.x = {plot.x.scale == Scale::log10 && all[k].value < 1 ? kZeroMiddle : all[k].value};
    s.color = kQuartile;
    s.faint = true;
    s.width = 1;
    s.dashed = true;
    plot.series.push_back(std::move(s));
    k = next;
  }
}

// Draws the cut between the bar of its length and the next one. If it exceeds the longest row it is drawn at the edge
// and says so.
void add_cut(Plot& plot, const HistogramStyle& style, const Theme& theme) {
  const auto past = static_cast<index_t>(style.cut) + 1;
  const double at =
      past <= 1 && plot.x.scale == Scale::log10 ? plot.x.min : left_of_length(past, plot.x.scale == Scale::log10);
  Series s;
  s.kind = Series::Kind::vline;
  s.label = at > plot.x.max ? style.cut_label + " \xE2\x86\x92" : style.cut_label;
  s.x = {std::clamp(at, plot.x.min, plot.x.max)};
  s.color = theme.ink;
  s.width = 1.6;
  plot.series.push_back(std::move(s));
}

// The figure's numbers: every length and not every bar.
void add_numbers(Plot& plot, const std::vector<LengthCount>& lengths, double rows) {
  plot.columns = {"length", "rows", "share", "cumulative", "provenance"};
  index_t so_far = 0;
  for (const LengthCount& c : lengths) {
    so_far += c.rows;
    plot.rows.push_back({std::to_string(c.length), std::to_string(c.rows), exact(static_cast<double>(c.rows) / rows),
                         exact(static_cast<double>(so_far) / rows), name_of(Provenance::derived)});
  }
}

// On a log axis, empty rows get a bar of their own at the left.
bool has_leading_bar(const RowStats& stats, const HistogramStyle& style) { return style.log_x && stats.min == 0; }

// Returns the height of the tallest bar in rows.
index_t add_bars(Plot& plot, const std::vector<LengthCount>& lengths, const RowStats& stats,
                 const HistogramStyle& style, double rows, const Theme& theme) {
  const std::vector<index_t> edges = style.log_x
                                         ? log_edges(std::max<index_t>(stats.min, 1), std::max<index_t>(stats.max, 1))
                                         : linear_edges(stats.min, stats.max);
  Series bars;
  bars.kind = Series::Kind::bars;
  bars.color = theme.dark ? kBars : mix(kBars, kL2, 0.25);
  index_t tallest = 0;
  std::size_t at = 0;
  const auto add_bar = [&](double left, index_t first, index_t past) {
    index_t n = 0;
    for (; at < lengths.size() && lengths[at].length < past; ++at) n += lengths[at].rows;
    tallest = std::max(tallest, n);
    bars.x.push_back(left);
    bars.y.push_back(static_cast<double>(n));
    bars.ids.push_back(static_cast<std::uint64_t>(first));
    bars.tooltips.push_back(past == first
                                ? std::string()
                                : length_text(first, past) + "\n" + grouped(n) + (n == 1 ? " row, " : " rows, ") +
                                      percent(static_cast<double>(n) / rows));
  };
  if (has_leading_bar(stats, style)) {
    add_bar(kZeroLeft, 0, 1);
    add_bar(kZeroRight, 1, 1);  // the gap: no length at all
    plot.x.named.emplace_back(kZeroMiddle, "0");
  }
  for (std::size_t k = 0; k + 1 < edges.size(); ++k)
    add_bar(left_of_length(edges[k], style.log_x), edges[k], edges[k + 1]);
  bars.x.push_back(left_of_length(edges.back(), style.log_x));
  bars.ids.push_back(static_cast<std::uint64_t>(edges.back()));
  plot.series.push_back(std::move(bars));
  return tallest;
}

void set_axes(Plot& plot, const HistogramStyle& style, index_t tallest) {
  plot.x.scale = style.log_x ? Scale::log10 : Scale::linear;
  plot.x.integers = true;
  plot.x.min = plot.series[0].x.front();
  plot.x.max = plot.series[0].x.back();
  plot.y.scale = style.log_y ? Scale::log10 : Scale::linear;
  plot.y.min = style.log_y ? 0.6 : 0;
  plot.y.max = static_cast<double>(tallest) * (style.log_y ? 1.6 : 1.05);
  plot.y.integers = true;
}

// The share of rows that are at most this long, on an axis of its own.
void add_cumulative(Plot& plot, const std::vector<LengthCount>& lengths, double rows) {
  Series curve;
  curve.color = kCumulative;
  curve.right_axis = true;
  curve.width = 1.75;
  add_share_curve(curve, lengths, rows, plot.x);
  plot.series.push_back(std::move(curve));
  plot.y2 = Axis{};
  plot.y2->label = "rows at most this long (%)";
  plot.y2->min = 0, plot.y2->max = 105;
}

}  // namespace

Plot histogram_figure(const Matrix& m, const RowStats& stats, const HistogramStyle& style, const Theme& theme) {
  const Csr& a = *m.csr;
  Plot plot;
  plot.title = m.source.name + ": row lengths";
  plot.legend = false;
  plot.x.label = "row length (entries)";
  plot.y.label = "rows";
  const double rows = static_cast<double>(a.rows());
  if (a.rows() == 0) {
    plot.subtitle = "0 rows";
    plot.notes.push_back({0.5, 0.5, "the matrix has no rows", theme.muted});
    add_numbers(plot, {}, rows);
    return plot;
  }
  plot.subtitle = grouped(a.rows()) + " rows, mean " + significant(stats.mean, 3) + ", longest " + grouped(stats.max) +
                  ", " + (stats.empty ? grouped(stats.empty) + " empty" : std::string("none empty"));
  const std::vector<LengthCount> lengths = length_counts(a, stats);
  add_numbers(plot, lengths, rows);
  set_axes(plot, style, add_bars(plot, lengths, stats, style, rows, theme));
  if (style.cumulative) add_cumulative(plot, lengths, rows);
  if (style.quartiles) add_quartiles(plot, stats);
  if (!style.cut_label.empty()) add_cut(plot, style, theme);
  return plot;
}

}  // namespace warpspy::plot
