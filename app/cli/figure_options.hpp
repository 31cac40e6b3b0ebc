// What commands that draw share: where to, and the page that the figure is laid out for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "core/base/folder.hpp"
#include "core/plot/export.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/plot/page.hpp"
#include "core/plot/plot.hpp"
#include "core/plot/theme.hpp"

namespace CLI {
class Option;
}

namespace warpspy::cli {

struct FigureOptions {
  std::string out;

  void add(CLI::App& app);
  void add_look(CLI::App& app);  // without the file: where that has another help
  // Throws Error on options that do not go together, before anything is opened.
  plot::Page page() const;
  plot::Theme theme() const { return plot::theme_of(page()); }
  // What the figure is of: a matrix as it was named, runs. Its file says so. `kept`: the run has a number in the
  // history.
  void of_matrix(const std::string& source);
  void of_run(const RunRecord& run, bool kept = false);
  void of_device(const std::string& device, Provenance provenance);
  // Whether the page was asked for in any way.
  bool page_given() const;
  // Throws Error. Says on standard error when texts became smaller than asked for.
  void write(const plot::Plot& figure) const;
  // Into a folder that may be a stranger's; `out` is a name in it.
  void write(const plot::Plot& figure, const Folder& folder) const;

 private:
  plot::Exported made(const plot::Plot& figure) const;
  std::string preset_ = "screen", size_ = "900x600";
  std::optional<double> font_pt_, width_mm_;
  std::optional<plot::Colours> colours_;
  bool dark_ = false, no_title_ = false, no_legend_ = false;
  CLI::App* app_ = nullptr;
  CLI::Option* size_given_ = nullptr;
  std::vector<CLI::Option*> look_;
  plot::FigureRecipe recipe_;
};

}  // namespace warpspy::cli
