// warp: prints the steps of one warp of a run.
#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>

#include "app/cli/figure_options.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/warp_output.hpp"
#include "app/wiring.hpp"
#include "core/run/telling_step.hpp"

namespace warpspy::cli {
namespace {

// "3,7" or "0,12,3": `count` whole numbers. Throws Error.
std::vector<index_t> numbers_of(const std::string& option, const std::string& text, std::size_t count) {
  std::vector<index_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (bool more = true; more;) {
    index_t n = 0;
    const auto [next, failed] = std::from_chars(at, end, n);
    more = failed == std::errc{} && next != end && *next == ',';
    if (failed == std::errc{}) numbers.push_back(n);
    at = more ? next + 1 : next;
    if (failed != std::errc{}) numbers.clear();
  }
  if (at != end || numbers.size() != count)
    throw Error(option + " " + text + " is not understood", {},
                "write " + std::to_string(count) + " whole numbers with commas between, counted from 0");
  return numbers;
}

struct WarpOptions {
  index_t row = 0;
  std::string entry, place, worst, median;

  void add(CLI::App& app) {
    auto* group = app.add_option_group("Which warp", "one of these");
    group->add_option(
        "--row", row,
        "The warp that computes this row, counted from 0 (the figure of -o counts from 1, as the window does)");
    group->add_option("--entry", entry, "ROW,COLUMN: the warp that reads this entry, each counted from 0");
    group->add_option("--warp", place, "LAUNCH,BLOCK,WARP, each counted from 0");
    const std::string by = " of the warps that ran, by sectors (per request), idle (lanes) or time";
    group->add_option("--worst", worst, "The worst" + by);
    group->add_option("--median", median, "The one in the middle" + by);
    group->require_option(1);
  }

  WarpWanted wanted() const {
    using By = WarpWanted::By;
    WarpWanted w;
    w.row = row;
    if (!entry.empty()) {
      const auto n = numbers_of("--entry", entry, 2);
      w.by = By::entry, w.row = n[0], w.column = n[1];
    }
    if (!place.empty()) {
      const auto n = numbers_of("--warp", place, 3);
      w.by = By::place, w.place = {static_cast<int>(n[0]), n[1], static_cast<int>(n[2])};
    }
    if (!worst.empty()) w.by = By::worst, w.measure = warp_measure(worst);
    if (!median.empty()) w.by = By::median, w.measure = warp_measure(median);
    return w;
  }
};

// All warps of the first warp's launch, if there are few.
std::vector<WarpTrace> all_warps(Engine& engine, const RunRequest& request, const Matrix& m, WarpTrace first) {
  constexpr std::int64_t most = 64;
  const std::int64_t warps = first.blocks * first.warps_of_block;
  if (warps > most)
    throw Error("the launch has " + std::to_string(warps) + " warps, and no more than " + std::to_string(most) +
                    " can be printed",
                {}, "choose a smaller matrix");
  std::vector<WarpTrace> all;
  for (std::int64_t w = 0; w < warps; ++w) {
    WarpWanted wanted;
    wanted.by = WarpWanted::By::place;
    wanted.place = {first.place.launch, w / first.warps_of_block, static_cast<int>(w % first.warps_of_block)};
    Progress progress;
    all.push_back(engine.trace_warp(request, m, wanted, progress));
  }
  return all;
}

// Step -1: all of them.
void print_json(const std::vector<WarpTrace>& warps, std::int64_t step) {
  if (warps.size() == 1) {
    std::cout << to_json(warps.front(), step) << "\n";
    return;
  }
  for (std::size_t i = 0; i < warps.size(); ++i) std::cout << (i == 0 ? "[" : ",\n") << to_json(warps[i], step);
  std::cout << "]\n";
}

void print_text(const std::vector<WarpTrace>& warps, std::int64_t step) {
  for (const WarpTrace& w : warps) step >= 0 ? print_step(w, step) : print_warp(w);
}

}  // namespace

int warp(CLI::App& app, std::vector<std::string> args) {
  std::string file;
  std::vector<std::string> kernels = {RunRequest{}.kernel}, params;
  RequestOptions run{for_one_run()};
  WarpOptions which;
  FigureOptions figure;
  const figure::Row& row = *figure::row("warp");
  bool json = false, alone = false;
  app.add_option("FILE", file, "A matrix file, or gen:NAME")->required();
  app.add_option("--kernel", kernels, "The kernel of the run; several, with commas between, side by side")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  app.add_option("--param", params, "NAME=VALUE, a parameter of the kernel or of its format; may be repeated")
      ->allow_extra_args(false);
  which.add(app);
  app.add_flag("--json", json, "Print JSON: the warp, or a list of several");
  app.add_option("-o,--output", figure.out,
                 "Draw the warp to this file (svg, pdf, png) or write its steps (csv, json)");
  app.add_flag("--alone", alone, "The warp alone, with empty caches and without the other blocks");
  figure.add_look(app);
  figure.add_fields(app, row);
  run.add_only(app, {"device", "precision", "view", "depth", "cache_state"});
  app.parse(std::move(args));
  figure.page();
  const std::int64_t step = figure.chosen.step;
  WarpWanted wanted = which.wanted();
  wanted.alone = alone;
  if (!figure.out.empty()) wanted.first = 1;  // figures count as a pattern does
  const Services services = make_services(run.engines);
  std::vector<RunRequest> requests;
  for (const std::string& id : kernels) {
    const KernelInfo& info = services.catalog.require_kernel(id);
    RunRequest& r = requests.emplace_back(run.request);
    r.matrix = as_told(file);
    r.kernel = id;
    for (const std::string& text : params) set_param(r, text, info, services.catalog.format(info.format));
  }
  const Matrix m = open_with_progress(file);
  std::vector<WarpTrace> warps;
  for (RunRequest& r : requests) {
    r.view = run.view_of(m, file);
    Progress progress;
    const WarpWanted of = warps.empty() ? wanted : beside_of(wanted, warps.front());
    warps.push_back(services.engine->trace_warp(r, m, of, progress));
    if (step >= static_cast<std::int64_t>(warps.back().steps.size()))
      throw Error("there is no step " + std::to_string(step), {},
                  r.kernel + " tells " + std::to_string(warps.back().steps.size()) + ", counted from 0");
  }
  if (figure.out.empty() && figure.chosen.face != figure::WarpFace::step)
    throw Error(figure.chosen.face == figure::WarpFace::axis ? "--axis makes a figure" : "--array makes a figure", {},
                "say where to: -o FILE.svg");
  if (!figure.out.empty()) {
    figure::Subject subject;
    subject.matrices.push_back(figure_matrix(file, m));
    if (figure.chosen.face == figure::WarpFace::access)
      warps = all_warps(*services.engine, requests.front(), m, std::move(warps.front()));
    for (WarpTrace& w : warps) subject.warps.emplace_back(std::make_shared<const WarpTrace>(std::move(w)));
    figure.write(row, subject);
    return 0;
  }
  json ? print_json(warps, step) : print_text(warps, step);
  return 0;
}

}  // namespace warpspy::cli
