// Says which part of the window's state each figure shows.
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/generate/points.hpp"
#include "core/io/io.hpp"
#include "core/reorder/recipe.hpp"
#include "ui/figures/figure.hpp"
#include "ui/state/formats.hpp"
#include "ui/state/matrices.hpp"
#include "ui/state/parts.hpp"

namespace warpspy::ui {

namespace {

using figure::Options;
using figure::Subject;

Subject::OfMatrix of(const OpenMatrix& m) {
  return {m.name, m.source, m.file ? m.file->hash : "", m.matrix, m.facts, m.format_facts};
}

// The open matrices of the runs, if their files are known.
void add_matrices_of_runs(const AppState& s, Subject& subject) {
  std::set<std::string> sources;
  for (const auto& r : subject.runs) sources.insert(r->request.matrix);
  for (const OpenMatrix& m : s.matrices)
    if (sources.contains(m.source)) subject.matrices.push_back(of(m));
}

void with_facts(const OpenMatrix& m) {
  if (!m.facts) throw Error("the facts of the matrix are not ready yet", m.name, "wait a moment and try again");
}

void spy_of(const AppState& s, const OpenMatrix* m, Subject& subject, Options& o) {
  subject.matrices.push_back(of(*m));
  o.pattern = s.spy.style;
  if (!plot::pattern_shade(s.spy.shade) || s.pattern.matrix != m->id || !s.pattern.trace) return;
  o.shade = s.spy.shade;
  subject.entries = s.pattern.trace;
  subject.request = s.pattern.request;
}

bool has_mesh(const OpenMatrix& m) {
  const MatrixRecipe recipe = warpspy::recipe_of(m.source);
  return recipe.generated() && recipe.steps.empty() && has_mesh_points(recipe.source, plot::kMostMeshRows);
}
void mesh_of(const AppState&, const OpenMatrix* m, Subject& subject, Options&) {
  subject.matrices.push_back(of(*m));
  if (!has_mesh(*m)) return;  // without a mesh, drawing throws an error that says so
  Progress progress;
  subject.matrices.back().points = points_of(m->source, plot::kMostMeshRows, progress);
}
std::string needs_mesh(const AppState& s) {
  if (std::string why = needs_matrix(s); !why.empty()) return why;
  return has_mesh(*s.current())
             ? ""
             : "Only generated grids of at most 20,000 rows have a mesh, in the order they were made in.";
}

void histogram_of(const AppState& s, const OpenMatrix* m, Subject& subject, Options& o) {
  with_facts(*m);
  subject.matrices.push_back(of(*m));
  o.lengths = histogram_style(s, *m);
  if (s.histogram_chosen) o.log_x = s.histogram.log_x;
}

void lengths_of(const AppState& s, const OpenMatrix*, Subject& subject, Options&) {
  const auto [left, right] = s.compared();
  for (const auto* m : {left, right}) with_facts(*m), subject.matrices.push_back(of(*m));
}

void layout_of(const AppState& s, const OpenMatrix* m, Subject& subject, Options& o) {
  const Knobs& k = s.knobs;
  subject.matrices.push_back(of(*m));
  subject.budget = m->costs ? m->costs->budget : Budget{};
  o.format = {k.format, format_params_of(s, k.format), k.precision, k.view};
}

void roofline_of(const AppState& s, const OpenMatrix*, Subject& subject, Options& o) {
  subject.runs = roofline_runs(s, false);
  subject.roofs = s.roofs;
  subject.device = s.roofline_device ? s.roofline_device->name : "";
  // The command uses the roofs of the baseline or of the last run, unless an option names a device.
  const RunRecord* telling = !s.comparing.empty()    ? s.comparing.front().get()
                             : !subject.runs.empty() ? subject.runs.back().get()
                                                     : nullptr;
  if (telling && telling->request.precision != s.roofline_precision) o.roof_precision = s.roofline_precision;
  o.roofline = roofline_style(s);
  if (const auto& v = o.roofline.view) o.limits = {v->x0, v->x1, v->y0, v->y1};
  o.roofline.view.reset();
  add_matrices_of_runs(s, subject);
}

void solves_of(const AppState& s, const OpenMatrix*, Subject& subject, Options& o) {
  subject.runs = shown_solves(s);
  if (s.solve.over_time) o.over = "time";
  add_matrices_of_runs(s, subject);
}
std::string needs_solves(const AppState& s) {
  return shown_solves(s).empty() ? "There are no solves of this matrix yet." : "";
}

void parts_of(const AppState& s, const OpenMatrix*, Subject& subject, Options&) {
  subject.runs = drawn_parts(s);
  add_matrices_of_runs(s, subject);
}
std::string needs_parts(const AppState& s) { return told_parts(s) ? "" : "There are no runs over several GPUs yet."; }

void speed_up_of(const AppState& s, const OpenMatrix*, Subject& subject, Options&) {
  subject.runs = speed_up_runs(s);
  add_matrices_of_runs(s, subject);
}
std::string needs_speed_up(const AppState& s) {
  if (!told_parts(s)) return needs_parts(s);
  return s.parts.speed_ups.curves.empty() ? "Run the same on one GPU first." : "";
}

void memory_of(const AppState& s, const OpenMatrix*, Subject& subject, Options&) {
  subject.runs = memory_runs(s);
  add_matrices_of_runs(s, subject);
}

void fill_many(const ManyReads& reads, Subject& subject, Options& o) {
  subject.runs = runs_of_figures(reads);
  subject.share_of = std::make_shared<const ShareOf>(share_in(reads.points));
  o.measure = reads.measure;
  o.products = reads.products;
  const auto axes = turned_in(subject.runs, *reads.catalog);
  if (std::find(axes.begin(), axes.end(), reads.over) != axes.end()) o.over = reads.over;
}

void many_of(const AppState& s, const OpenMatrix*, Subject& subject, Options& o) {
  fill_many(many_reads(s), subject, o);
  add_matrices_of_runs(s, subject);
}

// The candidates of the row that the tab shows. With only them the figure is the same elsewhere.
void cost_of(const AppState& s, const OpenMatrix*, Subject& subject, Options& o) {
  const ManyReads reads = many_reads(s);
  std::vector<BestRun> made;  // the state's list is only current while the tab is shown
  if (!s.shows("matrices")) made = best_runs(runs_of_figures(reads), *s.catalog, {}, reads.products);
  const BestRun* b = s.shows("matrices") ? best_shown(s) : best_shown(s, made);
  if (!b) throw Error("there are no runs to draw", {}, "run some kernels first");
  for (const BestCandidate& c : b->candidates) subject.runs.push_back(c.run);
  o.products = s.matrices_view.products;
  add_matrices_of_runs(s, subject);
}

// The listed runs, oldest first.
void runs_of(const AppState& s, const OpenMatrix*, Subject& subject, Options&) {
  for (auto it = s.list.rows.rbegin(); it != s.list.rows.rend(); ++it) subject.runs.push_back(it->record);
}

void comparison_of(const AppState& s, const OpenMatrix*, Subject& subject, Options&) { subject.runs = s.comparing; }

void tuning_of(const AppState& s, const OpenMatrix*, Subject& subject, Options& o) {
  subject.search = s.tuning->record.pointer();
  if (const OpenMatrix* m = s.matrix(s.tuning->matrix)) subject.matrices.push_back(of(*m));
  o.plane.x = s.tune.x, o.plane.y = s.tune.y, o.plane.path = tune_path(s);
}

std::shared_ptr<const AnalysisResult> shown_analysis(const AppState& s) {
  const auto found = s.analyses.find(s.analysis.id);
  return found == s.analyses.end() ? nullptr : found->second.result;
}

void analysis_of(const AppState& s, const OpenMatrix*, Subject& subject, Options&) {
  subject.analysis = shown_analysis(s);
  if (const OpenMatrix* m = s.current()) subject.matrices.push_back(of(*m));
}

void study_of(const AppState& s, const OpenMatrix*, Subject& subject, Options&) {
  subject.study = s.studies.shown()->report;
}

void warp_of(const AppState& s, const OpenMatrix*, Subject& subject, Options& o) {
  subject.request = s.warp.request, subject.warp_wanted = s.warp.wanted;
  o.step = static_cast<std::int64_t>(s.warp.step);
  if (const OpenMatrix* m = s.current()) subject.matrices.push_back(of(*m));
  subject.warps = s.warp.seen;
  if (s.warp.view != WarpView::axis) return;
  o.face = figure::WarpFace::axis;
  subject.warps.resize(1, s.warp.seen.front());
}

// The roofs of the device that the tab shows.
const MeasuredRoofs* shown_roofs(const AppState& s) {
  return s.roofline_device ? s.measured_roofs_of(s.roofline_device->id) : nullptr;
}

void roofs_of_shown(const AppState& s, const OpenMatrix*, Subject& subject, Options&) {
  subject.measured = *shown_roofs(s);
  subject.device = s.roofline_device->name, subject.device_id = s.roofline_device->id;
  subject.l2_bytes = s.roofline_device->spec.l2_bytes;
}

std::string nothing_ran(const AppState& s) { return s.runs.all().empty() ? "There are no runs yet." : ""; }

constexpr const char* kWritten = "As SVG, PDF or PNG; the numbers as CSV or JSON.";

// Rows with more details than of_runs() gives.
const FigureRow table[] = {
    {.id = "spy",
     .word = "pattern",
     .label = "Export the pattern...",
     .help = "As SVG, PDF or PNG; the counts as CSV or JSON.",
     .tab = "matrix",
     .of_matrix = true,
     .why_not = needs_matrix,
     .fill = spy_of},
    {.id = "mesh",
     .word = "mesh",
     .label = "Export the mesh...",
     .help = "The mesh of a generated grid in four blocks of rows, as SVG, PDF or PNG; edges and cuts as CSV or JSON.",
     .tab = "matrix",
     .of_matrix = true,
     .why_not = needs_mesh,
     .has = has_mesh,
     .fill = mesh_of},
    {.id = "histogram",
     .word = "row lengths",
     .label = "Export the row lengths...",
     .help = kWritten,
     .tab = "matrix",
     .of_matrix = true,
     .why_not = needs_matrix,
     .fill = histogram_of},
    {.id = "roofline",
     .word = "roofline",
     .label = "Export the roofline...",
     .help = kWritten,
     .keys = {key('E'), true},
     .tab = "roofline",
     .fill = roofline_of},
    {.id = "roofs",
     .word = "measured roofs",
     .label = "Export the measured roofs...",
     .help = "Bandwidth over working set of the device, as SVG, PDF or PNG; the numbers as CSV or JSON.",
     .tab = "roofline",
     .why_not = [](const AppState& s) -> std::string {
       return shown_roofs(s) ? "" : "The roofs of this device were not measured.";
     },
     .fill = roofs_of_shown},
    {.id = "layout",
     .word = "layout",
     .label = "Export the layout...",
     .help = "The arrays of the format looked at, as SVG, PDF or PNG; the numbers as CSV or JSON.",
     .tab = "formats",
     .of_matrix = true,
     .why_not = needs_matrix,
     .fill = layout_of},
    {.id = "tuning",
     .word = "tuning",
     .label = "Export the tuning plane...",
     .help = "As SVG, PDF or PNG; every product as CSV or JSON.",
     .tab = "tune",
     .why_not = [](const AppState& s) -> std::string {
       return s.tuning && s.tuning->plane && !s.tuning->record->steps.empty() ? "" : "Nothing was tuned yet.";
     },
     .fill = tuning_of},
    {.id = "analysis",
     .word = "analysis",
     .label = "Export the analysis...",
     .help = "The figure of the tab Analyses, as SVG, PDF or PNG; its numbers and formulas as CSV or JSON.",
     .tab = "analyses",
     .of_matrix = true,
     .why_not = [](const AppState& s) -> std::string {
       return shown_analysis(s) ? "" : "This analysis was not made yet.";
     },
     .fill = analysis_of},
    {.id = "study",
     .word = "study",
     .label = "Export the study...",
     .help = "Printed against made again, as SVG, PDF or PNG; every cell with verdict and reason as CSV or JSON.",
     .tab = "studies",
     .why_not = [](const AppState& s) -> std::string {
       return s.studies.shown() && s.studies.shown()->report ? "" : "Open a study first.";
     },
     .fill = study_of},
    {.id = "residual",
     .word = "residuals",
     .label = "Export the residuals...",
     .help = "Of all solves that are shown, as SVG, PDF or PNG; the numbers as CSV or JSON.",
     .tab = "solve",
     .of_matrix = true,
     .why_not = needs_solves,
     .fill = solves_of},
    {.id = "iteration",
     .word = "parts of an iteration",
     .label = "Export the parts of an iteration...",
     .help = "Of all solves that are shown, as SVG, PDF or PNG; the numbers as CSV or JSON.",
     .tab = "solve",
     .of_matrix = true,
     .why_not = needs_solves,
     .fill = solves_of},
    {.id = "parts",
     .word = "time of each GPU",
     .label = "Export the time of each GPU...",
     .help = "A lane for each GPU on a time axis, as SVG, PDF or PNG; the numbers of each part as CSV or JSON.",
     .tab = "parts",
     .of_matrix = true,
     .why_not = needs_parts,
     .fill = parts_of},
    {.id = "speedup",
     .word = "speed-up",
     .label = "Export the speed-up...",
     .help = "Speed-up and efficiency over the number of GPUs, as SVG, PDF or PNG; the numbers as CSV or JSON.",
     .tab = "parts",
     .of_matrix = true,
     .why_not = needs_speed_up,
     .fill = speed_up_of},
    {.id = "memory",
     .word = "memory",
     .label = "Export the memory chart...",
     .help = kWritten,
     .tab = "memory",
     .of_matrix = true,
     .why_not = [](const AppState& s) -> std::string { return memory_runs(s).empty() ? "There are no runs yet." : ""; },
     .fill = memory_of},
    {.id = "warp",
     .word = "warp",
     .label = "Export the warp...",
     .help = "What is shown, the step or the SM over time, as SVG, PDF or PNG; the numbers behind it as CSV or JSON.",
     .tab = "warp",
     .of_matrix = true,
     .why_not = [](const AppState& s) -> std::string { return s.warp.trace ? "" : "No warp is shown yet."; },
     .fill = warp_of},
    {.id = "line",
     .word = "line chart",
     .label = "Export the line chart...",
     .help = "Speed over a parameter, as SVG, PDF or PNG; the numbers as CSV or JSON.",
     .tab = "matrices",
     .why_not = [](const AppState& s) -> std::string {
       return run_lines(many_reads(s)).curves.empty() ? "No parameter took several values in these runs." : "";
     },
     .fill = many_of},
    {.id = "cost",
     .word = "time over products",
     .label = "Export the time over products...",
     .help = "Which kernel is best for how many products, as SVG, PDF or PNG; the numbers as CSV or JSON.",
     .tab = "matrices",
     .why_not = [](const AppState& s) -> std::string {
       const auto runs = runs_of_figures(many_reads(s));
       const bool any = std::any_of(runs.begin(), runs.end(), [](const auto& r) { return may_be_best(*r); });
       return any ? "" : "No kernel ran well yet.";
     },
     .fill = cost_of},
    {.id = "runs",
     .word = "runs",
     .label = "Export the runs...",
     .help = "Every run with every counter and its provenance, as CSV or JSON.",
     .tab = "runs",
     .why_not = [](const AppState& s) -> std::string { return s.list.rows.empty() ? "There are no runs yet." : ""; },
     .fill = runs_of},
    {.id = "comparison",
     .word = "comparison",
     .label = "Export the comparison...",
     .help = "What differs between the compared runs, as CSV or JSON.",
     .tab = "two_runs",
     .why_not = [](const AppState& s) -> std::string {
       return s.comparison ? "" : "Ctrl+click two runs in the table first.";
     },
     .fill = comparison_of},
    {.id = "lengths",
     .word = "row lengths of both",
     .label = "Export the row lengths of both...",
     .help = "Of two matrices over each other, as SVG, PDF or PNG; the numbers as CSV or JSON.",
     .tab = "compare",
     .why_not = [](const AppState& s) -> std::string {
       const auto [left, right] = s.compared();
       return left && right ? "" : "Put two matrices side by side first.";
     },
     .fill = lengths_of},
};

// A figure of saved runs: it shows the runs of the tab Matrices.
FigureRow of_runs(const figure::Row& drawn) {
  const std::string how = drawn.picture() ? ": as SVG, PDF or PNG; the numbers as CSV or JSON." : ", as CSV or JSON.";
  return {.id = drawn.id,
          .word = drawn.word,
          .label = std::string("Export the ") + drawn.word + "...",
          .help = drawn.help + how,
          .tab = "matrices",
          .why_not = nothing_ran,
          .fill = many_of};
}

}  // namespace

Figure figure_of(const ManyReads& reads, const char* id) {
  Figure f{.row = figure_row(id), .subject = {}, .options = {}};
  f.subject.catalog = reads.catalog;
  fill_many(reads, f.subject, f.options);
  return f;
}

std::span<const FigureRow* const> figure_rows() {
  static const std::vector<FigureRow> rows = [] {
    std::vector<FigureRow> list;
    for (const figure::Row* drawn : figure::rows()) {
      const auto* own = std::find_if(std::begin(table), std::end(table),
                                     [&](const FigureRow& row) { return std::string_view(row.id) == drawn->id; });
      if (own != std::end(table))
        list.push_back(*own);
      else if (drawn->of == figure::Of::runs)
        list.push_back(of_runs(*drawn));
    }
    return list;
  }();
  static const std::vector<const FigureRow*> all = [] {
    std::vector<const FigureRow*> list;
    for (const FigureRow& row : rows) list.push_back(&row);
    return list;
  }();
  return all;
}

const FigureRow* figure_row(const std::string& id) {
  for (const FigureRow* row : figure_rows())
    if (id == row->id) return row;
  return nullptr;
}

}  // namespace warpspy::ui
