// Figures of earlier runs; profile also of results that the benchmark wrote.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/figure_options.hpp"
#include "app/cli/history_options.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/cli/saved_runs.hpp"
#include "app/wiring.hpp"
#include "core/plot/export.hpp"
#include "profiling/bench/grid.hpp"

namespace warpspy::cli {
namespace {

constexpr std::size_t kMostRuns = 10000;

struct OfSavedRuns {
  const figure::Row& row;
  std::vector<std::string> of = {};
  HistoryOptions runs = {};
  std::vector<std::string> engines = {};
  FigureOptions figure = {};
  bool csv = false, json = false;

  void add(CLI::App& app) {
    app.add_option("OF", of, "Numbers of saved runs, or matrices: only their runs (default: all saved runs)");
    runs.add(app, kMostRuns);
    add_engines(app, engines);
    app.add_option("-o,--output", figure.out,
                   row.picture() ? "File to write: .svg .pdf .png .pgf, or the numbers as .csv .json"
                                 : "File to write: .csv or .json");
    figure.add_look(app);
    figure.add_fields(app, row);
    app.add_flag("--csv", csv, "Print the numbers as CSV");
    app.add_flag("--json", json, "Print the numbers as JSON")->excludes("--csv");
  }

  // Throws Error if neither a file nor a table was asked for.
  void require_target() const {
    if (figure.out.empty() && !csv && !json)
      throw Error("nothing says where the figure goes", {}, "add -o FILE.svg, --csv or --json");
    (void)figure.page();
  }
  void write(const figure::Subject& subject, bool kept) const {
    if (!figure.out.empty()) figure.write(row, subject, kept);
    if (!csv && !json) return;
    if (!row.picture())
      return void(std::cout << (csv ? row.csv(subject, figure.chosen) : row.json(subject, figure.chosen)));
    const plot::Plot plot = figure.drawn(row, subject);
    std::cout << (csv ? plot::to_csv(plot) : plot::to_json(plot));
  }
};

void fill(figure::Subject& subject, OfSavedRuns& o, const Services& services) {
  subject.catalog = &services.catalog;
  share_of_roofs(subject, services);
  const std::unique_ptr<SavedRuns> kept = o.runs.open();
  subject.runs = runs_meant(*kept, o.of, o.runs.query);
  if (subject.runs.empty())
    throw Error("no saved run answers this", kept->path(), "warpspy runs lists them; warpspy run makes more");
}

}  // namespace

int draw_runs(const figure::Row& row, CLI::App& app, std::vector<std::string> args) {
  OfSavedRuns o{row};
  o.add(app);
  app.parse(std::move(args));
  o.require_target();
  const Services services = make_services(o.engines);
  figure::Subject subject;
  fill(subject, o, services);
  o.write(subject, o.runs.from.empty());
  return 0;
}

int profile(CLI::App& app, std::vector<std::string> args) {
  OfSavedRuns o{*figure::row("profile")};
  std::vector<std::string> reports;
  BenchGridOptions of;
  bool transposed = false, cold = false;
  o.add(app);
  auto* bench = app.add_option("--bench", reports,
                               "Of what warpspy bench wrote in place of saved runs: our best kernel and the library's "
                               "(--precision, f32 unless told)")
                    ->check(CLI::ExistingFile)
                    ->allow_extra_args(false);
  app.add_flag("--transposed", transposed, "Of a report: transposed products")->needs(bench);
  app.add_flag("--cold", cold, "Of a report: with empty caches")->needs(bench);
  app.add_flag("--in-order", of.in_order, "Of a report: each product of ours waits for the one before")->needs(bench);
  app.parse(std::move(args));
  if (transposed) of.operation = Operation::transposed_product;
  if (cold) of.state = CacheState::cold;
  of.precision = o.runs.query.precision.value_or(Precision::f32);
  o.require_target();
  const Services services = make_services(o.engines);
  figure::Subject subject;
  if (reports.empty())
    fill(subject, o, services);
  else
    subject.grid = grid_of_bench(reports, of);
  o.write(subject, true);
  return 0;
}

}  // namespace warpspy::cli
