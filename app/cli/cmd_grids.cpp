// heatmap and profile: figures of many matrices and kernels, from runs that were made before.
#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/figure_options.hpp"
#include "app/cli/history_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/wiring.hpp"
#include "core/model/run_grid.hpp"
#include "core/plot/export.hpp"
#include "core/plot/many_figures.hpp"
#include "profiling/bench/grid.hpp"

namespace warpspy::cli {
namespace {

constexpr std::size_t kMostRuns = 10000;

struct GridOptions {
  HistoryOptions runs;
  FigureOptions figure;
  bool csv = false, json = false;

  void add(CLI::App& app) {
    runs.add(app, kMostRuns);
    app.add_option("-o,--output", figure.out, "File to write: .svg .pdf .png, or the numbers as .csv .json");
    figure.add_look(app);
    app.add_flag("--csv", csv, "Print the numbers as CSV");
    app.add_flag("--json", json, "Print the numbers as JSON")->excludes("--csv");
  }

  // Throws Error where it would be made for nothing.
  void require_target() const {
    if (figure.out.empty() && !csv && !json)
      throw Error("nothing says where the figure goes", {}, "add -o FILE.svg, --csv or --json");
    (void)figure.page();
  }
  void write(const plot::Plot& plot) const {
    if (!figure.out.empty()) figure.write(plot);
    if (csv) std::cout << plot::to_csv(plot);
    if (json) std::cout << plot::to_json(plot);
  }
};

// How much of its roofs a run reaches, against those of its device.
std::optional<RoofShare> share_of(const Services& services, const RunRecord& r) {
  const DeviceInfo* device = services.catalog.device(r.device);
  if (!device) return std::nullopt;
  const auto measured = services.engine->kept_roofs(r.device);
  return roof_share(roofline_points(r, roofs_of(device->spec, r.request.precision, measured ? &*measured : nullptr)));
}

// Of the runs that the options ask for, the fastest of each cell.
RunGrid grid_of_history(GridOptions& o) {
  o.require_target();
  History history(need_history_path());
  tell_problems(history);
  const Services services = make_services();
  std::vector<std::shared_ptr<const RunRecord>> runs;
  const HistoryPage page = history.find(o.runs.query);  // the newest first: matrices stand as they were first run
  for (auto it = page.runs.rbegin(); it != page.runs.rend(); ++it) runs.push_back(it->record);
  for (const auto& run : runs) o.figure.of_run(*run, true);
  RunGrid grid = grid_of(runs, services.catalog, [&](const RunRecord& r) { return share_of(services, r); });
  if (grid.empty())
    throw Error("no kept run answers this", history.path(), "warpspy runs lists them; warpspy run makes more");
  return grid;
}

const std::map<std::string, plot::GridMeasure> measures = {{"gflops", plot::GridMeasure::gflops},
                                                           {"roof", plot::GridMeasure::roof_share},
                                                           {"best", plot::GridMeasure::over_best}};

}  // namespace

int heatmap(CLI::App& app, std::vector<std::string> args) {
  GridOptions o;
  plot::GridMeasure measure = plot::GridMeasure::gflops;
  o.add(app);
  app.add_option(
         "--measure", measure,
         "What a colour says: gflops, roof (share of the nearest roof), best (time over the best of the matrix)")
      ->transform(CLI::CheckedTransformer(measures));
  app.parse(std::move(args));
  const RunGrid grid = grid_of_history(o);
  o.write(plot::heat_map_figure(grid, measure, o.figure.theme()));
  return 0;
}

int profile(CLI::App& app, std::vector<std::string> args) {
  GridOptions o;
  std::vector<std::string> reports;
  BenchGridOptions of;
  bool transposed = false, cold = false;
  o.add(app);
  auto* bench = app.add_option("--bench", reports,
                               "Of what warpspy bench wrote in place of kept runs: our best kernel and the library's "
                               "(--precision, f32 unless told)")
                    ->check(CLI::ExistingFile);
  app.add_flag("--transposed", transposed, "Of a report: transposed products")->needs(bench);
  app.add_flag("--cold", cold, "Of a report: with empty caches")->needs(bench);
  app.add_flag("--in-order", of.in_order, "Of a report: each product of ours waits for the one before")->needs(bench);
  app.parse(std::move(args));
  if (transposed) of.operation = Operation::transposed_product;
  if (cold) of.state = CacheState::cold;
  of.precision = o.runs.query.precision.value_or(Precision::f32);
  if (!reports.empty()) o.require_target();
  const RunGrid grid = reports.empty() ? grid_of_history(o) : grid_of_bench(reports, of);
  const plot::Plot figure = plot::profile_figure(grid, o.figure.theme());
  if (figure.series.empty())
    throw Error("no matrix has runs of every kernel, so there is nothing to hold against each other", {},
                "run the missing ones, or choose runs with --kernel, --precision and --device");
  o.write(figure);
  return 0;
}

}  // namespace warpspy::cli
