#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/plot/cell_colours.hpp"
#include "core/plot/many_figures.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"
#include "core/run/solve_launches.hpp"

namespace warpspy::plot {
namespace {

using SolveRuns = std::vector<std::shared_ptr<const RunRecord>>;
constexpr std::size_t kMostResiduals = 4000;  // of a line: more than any page shows

// The kinds of work in an iteration. A run that does not tell its launches has a bar for each kind, in this order.
struct WorkKind {
  const char *id, *name;
  std::size_t rank;  // of its colour
};
constexpr std::size_t kWorkColours = 4, kNoWork = kWorkColours;  // no work is grey
constexpr WorkKind kWorkKinds[] = {{"product", "product", 0},
                                   {"dots", "sums", 3},
                                   {"updates", "updates", 2},
                                   {"waiting", "waiting for other GPUs", 1},
                                   {"gaps", "between launches", kNoWork}};

SolveRuns solves_among(const SolveRuns& runs) {
  SolveRuns solves;
  for (const auto& r : runs)
    if (r->solve && r->status == RunStatus::ok) solves.push_back(r);
  return solves;
}

// What tells these solves apart: "CG with CSR vector, jacobi, H200".
std::string name_of_solve(const RunRecord& r, const SolveRuns& all) {
  const auto differ = [&](const auto& of) {
    return std::any_of(all.begin(), all.end(), [&](const auto& o) { return of(*o) != of(r); });
  };
  std::string name = r.kernel_label;
  if (r.request.preconditioner != Preconditioner::none) name += std::string(", ") + name_of(r.request.preconditioner);
  if (r.request.preconditioner == Preconditioner::chebyshev) name += " " + std::to_string(r.request.degree);
  if (r.request.refine) name += ", refined";
  if (r.request.parts != 1) name += ", " + std::to_string(r.request.parts) + " parts";
  if (differ([](const RunRecord& o) { return o.request.precision; }))
    name += std::string(", ") + name_of(r.request.precision);
  if (differ([](const RunRecord& o) { return o.matrix_name; })) name += ", " + r.matrix_name;
  if (differ([](const RunRecord& o) { return o.device_name; })) name += ", " + r.device_name;
  return name;
}

// A bar of an iteration: a launch, or all work of a kind.
struct WorkBar {
  std::size_t kind = 0;  // of kWorkKinds
  int launch = 0;        // from 1 on; 0: none
  double us = 0;
};

// One after another, from the begin of an iteration on.
std::vector<WorkBar> bars_of_iteration(const RunRecord& r) {
  std::vector<WorkBar> bars;
  const std::vector<SolveLaunch> launches = launches_of(r);
  for (const SolveLaunch& l : launches)
    for (std::size_t k = 0; k < std::size(kWorkKinds); ++k)
      if (l.part == kWorkKinds[k].id) bars.push_back({k, l.number, l.us});
  for (std::size_t k = 0; k < std::size(kWorkKinds); ++k) {
    const std::string id = std::string("iteration_") + kWorkKinds[k].id;
    const bool told = !launches.empty() && id != "iteration_gaps";
    if (const Quantity* q = r.detail(id); q && !told) bars.push_back({k, 0, q->value});
  }
  std::erase_if(bars, [](const WorkBar& b) { return !(b.us > 0); });
  return bars;
}

std::string solve_subtitle(const SolveRuns& runs) {
  const RunRecord& r = *runs.front();
  std::string text = r.matrix_name;
  const bool one =
      std::all_of(runs.begin(), runs.end(), [&](const auto& o) { return o->device_name == r.device_name; });
  return one ? text + ", " + r.device_name : text;
}

void add_residual(Plot& plot, const RunRecord& r, const SolveRuns& all, std::size_t rank, bool over_time,
                  const Theme& theme) {
  const SolveResult& s = *r.solve;
  Series line;
  const std::string name = name_of_solve(r, all);
  line.color = color_of_rank(rank, all.size(), theme);
  line.width = 1.6, line.dashed = rank / 4 % 2 == 1;
  // Every iteration, or as many as a page shows.
  const std::size_t step = s.residuals.size() / kMostResiduals + 1;
  for (std::size_t k = 0; k < s.residuals.size(); k += step) {
    if (!(s.residuals[k] > 0)) continue;
    line.x.push_back(static_cast<double>(k) * (over_time ? r.time.value * 1e-3 : 1));
    line.y.push_back(s.residuals[k]);
  }
  Series end;
  end.kind = Series::Kind::points, end.mark = mark_in_turn(rank), end.width = 5, end.color = line.color;
  end.fill = fill_of(r.time.provenance);
  if (!line.x.empty() && s.true_residual > 0) {
    end.x = {line.x.back()}, end.y = {s.true_residual}, end.ids = {r.id};
    end.tooltips = {name + "\n" + name_of(s.end) + ": " + s.why + "\ntrue residual " + significant(s.true_residual, 3) +
                    " |b|"};
  }
  Series entry;  // line and mark together
  entry.name = name, entry.color = line.color, entry.width = line.width, entry.dashed = line.dashed;
  if (!end.x.empty()) entry.mark = end.mark, entry.fill = end.fill;
  plot.series.push_back(std::move(entry));
  plot.series.push_back(std::move(line));
  if (!end.x.empty()) plot.series.push_back(std::move(end));
}

}  // namespace

Plot residual_figure(const SolveRuns& runs, bool over_time, const Theme& theme) {
  const SolveRuns solves = solves_among(runs);
  Plot plot;
  plot.title = over_time ? "Residual over time" : "Residual over iterations";
  plot.x.label = over_time ? "time of the iterations (ms)" : "iteration";
  plot.x.integers = !over_time;
  plot.y.label = "|r| / |b|";
  plot.y.scale = Scale::log10;
  if (solves.empty()) return plot;
  plot.subtitle = solve_subtitle(solves);
  double least = 1, most = 1, last = 0;
  for (std::size_t k = 0; k < solves.size(); ++k) {
    const RunRecord& r = *solves[k];
    add_residual(plot, r, solves, k, over_time, theme);
    for (const double v : r.solve->residuals)
      if (v > 0) least = std::min(least, v), most = std::max(most, v);
    if (r.solve->true_residual > 0) least = std::min(least, r.solve->true_residual);
    least = std::min(least, r.request.tolerance);
    last = std::max(last, static_cast<double>(r.solve->iterations) * (over_time ? r.time.value * 1e-3 : 1));
  }
  plot.x.min = 0, plot.x.max = std::max(last * 1.03, over_time ? 1e-6 : 1.0);
  plot.y.min = least / 3, plot.y.max = most * 3;
  Series tolerance;
  tolerance.kind = Series::Kind::hline, tolerance.y = {solves.front()->request.tolerance};
  tolerance.label = "tolerance", tolerance.color = theme.muted, tolerance.width = 1, tolerance.dashed = true;
  plot.series.push_back(std::move(tolerance));
  plot.foot.push_back(
      "Lines: the residual that the method updates. Marks: the true one, |b - A x| / |b|, computed at the end in long "
      "double.");
  plot.columns = {"run", "solver", "kernel", "iteration", "time_ms", "residual", "provenance"};
  for (const auto& r : solves)
    for (std::size_t k = 0; k < r->solve->residuals.size(); ++k)
      plot.rows.push_back({std::to_string(r->id), name_of(r->request.solver), r->request.kernel, std::to_string(k),
                           exact(static_cast<double>(k) * r->time.value * 1e-3), exact(r->solve->residuals[k]),
                           name_of(r->time.provenance)});
  return plot;
}

Plot iteration_figure(const SolveRuns& runs, const Theme& theme) {
  const SolveRuns solves = solves_among(runs);
  Plot plot;
  plot.title = "What an iteration's time goes to";
  plot.x.label = "time in an iteration (\xC2\xB5s)";
  if (solves.empty()) return plot;
  plot.subtitle = solve_subtitle(solves);
  plot.columns = {"run", "solver", "kernel", "launch", "part", "begin_us", "time_us", "provenance"};
  double most = 0;
  bool named[std::size(kWorkKinds)] = {};
  for (std::size_t k = 0; k < solves.size(); ++k) {
    const RunRecord& r = *solves[k];
    const auto row = static_cast<double>(k);
    const std::string name = name_of_solve(r, solves);
    plot.notes.push_back(
        {.x = 0, .y = row - 0.36, .text = name, .color = theme.ink, .gives_way = true, .align = Align::left});
    plot.y.categories.push_back("#" + std::to_string(r.id > 0 ? r.id : k + 1));
    double begin = 0;
    for (const WorkBar& w : bars_of_iteration(r)) {
      const WorkKind& kind = kWorkKinds[w.kind];
      Series bar;
      bar.kind = Series::Kind::bars, bar.fill = fill_of(r.time.provenance);
      bar.x = {begin, begin + w.us}, bar.y = {row - 0.2}, bar.base = row + 0.3;
      bar.color = kind.rank == kNoWork ? theme.muted : color_of_rank(kind.rank, kWorkColours, theme);
      if (!std::exchange(named[w.kind], true)) bar.name = kind.name;
      bar.ids = {r.id};
      const std::string launch = w.launch > 0 ? "launch " + std::to_string(w.launch) + ": " : "";
      bar.tooltips = {name + "\n" + launch + kind.name + " " + significant(w.us, 3) + " \xC2\xB5s, " +
                      significant(100 * w.us / r.time.value, 2) + " % of " + significant(r.time.value, 3) +
                      " \xC2\xB5s"};
      plot.rows.push_back({std::to_string(r.id), name_of(r.request.solver), r.request.kernel,
                           w.launch > 0 ? std::to_string(w.launch) : "", kind.name, exact(begin), exact(w.us),
                           name_of(r.time.provenance)});
      begin += w.us;
      plot.series.push_back(std::move(bar));
    }
    most = std::max({most, begin, r.time.value});
  }
  plot.x.min = 0, plot.x.max = most * 1.03;
  plot.y.inverted = true, plot.y.min = -0.6, plot.y.max = static_cast<double>(solves.size()) - 0.5;
  plot.foot.push_back(
      "A bar for each launch, timed alone, one after another. Launches that overlap may take less together than the "
      "bars show.");
  return plot;
}

}  // namespace warpspy::plot
