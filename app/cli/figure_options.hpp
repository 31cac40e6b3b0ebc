// What commands that draw share: where to, how large, on which ground.
#pragma once

#include <string>

#include "app/cli/command.hpp"
#include "core/plot/plot.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::cli {

struct FigureOptions {
  std::string out, size = "900x600";
  bool dark = false;

  void add(CLI::App& app);
  void add_look(CLI::App& app);  // without the file: where that has another help
  plot::Theme theme() const { return dark ? plot::dark_theme() : plot::light_theme(); }
  // Throws Error.
  void write(const plot::Plot& figure) const;
};

}  // namespace warpspy::cli
