#include "app/cli/figure_options.hpp"

#include <CLI/CLI.hpp>

#include "core/plot/export.hpp"

namespace warpspy::cli {

void FigureOptions::add(CLI::App& app) {
  app.add_option("-o,--output", out, "File to write: .svg .pdf .png, or the numbers as .csv .json")->required();
  add_look(app);
}

void FigureOptions::add_look(CLI::App& app) {
  app.add_option("--size", size, "WIDTHxHEIGHT in pixels")->capture_default_str();
  app.add_flag("--dark", dark, "Dark ground");
}

void FigureOptions::write(const plot::Plot& figure) const {
  const PictureSize s = parse_size(size);
  plot::export_plot(figure, out, s.width, s.height, theme());
}

}  // namespace warpspy::cli
