#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include <utility>

#include "core/plot/cell_colours.hpp"
#include "core/plot/many_figures.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

using Curve = PerformanceProfile::Curve;

// A kernel slower than this multiple of the best is no candidate. The axis ends there, and a line says how far the
// values go.
constexpr double kMostTau = 16;

// An axis of log2 tau. It has more ticks per factor of two if the range is small.
struct TauAxis {
  double per_octave = 1, end = 1;  // ticks per factor of two; where the curves end
  double at(double tau) const { return std::log2(tau) * per_octave; }
};

TauAxis axis_for(double most) {
  TauAxis a;
  const double octaves = std::log2(std::max(most, 1.02));
  while (a.per_octave < 32 && octaves * a.per_octave < 3) a.per_octave *= 2;
  while (octaves * a.per_octave > 9) a.per_octave /= 2;
  a.end = octaves * a.per_octave * 1.06;
  return a;
}

Axis axis_of(const TauAxis& tau) {
  Axis x;
  x.label = "tau: time / best time of the matrix (log2 axis)";
  x.min = 0, x.max = tau.end;
  for (int k = 0; k <= static_cast<int>(tau.end); ++k) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", std::exp2(k / tau.per_octave));
    x.categories.push_back(text);
  }
  return x;
}

// Colour, shape and dashes by rank, so that two curves differ not only in colour.
struct CurveLook {
  Color color;
  Mark mark;
  bool dashed;
};
CurveLook look_of(std::size_t rank, std::size_t count, const Theme& theme) {
  return {color_of_rank(rank, count, theme), mark_in_turn(rank), rank / 4 % 2 == 1};
}

std::string share_text(const Curve& c, double tau) {
  const auto solved = std::upper_bound(c.ratios.begin(), c.ratios.end(), tau) - c.ratios.begin();
  return percent(c.share(tau)) + " of the matrices (" + std::to_string(solved) + " of " + std::to_string(c.matrices) +
         ")";
}

// The matrices whose time is exactly that multiple of the best, as a range in the curve.
std::pair<std::size_t, std::size_t> solved_at(const Curve& c, double tau) {
  const auto [first, past] = std::equal_range(c.ratios.begin(), c.ratios.end(), tau);
  return {static_cast<std::size_t>(first - c.ratios.begin()), static_cast<std::size_t>(past - c.ratios.begin())};
}

std::string who_is_at(const RunGrid& grid, const Curve& c, double tau) {
  const auto [first, past] = solved_at(c, tau);
  if (first == past) return "";
  const std::size_t more = past - first - 1;
  return "\nhere: " + grid.matrices[c.rows[first]] + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

std::string tooltip_of(const std::string& name, const Curve& c, double tau) {
  return name + "\n" + (tau <= 1 ? "fastest" : "within " + significant(tau, 3) + " times the best") + " on " +
         share_text(c, tau) + "\nsolved " + std::to_string(c.ratios.size()) + " of " + std::to_string(c.matrices);
}

void add_curve(Plot& plot, const RunGrid& grid, const Curve& c, const CurveLook& look, const TauAxis& tau) {
  const std::string& name = grid.columns[c.column];
  Series entry, steps, marks;  // the legend only shows `entry`: line and mark together
  entry.kind = steps.kind = Series::Kind::line;
  marks.kind = Series::Kind::points;
  for (Series* s : {&entry, &steps}) s->color = look.color, s->width = 2, s->dashed = look.dashed;
  entry.name = name, entry.mark = marks.mark = look.mark;
  marks.color = look.color, marks.width = 3.2;
  double y = c.share(1);
  steps.x = {0}, steps.y = {y};
  const auto mark = [&](double ratio, double share) {
    marks.x.push_back(tau.at(ratio)), marks.y.push_back(share);
    marks.tooltips.push_back(tooltip_of(name, c, ratio) + who_is_at(grid, c, ratio));
    const auto [first, past] = solved_at(c, ratio);
    marks.ids.push_back(first < past ? grid.at(c.rows[first], c.column).run : 0);
  };
  mark(1, y);
  for (const double ratio : std::set<double>(c.ratios.begin(), c.ratios.end())) {
    if (ratio <= 1) continue;
    if (tau.at(ratio) > tau.end) break;
    steps.x.push_back(tau.at(ratio)), steps.y.push_back(y);
    y = c.share(ratio);
    steps.x.push_back(tau.at(ratio)), steps.y.push_back(y);
    mark(ratio, y);
  }
  steps.x.push_back(tau.end), steps.y.push_back(y);
  plot.series.push_back(std::move(entry));
  plot.series.push_back(std::move(steps));
  plot.series.push_back(std::move(marks));
}

void add_table(Plot& plot, const RunGrid& grid, const PerformanceProfile& p) {
  plot.columns = {"column", "matrix", "time_over_best", "time_us", "state", "provenance"};
  for (const Curve& c : p.curves)
    for (const std::size_t m : p.matrices) {
      const RunGrid::Cell& cell = grid.at(m, c.column);
      const bool ok = cell.is == RunGrid::Is::ok;
      double best = 0;
      for (const Curve& other : p.curves)
        if (const auto& o = grid.at(m, other.column);
            o.is == RunGrid::Is::ok && grid.rivals(other.column, c.column) && (best == 0 || o.us < best))
          best = o.us;
      plot.rows.push_back({grid.columns[c.column], grid.matrices[m], ok ? exact(cell.us / best) : "",
                           ok ? exact(cell.us) : "", ok ? "ok" : "failed: " + cell.reason,
                           ok ? name_of(cell.provenance) : "unavailable"});
    }
}

}  // namespace

Plot profile_figure(const RunGrid& grid, const Theme& theme) {
  const PerformanceProfile p = profile_of(grid);
  const TauAxis tau = axis_for(std::min(p.most, kMostTau));
  Plot plot;
  plot.title = "Performance profile";
  plot.subtitle = std::to_string(p.matrices.size()) + (p.matrices.size() == 1 ? " matrix" : " matrices") +
                  (grid.conditions.empty() ? "" : "; " + grid.conditions);
  plot.x = axis_of(tau);
  plot.y.label = "share of matrices within tau of the best";
  plot.y.max = 1.04;
  for (std::size_t k = 0; k < p.curves.size() && !p.matrices.empty(); ++k)
    add_curve(plot, grid, p.curves[k], look_of(k, p.curves.size(), theme), tau);
  add_table(plot, grid, p);
  plot.foot = p.notes;
  plot.foot.insert(plot.foot.end(), grid.notes.begin(), grid.notes.end());
  if (p.most > kMostTau)
    plot.foot.push_back("The axis ends at " + significant(kMostTau, 2) + "; the slowest takes " +
                        significant(p.most, 3) + " times the best.");
  if (!grid.precisions.empty()) plot.foot.push_back("The best is that of the same precision.");
  plot.foot.push_back("A failure never counts as solved (Dolan & More 2002).");
  return plot;
}

}  // namespace warpspy::plot
