#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include "core/plot/cell_colours.hpp"
#include "core/plot/many_figures.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

using Cell = RunGrid::Cell;
constexpr std::size_t kLongestName = 26;

// The number that a cell's colour shows; nothing if there is none.
std::optional<double> value_of(const RunGrid& grid, std::size_t m, std::size_t c, GridMeasure measure) {
  const Cell& cell = grid.at(m, c);
  if (cell.is != RunGrid::Is::ok) return std::nullopt;
  switch (measure) {
    case GridMeasure::gflops:
      return cell.gflops;
    case GridMeasure::roof_share:
      return cell.share;
    case GridMeasure::over_best: {
      const auto best = grid.best_us(m, c);
      return best && *best > 0 ? std::optional(cell.us / *best) : std::nullopt;
    }
    case GridMeasure::preparation:
      return grid.preparation(m, c);
  }
  return std::nullopt;
}

std::string short_text(double v, GridMeasure measure) {
  return measure == GridMeasure::roof_share ? percent(v) : significant(v, 3);
}

// The worst and the best value of all cells.
struct ValueRange {
  double least = INFINITY, most = -INFINITY;
  double above_zero = INFINITY;  // the least of those that a logarithm has
  GridMeasure measure = GridMeasure::gflops;

  bool any() const { return most >= least; }
  bool less_is_better() const { return measure == GridMeasure::over_best || measure == GridMeasure::preparation; }
  // Speeds and ratios are shown on a log scale; shares are not. A 0 gets the lowest colour.
  bool logarithmic() const { return measure != GridMeasure::roof_share && most > 4 * above_zero; }
  double at(double t) const {
    return logarithmic() ? above_zero * std::pow(most / above_zero, t) : least + t * (most - least);
  }
  std::uint32_t level(double v) const {
    double t = 1;
    if (most > least)
      t = !logarithmic() ? (v - least) / (most - least)
          : v > 0        ? std::log(v / above_zero) / std::log(most / above_zero)
                         : 0;
    if (less_is_better()) t = most > least ? 1 - t : 1;
    return static_cast<std::uint32_t>(1 + 999 * std::clamp(t, 0.0, 1.0));
  }
};

ValueRange value_range(const RunGrid& grid, GridMeasure measure) {
  ValueRange r;
  r.measure = measure;
  for (std::size_t m = 0; m < grid.matrices.size(); ++m)
    for (std::size_t c = 0; c < grid.columns.size(); ++c)
      if (const auto v = value_of(grid, m, c, measure)) {
        r.least = std::min(r.least, *v), r.most = std::max(r.most, *v);
        if (*v > 0) r.above_zero = std::min(r.above_zero, *v);
      }
  return r;
}

std::string provenance_text(const RunGrid& grid) {
  std::set<Provenance> all;
  for (const Cell& c : grid.cells)
    if (c.is == RunGrid::Is::ok) all.insert(c.provenance);
  std::string text;
  for (const Provenance p : all) text += (text.empty() ? "" : " and ") + std::string(name_of(p));
  return text;
}

std::string tooltip_of(const RunGrid& grid, std::size_t m, std::size_t c) {
  const Cell& cell = grid.at(m, c);
  std::string tooltip = grid.matrices[m] + ", " + grid.columns[c];
  if (cell.is == RunGrid::Is::missing) return tooltip + "\nnot run";
  if (cell.is == RunGrid::Is::failed) return tooltip + "\nfailed: " + cell.reason;
  tooltip += "\n" + significant(cell.gflops, 4) + " GFLOP/s, " + significant(cell.us, 4) + " \xC2\xB5s (" +
             name_of(cell.provenance) + ")";
  if (cell.share) tooltip += "\n" + percent(*cell.share) + " of the nearest roof";
  if (const auto over = value_of(grid, m, c, GridMeasure::over_best))
    tooltip += "\n" + significant(*over, 3) + " times the best of this matrix" +
               (grid.precisions.empty() ? "" : " at this precision");
  if (const auto products = grid.preparation(m, c))
    tooltip += "\nprepared in " + significant(*products, 3) + " products of the best CSR kernel";
  return cell.params.empty() ? tooltip : tooltip + "\n" + cell.params;
}

void add_cells(Plot& plot, const RunGrid& grid, const ValueRange& range, const Theme& theme) {
  const auto w = static_cast<int>(grid.columns.size()), h = static_cast<int>(grid.matrices.size());
  std::vector<std::uint32_t> levels;
  Series cells;  // an invisible series with tooltips and ids
  cells.kind = Series::Kind::line;
  for (std::size_t m = 0; m < grid.matrices.size(); ++m)
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      const auto v = value_of(grid, m, c, range.measure);
      levels.push_back(v ? range.level(*v) : 0);
      cells.tooltips.push_back(tooltip_of(grid, m, c));
      cells.ids.push_back(grid.at(m, c).run);
    }
  const auto pixels = std::make_shared<const std::vector<std::uint32_t>>(cell_colours(levels, theme));
  for (std::size_t m = 0; m < grid.matrices.size(); ++m)
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      if (grid.at(m, c).is != RunGrid::Is::ok) continue;
      const auto v = value_of(grid, m, c, range.measure);
      plot.cell_texts.push_back({static_cast<double>(c), static_cast<double>(m),
                                 v ? short_text(*v, range.measure) : "n/a",
                                 ink_on(color_of_pixel((*pixels)[m * grid.columns.size() + c]))});
    }
  plot.images.push_back({-0.5, w - 0.5, -0.5, h - 0.5, w, h, pixels});
  plot.series.push_back(std::move(cells));
  add_hairlines(plot, w, h, theme);
}

// Shows states by signs, not only by colour.
void add_signs(Plot& plot, const RunGrid& grid, const Theme& theme) {
  Series failed, missing;
  failed.kind = missing.kind = Series::Kind::points;
  failed.name = "failed", failed.mark = Mark::cross, failed.width = 5, failed.color = readable(kError, theme);
  missing.name = "not run", missing.mark = Mark::circle, missing.fill = Fill::hollow, missing.width = 2.5;
  missing.color = theme.muted;
  for (std::size_t m = 0; m < grid.matrices.size(); ++m)
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      const Cell& cell = grid.at(m, c);
      if (cell.is == RunGrid::Is::ok) continue;
      Series& s = cell.is == RunGrid::Is::failed ? failed : missing;
      s.x.push_back(static_cast<double>(c)), s.y.push_back(static_cast<double>(m));
      s.tooltips.push_back(tooltip_of(grid, m, c));
    }
  for (Series* s : {&failed, &missing})
    if (!s->x.empty()) plot.series.push_back(std::move(*s));
}

// Columns of one device have its name above them, and a line before the next group.
void add_groups(Plot& plot, const RunGrid& grid, const Theme& theme) {
  double first = -0.5;
  for (const auto& [name, columns] : grid.groups) {
    Series label, edge;
    label.kind = edge.kind = Series::Kind::vline;
    label.label = name, label.x = {first + static_cast<double>(columns) / 2};
    label.width = 0, label.color = theme.ink;
    if (first > 0) edge.x = {first}, edge.width = 2.5, edge.color = theme.ink, plot.series.push_back(std::move(edge));
    plot.series.push_back(std::move(label));
    first += static_cast<double>(columns);
  }
}

void add_colorbar(Plot& plot, const RunGrid& grid, const ValueRange& range, const Theme& theme) {
  if (!range.any()) return;
  constexpr const char* labels[] = {"GFLOP/s", "share of the nearest roof", "time / best time of the matrix",
                                    "in products of the best CSR kernel"};
  ColorBar bar;
  bar.label = std::string(labels[static_cast<int>(range.measure)]) + ", " + provenance_text(grid);
  constexpr int kSteps = 128;
  std::vector<std::uint32_t> levels;
  for (int k = 0; k < kSteps; ++k) levels.push_back(range.level(range.at((k + 0.5) / kSteps)));
  bar.rgba = cell_colours(levels, theme);
  if (range.most > range.least * 1.001)
    for (const double t : {0.0, 1.0 / 3, 2.0 / 3, 1.0})
      bar.ticks.emplace_back(t, short_text(range.at(t), range.measure));
  else
    bar.ticks.emplace_back(0.5, short_text(range.least, range.measure));
  plot.colorbar = std::move(bar);
}

void add_table(Plot& plot, const RunGrid& grid) {
  plot.columns = {"matrix",     "column",        "state",          "gflops",
                  "time_us",    "share_of_roof", "time_over_best", "preparation_products",
                  "provenance", "run",           "params",         "reason"};
  constexpr const char* states[] = {"not run", "failed", "ok"};
  for (std::size_t m = 0; m < grid.matrices.size(); ++m)
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      const Cell& cell = grid.at(m, c);
      const bool ok = cell.is == RunGrid::Is::ok;
      const auto over = value_of(grid, m, c, GridMeasure::over_best), products = grid.preparation(m, c);
      plot.rows.push_back({grid.matrices[m], grid.columns[c], states[static_cast<int>(cell.is)],
                           ok ? exact(cell.gflops) : "", ok ? exact(cell.us) : "",
                           cell.share ? significant(*cell.share, 12) : "", over ? exact(*over) : "",
                           products ? exact(*products) : "", ok ? name_of(cell.provenance) : "unavailable",
                           cell.run ? std::to_string(cell.run) : "", cell.params, cell.reason});
    }
}

}  // namespace

Plot heat_map_figure(const RunGrid& grid, GridMeasure measure, const Theme& theme) {
  constexpr const char* titles[] = {"Speed by matrix and kernel", "Share of the roof by matrix and kernel",
                                    "Time over the best by matrix and kernel", "Preparation by matrix and kernel"};
  Plot plot;
  plot.title = titles[static_cast<int>(measure)];
  plot.subtitle = std::to_string(grid.matrices.size()) + (grid.matrices.size() == 1 ? " matrix" : " matrices") +
                  (grid.conditions.empty() ? "" : "; " + grid.conditions);
  plot.x.min = plot.y.min = -0.5;
  plot.x.max = static_cast<double>(std::max<std::size_t>(1, grid.columns.size())) - 0.5;
  plot.y.max = static_cast<double>(std::max<std::size_t>(1, grid.matrices.size())) - 0.5;
  plot.y.inverted = true;
  plot.x.categories = grid.columns;
  plot.x.upright = true;
  for (const std::string& name : grid.matrices) plot.y.categories.push_back(shortened(name, kLongestName));
  if (grid.empty()) return plot;
  const ValueRange range = value_range(grid, measure);
  add_cells(plot, grid, range, theme);
  add_signs(plot, grid, theme);
  add_groups(plot, grid, theme);
  add_colorbar(plot, grid, range, theme);
  add_table(plot, grid);
  plot.foot = grid.notes;
  return plot;
}

}  // namespace warpspy::plot
