// layout: a format's arrays as the papers print them, or a picture of its padding.
#include <CLI/CLI.hpp>

#include "app/cli/figure_options.hpp"
#include "app/cli/format_options.hpp"

namespace warpspy::cli {

int layout(CLI::App& app, std::vector<std::string> args) {
  const figure::Row& row = *figure::row("layout");
  FormatOptions options;
  FigureOptions figure;
  std::string format;
  bool arrays = false, padding = false;
  options.add(app);
  options.run.add_only(app, {"view"});
  figure.add(app);
  figure.add_fields(app, row);
  app.add_option("--format", format, "Storage format to draw")->required();
  auto* printed =
      app.add_flag("--arrays", arrays, "The arrays as the papers print them, or an error: small matrices only");
  app.add_flag("--padding", padding, "Where the padding is, also of a small matrix")->excludes(printed);
  app.parse(std::move(args));
  figure.page();
  const FormatRow& of = format_row(format);
  const MemoryBudget memory = options.memory();
  if (arrays) figure.chosen.picture = plot::FormatPicture::arrays;
  if (padding) figure.chosen.picture = plot::FormatPicture::padding;
  const ParamSet params = params_for(of.info, options.params);
  figure::Subject subject;
  subject.matrices.push_back(figure_matrix(options.file, open_with_progress(options.file)));
  const RealView view = options.run.view_of(*subject.matrices.front().matrix, options.file);
  figure.chosen.format = {format, params, options.of_values(), view};
  subject.budget = budget_now(memory);
  figure.write(row, subject);
  return 0;
}

}  // namespace warpspy::cli
