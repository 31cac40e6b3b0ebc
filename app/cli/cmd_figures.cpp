// spy and histogram: figures of a matrix alone.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/figure_options.hpp"
#include "app/cli/request_options.hpp"
#include "app/cli/run_output.hpp"
#include "app/wiring.hpp"
#include "core/matrix/stats.hpp"
#include "core/plot/figures.hpp"
#include "core/plot/pattern_shades.hpp"

namespace warpspy::cli {
namespace {

// Picture cells for the whole matrix: square when the shape allows it, stretched beyond 4:1, never finer than one
// entry.
CountGrid count_whole(const Csr& a, double side) {
  const double longest = static_cast<double>(std::max<index_t>({a.rows(), a.cols(), 1}));
  const bool stretch = a.rows() > 4 * a.cols() || a.cols() > 4 * a.rows();
  const auto cells = [&](index_t extent) {
    const double wanted = stretch ? side : side * static_cast<double>(extent) / longest;
    return static_cast<int>(std::clamp(wanted, 1.0, std::max(1.0, static_cast<double>(extent))));
  };
  return count_grid(a, whole(a), cells(a.cols()), cells(a.rows()));
}

void add_file(CLI::App& app, std::string& file) {
  app.add_option("FILE", file, "A matrix file, or gen:NAME")->required();
}

const std::map<std::string, Shading> shadings = {
    {"linear", Shading::linear}, {"log", Shading::log}, {"binary", Shading::binary}};
const std::map<std::string, Colormap> maps = {
    {"cividis", Colormap::cividis}, {"viridis", Colormap::viridis}, {"grey", Colormap::grey}};

}  // namespace

// What the pattern shows of a run.
struct ShadeOptions {
  std::string shade, kernel = "csr_vector";
  std::vector<std::string> params;
  RequestOptions run{for_one_run()};

  void add(CLI::App& app) {
    std::vector<std::string> ids;
    for (const plot::PatternShade& s : plot::pattern_shades()) ids.emplace_back(s.id);
    app.add_option("--shade", shade, "What the pattern shows of a run in the emulator, in place of counts")
        ->check(CLI::IsMember(ids));
    app.add_option("--kernel", kernel, "The kernel of that run")->capture_default_str();
    app.add_option("--param", params, "NAME=VALUE, a parameter of the kernel or of its format; may be repeated")
        ->allow_extra_args(false);
    run.add_only(app, {"device", "precision", "view"});
  }

  plot::Plot figure(const Matrix& m, const std::string& file, const CountGrid& counts, const plot::Theme& theme) {
    const Services services = make_services(run.engines);
    const KernelInfo& info = services.catalog.require_kernel(kernel);
    RunRequest request = run.request;
    request.matrix = as_told(file);
    request.kernel = kernel;
    request.view = run.view_of(m, file);
    for (const std::string& text : params) set_param(request, text, info, services.catalog.format(info.format));
    Progress progress;
    const EntryTrace trace = services.engine->trace_entries(request, m, 0, m.csr->rows(), progress);
    return plot::shaded_spy_figure(m, counts, trace, *plot::pattern_shade(shade), theme);
  }
};

int spy(CLI::App& app, std::vector<std::string> args) {
  FigureOptions options;
  std::string file;
  plot::SpyStyle style;
  ShadeOptions shaded;
  add_file(app, file);
  options.add(app);
  shaded.add(app);
  app.add_option("--shading", style.shading, "linear, log or binary")->transform(CLI::CheckedTransformer(shadings));
  app.add_option("--map", style.map, "cividis, viridis or grey")->transform(CLI::CheckedTransformer(maps));
  app.parse(std::move(args));
  const plot::Page page = options.page();
  const Matrix m = open_with_progress(file);
  options.of_matrix(file);
  const CountGrid counts =
      count_whole(*m.csr, std::min(page.width, page.height) * (page.on_paper() ? page.png_scale : 1));
  options.write(shaded.shade.empty() ? plot::spy_figure(m, counts, style, options.theme())
                                     : shaded.figure(m, file, counts, options.theme()));
  return 0;
}

int histogram(CLI::App& app, std::vector<std::string> args) {
  FigureOptions options;
  std::string file;
  plot::HistogramStyle style;
  bool linear_y = false, no_cumulative = false;
  add_file(app, file);
  options.add(app);
  app.add_flag("--log-x", style.log_x, "Logarithmic row length");
  app.add_flag("--linear-y", linear_y, "Linear number of rows");
  app.add_flag("--no-cumulative", no_cumulative, "Without the cumulative curve");
  app.parse(std::move(args));
  options.page();
  style.log_y = !linear_y;
  style.cumulative = !no_cumulative;
  const Matrix m = open_with_progress(file);
  options.of_matrix(file);
  options.write(plot::histogram_figure(m, row_stats(*m.csr), style, options.theme()));
  return 0;
}

}  // namespace warpspy::cli
