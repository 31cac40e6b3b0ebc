// Figures of runs, of a device, and of experiments.
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "core/figure/experiment_words.hpp"
#include "core/figure/figure.hpp"
#include "core/model/best_runs.hpp"
#include "core/model/run_lines.hpp"
#include "core/plot/analysis_figures.hpp"
#include "core/plot/parts_figures.hpp"
#include "core/plot/study_figure.hpp"
#include "core/run/compare.hpp"

namespace warpspy::figure {
namespace {

[[noreturn]] void no_runs() {
  throw Error("there are no runs to draw", {}, "warpspy runs lists those that were kept; warpspy run makes more");
}
void require_runs(const Subject& s) {
  if (s.runs.empty()) no_runs();
}
[[noreturn]] void nothing(const char* what) { throw Error(std::string("there is no ") + what + " to draw"); }

// The range that is shown: the limits of the options, and otherwise a range that contains all runs.
plot::Plot roofline_of(const Subject& s, const Options& o, const Look& look, const Progress&) {
  const auto drawn = [&](const plot::RooflineStyle& style) {
    return plot::roofline_figure(s.roofs, s.device, s.runs, style, look.theme);
  };
  if (o.limits == Limits{}) return drawn(o.roofline);
  plot::RooflineStyle style = o.roofline;
  const plot::Plot whole = drawn(style);
  const Limits& l = o.limits;
  style.view = plot::RooflineStyle::View{l.x_min.value_or(whole.x.min), l.x_max.value_or(whole.x.max),
                                         l.y_min.value_or(whole.y.min), l.y_max.value_or(whole.y.max)};
  if (!(style.view->x0 > 0 && style.view->y0 > 0)) throw Error("the axes of a roofline begin above 0");
  return drawn(style);
}

ShareOf shares_of(const Subject& s) { return s.share_of ? *s.share_of : ShareOf(); }

RunGrid grid_for(const Subject& s, const Options& o) {
  if (s.grid) return *s.grid;
  require_runs(s);
  RunGrid grid = grid_of(s.runs, *s.catalog, shares_of(s), {o.kernels, o.by_device});
  if (grid.empty()) no_runs();
  return grid;
}

plot::Plot heat_map_of(const Subject& s, const Options& o, const Look& look, const Progress&) {
  return plot::heat_map_figure(grid_for(s, o), o.measure, look.theme);
}

plot::Plot profile_of_runs(const Subject& s, const Options& o, const Look& look, const Progress&) {
  plot::Plot figure = plot::profile_figure(grid_for(s, o), look.theme);
  if (figure.series.empty())
    throw Error("no matrix has runs of every kernel, so there is nothing to hold against each other", {},
                "run the missing ones, or choose runs by kernel, precision and device");
  return figure;
}

plot::Plot line_of(const Subject& s, const Options& o, const Look& look, const Progress&) {
  require_runs(s);
  const std::vector<std::string> turned = turned_in(s.runs, *s.catalog);
  if (turned.empty()) throw Error("no parameter took several values in these runs", {}, "run one with --param");
  if (!o.over.empty() && std::find(turned.begin(), turned.end(), o.over) == turned.end()) {
    std::string known;
    for (const std::string& id : turned) known += (known.empty() ? "" : ", ") + id;
    throw Error("nothing was varied in these runs that is called " + o.over, {}, "known: " + known);
  }
  RunLines lines = lines_of(s.runs, *s.catalog, o.over.empty() ? turned.front() : o.over);
  if (!o.kernels.empty()) {
    const auto place = [&](const RunLines::Curve& c) {
      return std::find(o.kernels.begin(), o.kernels.end(), c.points.front().record->request.kernel);
    };
    std::stable_sort(lines.curves.begin(), lines.curves.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
    lines.ordered = true;
  }
  if (lines.curves.empty()) throw Error("no kernel ran at two values of " + lines.x);
  return plot::line_figure(lines, look.theme);
}

plot::Plot memory_of(const Subject& s, const Options&, const Look& look, const Progress&) {
  require_runs(s);
  return plot::memory_figure(s.runs, look.theme);
}

plot::Plot roofs_of_device(const Subject& s, const Options&, const Look& look, const Progress&) {
  if (!s.measured) nothing("measured roof");
  return plot::working_set_figure(*s.measured, s.l2_bytes, look.theme);
}

plot::Plot tuning_of(const Subject& s, const Options& o, const Look& look, const Progress&) {
  if (!s.search) nothing("search");
  return plot::tune_plane_figure(*s.search, s.catalog->require_kernel(s.search->request.run.kernel), o.plane,
                                 look.theme);
}

plot::Plot analysis_of(const Subject& s, const Options&, const Look& look, const Progress&) {
  if (!s.analysis) nothing("analysis");
  return plot::analysis_figure(*s.analysis, look.theme);
}

plot::Plot study_of(const Subject& s, const Options&, const Look& look, const Progress&) {
  if (!s.study) nothing("study");
  return plot::study_figure(*s.study, look.theme);
}

plot::Plot warp_of(const Subject& s, const Options& o, const Look& look, const Progress&) {
  if (s.warps.empty()) nothing("warp");
  if (o.face == WarpFace::axis)
    return plot::sm_axis_figure(*s.warps.front().trace, static_cast<std::size_t>(std::max<std::int64_t>(o.step, 0)),
                                look.theme, o.spans_as_rows);
  if (o.face != WarpFace::access) return plot::warp_figure(s.warps, o.step, look.theme);
  std::vector<WarpTrace> warps;
  for (const plot::SeenWarp& w : s.warps) warps.push_back(*w.trace);
  return plot::access_figure(warps, o.array, o.by_warp ? plot::AccessRows::warps : plot::AccessRows::iterations);
}

std::vector<BestRun> best_of(const Subject& s, const Options& o) {
  return best_runs(s.runs, *s.catalog, shares_of(s), o.products);
}

// All runs must have the same matrix, precision, device and cache state. Their operation is a product, unless there is
// none.
plot::Plot cost_of(const Subject& s, const Options& o, const Look& look, const Progress&) {
  require_runs(s);
  std::vector<BestRun> all = best_of(s, o);
  const auto is_product = [](const BestRun& b) { return b.operation == Operation::product; };
  if (std::any_of(all.begin(), all.end(), is_product)) std::erase_if(all, std::not_fn(is_product));
  if (all.empty()) throw Error("there is no good run to draw");
  if (all.size() > 1)
    throw Error(
        "these runs are of " + std::to_string(all.size()) + " matrices or conditions, and only one can be drawn", {},
        "name one matrix, and one precision, device and state of the caches; or the numbers of the runs");
  return plot::cost_figure(all.front(), all.front().best->device_name, look.theme);
}

void require_solves(const Subject& s) {
  require_runs(s);
  if (std::none_of(s.runs.begin(), s.runs.end(), [](const auto& r) { return r->solve.has_value(); }))
    throw Error("none of these runs is a solve", {}, "warpspy solve makes one");
}
plot::Plot residual_of_runs(const Subject& s, const Options& o, const Look& look, const Progress&) {
  require_solves(s);
  if (!o.over.empty() && o.over != "time" && o.over != "iterations")
    throw Error("residuals are not drawn over " + o.over, "over", "known: iterations, time");
  return plot::residual_figure(s.runs, o.over == "time", look.theme);
}
plot::Plot iteration_of_runs(const Subject& s, const Options&, const Look& look, const Progress&) {
  require_solves(s);
  return plot::iteration_figure(s.runs, look.theme);
}

void require_parts(const Subject& s) {
  require_runs(s);
  if (std::none_of(s.runs.begin(), s.runs.end(), [](const auto& r) { return !r->parts.empty(); }))
    throw Error("none of these runs is over several GPUs", {}, "warpspy run --parts makes one");
}
plot::Plot parts_of_runs(const Subject& s, const Options&, const Look& look, const Progress&) {
  require_parts(s);
  return plot::parts_figure(s.runs, look.theme);
}
plot::Plot speed_up_of_runs(const Subject& s, const Options&, const Look& look, const Progress&) {
  require_parts(s);
  const SpeedUps of = speed_ups(s.runs, *s.catalog);
  if (of.curves.empty())
    throw Error("these runs over several GPUs have no run of the same on one GPU", {}, "make one with --parts 1");
  return plot::speed_up_figure(of, look.theme);
}

std::vector<RunRecord> records_of(const Subject& s) {
  std::vector<RunRecord> runs;
  for (const auto& r : s.runs) runs.push_back(*r);
  return runs;
}
std::string json_of_runs(const Subject& s, const Options&) {
  std::string text = "[\n";
  for (std::size_t k = 0; k < s.runs.size(); ++k) text += to_json(*s.runs[k]) + (k + 1 < s.runs.size() ? ",\n" : "\n");
  return text + "]\n";
}

}  // namespace

namespace registry {

extern const Row roofline = {
    .id = "roofline",
    .word = "roofline",
    .help = "Speed over arithmetic intensity, under the roofs of the device",
    .of = Of::runs,
    .takes = {"kernels", "flops", "colour-by", "selected", "compared", "minimum", "no-byte-counts", "roof-precision"},
    .build = roofline_of};
extern const Row memory = {.id = "memory",
                           .word = "memory",
                           .help = "What flows between SM, L1, L2 and DRAM",
                           .of = Of::runs,
                           .takes = {"kernels"},
                           .axes = false,
                           .build = memory_of};
extern const Row heatmap = {.id = "heatmap",
                            .word = "heat map",
                            .help = "Matrices x kernels",
                            .of = Of::runs,
                            .takes = {"measure", "kernels", "by-device"},
                            .build = heat_map_of};
extern const Row profile = {.id = "profile",
                            .word = "performance profile",
                            .help = "On how many matrices a kernel is within so many times the fastest (Dolan & More)",
                            .of = Of::runs,
                            .takes = {"kernels"},
                            .build = profile_of_runs};
extern const Row best = {.id = "best",
                         .word = "best of each matrix",
                         .help =
                             "The best kernel of each matrix for so many products, the second, and why: numbers "
                             "alone",
                         .of = Of::runs,
                         .takes = {"products"},
                         .axes = false,
                         .csv = [](const Subject& s, const Options& o) { return to_csv(best_of(s, o)); },
                         .json = [](const Subject& s, const Options& o) { return to_json(best_of(s, o)); }};
extern const Row cost = {.id = "cost",
                         .word = "time over products",
                         .help = "Preparation and N products over N: which kernel is best for how many",
                         .of = Of::runs,
                         .takes = {"kernels", "products"},
                         .build = cost_of};
extern const Row residual = {.id = "residual",
                             .word = "residuals",
                             .help = "Residuals of solves over iterations, or over time",
                             .of = Of::runs,
                             .takes = {"over", "kernels"},
                             .build = residual_of_runs};
extern const Row iteration = {.id = "iteration",
                              .word = "parts of an iteration",
                              .help = "What the time of a solve's iteration goes to",
                              .of = Of::runs,
                              .takes = {"kernels"},
                              .build = iteration_of_runs};
extern const Row line = {.id = "line",
                         .word = "line chart",
                         .help = "Speed over a parameter",
                         .of = Of::runs,
                         .takes = {"over", "kernels"},
                         .build = line_of};
extern const Row parts = {.id = "parts",
                          .word = "time of each GPU",
                          .help = "What each of several GPUs does when: a lane for each, on a time axis",
                          .of = Of::runs,
                          .takes = {"kernels"},
                          .build = parts_of_runs};
extern const Row speedup = {.id = "speedup",
                            .word = "speed-up",
                            .help = "Speed-up and efficiency over the number of GPUs",
                            .of = Of::runs,
                            .takes = {"kernels"},
                            .build = speed_up_of_runs};
extern const Row runs = {.id = "runs",
                         .word = "runs",
                         .help = "Every run with every counter and its provenance: numbers alone",
                         .of = Of::runs,
                         .takes = {"kernels"},
                         .axes = false,
                         .csv = [](const Subject& s, const Options&) { return to_csv(records_of(s)); },
                         .json = json_of_runs};
extern const Row comparison = {
    .id = "comparison",
    .word = "comparison",
    .help = "What differs between runs, the first held against the others: numbers alone",
    .of = Of::runs,
    .takes = {"kernels"},
    .axes = false,
    .csv = [](const Subject& s, const Options&) { return to_csv(compare_runs(s.runs, *s.catalog)); },
    .json = [](const Subject& s, const Options&) { return to_json(compare_runs(s.runs, *s.catalog)) + "\n"; }};
extern const Row roofs = {.id = "roofs",
                          .word = "measured roofs",
                          .help = "Bandwidth over working set, measured",
                          .of = Of::device,
                          .takes = {},
                          .build = roofs_of_device,
                          .named = words_of_roofs};
extern const Row tuning = {.id = "tuning",
                           .word = "tuning",
                           .help = "A search over the plane of two parameters",
                           .of = Of::experiment,
                           .takes = {"x", "y", "path"},
                           .build = tuning_of,
                           .named = words_of_search};
extern const Row analysis = {.id = "analysis",
                             .word = "analysis",
                             .help = "An analysis of the papers",
                             .of = Of::experiment,
                             .takes = {},
                             .build = analysis_of,
                             .named = words_of_analysis};
extern const Row warp = {.id = "warp",
                         .word = "warp",
                         .help = "A step of a warp, its SM over time, or which thread reads which element",
                         .of = Of::experiment,
                         .takes = {"axis", "step", "array", "by-warp"},
                         .axes = false,
                         .build = warp_of,
                         .named = words_of_warp};
extern const Row study = {.id = "study",
                          .word = "study",
                          .help = "A paper's table made again: every printed number against ours",
                          .of = Of::experiment,
                          .takes = {},
                          .build = study_of,
                          .named = words_of_study};

}  // namespace registry

}  // namespace warpspy::figure
