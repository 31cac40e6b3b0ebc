#include "ui/services/reads.hpp"

#include <set>

#include "core/model/best_runs.hpp"
#include "core/partition/partition.hpp"
#include "ui/figures/figure.hpp"
#include "ui/state/parts.hpp"

namespace warpspy::ui {

namespace {

HistoryWords words_of(const std::vector<RunPtr>& runs) {
  std::set<std::string> matrices, kernels, devices;
  for (const auto& r : runs) {
    matrices.insert(r->matrix_name);
    kernels.insert(r->request.kernel);
    devices.insert(r->device);
  }
  const auto list = [](const std::set<std::string>& s) { return std::vector<std::string>(s.begin(), s.end()); };
  return {list(matrices), list(kernels), list(devices)};
}

}  // namespace

ListReads list_reads(const AppState& s) {
  ListReads reads{s.list.all, s.list.query, {}, {}, s.trail, {}, 0};
  if (s.list.all) {
    reads.edits = s.list.edits;
    for (const auto& r : s.runs.all()) reads.ids.push_back(r->id);
  } else {
    reads.runs = s.runs.snapshot();
    reads.notes = s.notes;
  }
  return reads;
}

RunList listed(const ListReads& of) {
  RunList list;
  const std::set<std::uint64_t> trail(of.trail.begin(), of.trail.end());
  for (auto it = of.runs->rbegin(); it != of.runs->rend(); ++it) {
    const auto note = of.notes.find((*it)->id);
    const std::string text = note == of.notes.end() ? "" : note->second;
    if (!trail.contains((*it)->id) && matches(of.query, **it, text)) list.rows.push_back({*it, text, ""});
  }
  list.total = list.rows.size();
  list.words = words_of(*of.runs);
  return list;
}

std::shared_ptr<const RunComparison> compared(const ComparisonReads& of) {
  return of.runs.empty() ? nullptr : std::make_shared<const RunComparison>(compare_runs(of.runs, *of.catalog));
}

SolveBreakEvenReads solve_break_even_reads(const AppState& s) {
  return {told_solve(s), s.runs.snapshot(), s.solve.saved, s.catalog};
}

SolveBreakEven solve_break_even_of(const SolveBreakEvenReads& of) {
  if (!of.solve) return {};
  std::vector<RunPtr> others = *of.saved;
  for (const RunPtr& r : *of.runs)
    if (r->solve) others.push_back(r);
  return solve_break_even(*of.solve, others, *of.catalog);
}

SpeedUps speed_ups_of(const SpeedUpReads& of) { return speed_ups(of.runs, *of.catalog); }

std::optional<OwnerReads> owner_reads(const AppState& s) {
  if (!s.has_matrix()) return std::nullopt;
  const std::shared_ptr<const Csr>& matrix = s.current()->matrix->csr;
  if (const std::uint64_t parts = parts_asked(s); parts > 1 && why_not_divided(s).empty())
    return OwnerReads{matrix, parts, s.knobs.split};
  const RunPtr run = s.run(s.selected_run);
  if (!run || run->parts.empty() || matrix_of(s, *run) != s.current()) return std::nullopt;
  return OwnerReads{matrix, run->request.parts, run->request.split};
}

std::shared_ptr<const RowOwners> owners_of(const OwnerReads& of, Progress& progress) {
  return std::make_shared<const RowOwners>(
      RowOwners{of.matrix, of.parts, of.split, row_parts(*of.matrix, of.parts, of.split, progress)});
}

PointReads point_reads(const AppState& s) {
  PointReads reads{s.runs.all(), {s.catalog, s.measured_roofs, s.flops}};
  const auto add = [&](const RunPtr& r) {
    if (r) reads.runs.push_back(r);
  };
  add(s.looked_at);
  for (const auto& r : s.comparing) add(r);
  for (const SavedRun& k : s.list.rows) add(k.record);
  for (const OpenMatrix& m : s.matrices) add(m.best_kept);
  return reads;
}

std::vector<RooflinePoint> points_of(const RunRecord& run, const PointReads::Under& under) {
  const auto* d = device_of_run(*under.catalog, run);
  if (!d) return {};
  const auto measured = under.measured.find(d->id);
  const auto roofs =
      roofs_of(d->spec, run.request.precision, measured == under.measured.end() ? nullptr : &measured->second);
  return roofline_points(run, roofs, under.flops);
}

ManyFigures many_figures(const std::pair<ManyReads, ThemeId>& of) {
  const auto& [reads, theme] = of;
  ManyFigures figures;
  figures.turned = turned_axes(reads);
  figures.best = best_runs(runs_of_figures(reads), *reads.catalog, share_in(reads.points), reads.products);
  if (run_grid(reads).empty()) return figures;
  // If the runs cannot be drawn, the reason is shown instead of the figure.
  const auto shown = [&, id_theme = theme](const Figure& figure) {
    Progress progress;
    plot::Plot why;
    try {
      return drawn({figure, id_theme}, progress);
    } catch (const Error& e) {
      why.notes.push_back({0.5, 0.5, e.reason, plot_theme(palette_of(id_theme), 12).muted});
    }
    return std::make_shared<const plot::Plot>(std::move(why));
  };
  figures.heat_map = shown(figure_of(reads, "heatmap"));
  figures.profile = shown(figure_of(reads, "profile"));
  if (!run_lines(reads).curves.empty()) figures.line_chart = shown(figure_of(reads, "line"));
  return figures;
}

}  // namespace warpspy::ui
