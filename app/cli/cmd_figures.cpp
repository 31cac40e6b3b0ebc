// draw: any figure of the list. spy, histogram, lengths, heatmap and line are short names of some.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "app/cli/figure_options.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/wiring.hpp"
#include "core/io/io.hpp"
#include "core/plot/pattern_shades.hpp"

namespace warpspy::cli {
namespace {

// The options for colouring the pattern by a run.
struct ShadeOptions {
  std::string kernel = RunRequest{}.kernel;
  std::vector<std::string> params;
  RequestOptions run{for_one_run()};

  void add(CLI::App& app, std::string& shade) {
    std::vector<std::string> ids;
    for (const plot::PatternShade& s : plot::pattern_shades()) ids.emplace_back(s.id);
    app.add_option("--shade", shade, figure::field("shade").help)->check(CLI::IsMember(ids));
    app.add_option("--kernel", kernel, "The kernel of that run")->capture_default_str();
    app.add_option("--param", params, "NAME=VALUE, a parameter of the kernel or of its format; may be repeated")
        ->allow_extra_args(false);
    run.add_only(app, {"device", "precision", "view"});
  }

  std::shared_ptr<const EntryTrace> trace(const Matrix& m, const std::string& file) {
    const Services services = make_services(run.engines);
    const KernelInfo& info = services.catalog.require_kernel(kernel);
    RunRequest request = run.request;
    request.matrix = as_told(file);
    request.kernel = kernel;
    request.view = run.view_of(m, file);
    for (const std::string& text : params) set_param(request, text, info, services.catalog.format(info.format));
    Progress progress;
    return std::make_shared<const EntryTrace>(services.engine->trace_entries(request, m, 0, m.csr->rows(), progress));
  }
};

int of_matrices(const figure::Row& row, CLI::App& app, std::vector<std::string> args) {
  FigureOptions options;
  std::vector<std::string> files;
  ShadeOptions shaded;
  const bool many = row.of == figure::Of::matrices;
  auto* file = app.add_option("FILE", files, many ? "Matrix files, or gen:NAME" : "A matrix file, or gen:NAME");
  file->required();
  if (!many) file->expected(1);
  options.add(app);
  options.add_fields(app, row);
  if (row.takes_field("shade")) shaded.add(app, options.chosen.shade);
  app.parse(std::move(args));
  options.page();
  figure::Subject subject;
  for (const std::string& each : files) subject.matrices.push_back(figure_matrix(each, open_with_progress(each)));
  if (std::string(row.id) == "mesh") {
    Progress progress;
    subject.matrices[0].points = points_of(files[0], plot::kMostMeshRows, progress);
  }
  if (!options.chosen.shade.empty()) subject.entries = shaded.trace(*subject.matrices[0].matrix, files[0]);
  options.write(row, subject);
  return 0;
}

// Figures that need a function of their own; all others show only matrices or saved runs.
struct Drawn {
  const char* id;
  int (*run)(CLI::App& app, std::vector<std::string> args);
};
constexpr Drawn kDrawn[] = {{"layout", layout}, {"roofline", roofline}, {"memory", memory}, {"profile", profile},
                            {"best", best},     {"roofs", roofs},       {"tuning", tune},   {"analysis", analyse},
                            {"warp", warp},     {"study", draw_study}};

std::string list_of_figures() {
  std::string text = "Figures:\n";
  for (const figure::Row* row : figure::rows()) {
    char line[200];
    std::snprintf(line, sizeof line, "  %-12s %s\n", row->id, row->help);
    text += line;
  }
  return text + "warpspy draw FIGURE --help has the options of one; warpspy figure FILE draws a file again.";
}

int draw_figure(const std::string& id, CLI::App& app, std::vector<std::string> args) {
  for (const Drawn& d : kDrawn)
    if (id == d.id) return d.run(app, std::move(args));
  const figure::Row& row = *figure::row(id);
  if (row.of == figure::Of::runs) return draw_runs(row, app, std::move(args));
  if (row.of == figure::Of::matrix || row.of == figure::Of::matrices) return of_matrices(row, app, std::move(args));
  throw std::logic_error("nobody makes what the figure " + id + " is of");
}

}  // namespace

int spy(CLI::App& app, std::vector<std::string> args) { return draw_figure("spy", app, std::move(args)); }
int histogram(CLI::App& app, std::vector<std::string> args) { return draw_figure("histogram", app, std::move(args)); }
int lengths(CLI::App& app, std::vector<std::string> args) { return draw_figure("lengths", app, std::move(args)); }
int heatmap(CLI::App& app, std::vector<std::string> args) { return draw_figure("heatmap", app, std::move(args)); }
int line(CLI::App& app, std::vector<std::string> args) { return draw_figure("line", app, std::move(args)); }

// `args` are in reverse order.
int draw(CLI::App& app, std::vector<std::string> args) {
  const std::string id = args.empty() ? "" : args.back();
  if (!figure::row(id)) {
    std::string chosen;
    app.add_option("FIGURE", chosen, "Which figure, by its id")->required();
    app.add_option("OF", "Matrices, or numbers of saved runs, that the figure shows")->expected(0, 1000);
    app.footer(list_of_figures());
    app.allow_extras();
    app.parse(std::move(args));
    throw Error("there is no figure " + chosen, {}, "warpspy draw --help lists them");
  }
  args.pop_back();
  app.name(app.get_name() + " " + id);
  return draw_figure(id, app, std::move(args));
}

}  // namespace warpspy::cli
