// layout: a format's arrays as the papers print them, or where its padding is.
#include <CLI/CLI.hpp>

#include "app/cli/figure_options.hpp"
#include "app/cli/format_options.hpp"
#include "core/plot/format_figures.hpp"

namespace warpspy::cli {

int layout(CLI::App& app, std::vector<std::string> args) {
  FormatOptions options;
  FigureOptions figure;
  std::string format;
  bool arrays = false, padding = false;
  options.add(app);
  figure.add(app);
  app.add_option("--format", format, "Storage format to draw")->required();
  auto* printed =
      app.add_flag("--arrays", arrays, "The arrays as the papers print them, or an error: small matrices only");
  app.add_flag("--padding", padding, "Where the padding is, also of a small matrix")->excludes(printed);
  app.parse(std::move(args));
  figure.page();
  const FormatRow& row = format_row(format);
  const ParamSet params = params_for(row.info, options.params);
  const MemoryBudget memory = options.memory();
  const Matrix m = open_with_progress(options.file);
  figure.of_matrix(options.file);
  const auto what = arrays    ? plot::FormatPicture::arrays
                    : padding ? plot::FormatPicture::padding
                              : plot::FormatPicture::automatic;
  Progress progress;
  figure.write(plot::format_figure(m, FormatFacts(m), {format, params, options.of_values(), RealView::real_part}, what,
                                   budget_now(memory), figure.theme(), progress));
  return 0;
}

}  // namespace warpspy::cli
