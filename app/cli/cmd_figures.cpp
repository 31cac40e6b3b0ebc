// spy and histogram: figures of a matrix alone.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/figure_options.hpp"
#include "core/matrix/stats.hpp"
#include "core/plot/figures.hpp"

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

int spy(CLI::App& app, std::vector<std::string> args) {
  FigureOptions options;
  std::string file;
  plot::SpyStyle style;
  add_file(app, file);
  options.add(app);
  app.add_option("--shading", style.shading, "linear, log or binary")->transform(CLI::CheckedTransformer(shadings));
  app.add_option("--map", style.map, "cividis, viridis or grey")->transform(CLI::CheckedTransformer(maps));
  app.parse(std::move(args));
  const PictureSize size = parse_size(options.size);
  const Matrix m = open_with_progress(file);
  const CountGrid counts = count_whole(*m.csr, std::min(size.width, size.height));
  options.write(plot::spy_figure(m, counts, style, options.theme()));
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
  parse_size(options.size);
  style.log_y = !linear_y;
  style.cumulative = !no_cumulative;
  const Matrix m = open_with_progress(file);
  options.write(plot::histogram_figure(m, row_stats(*m.csr), style, options.theme()));
  return 0;
}

}  // namespace warpspy::cli
