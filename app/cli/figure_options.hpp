// What commands that draw share: where to, and the page that the figure is laid out for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/wiring.hpp"
#include "core/base/folder.hpp"
#include "core/figure/figure.hpp"
#include "core/plot/export.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/plot/page.hpp"
#include "core/plot/plot.hpp"

namespace CLI {
class Option;
}

namespace warpspy::cli {

struct FigureOptions {
  std::string out;
  figure::Options chosen;  // once the app has parsed

  void add(CLI::App& app);
  void add_look(CLI::App& app);  // without the file: where that has another help
  // What can be chosen of such a figure, but for what its command declares itself.
  void add_fields(CLI::App& app, const figure::Row& row);
  // Throws Error on options that do not go together, before anything is opened.
  plot::Page page() const;
  // Whether the page was asked for in any way.
  bool page_given() const;
  // Draws it to the file, which carries its recipe. `kept`: its runs have their numbers from the history. Throws Error.
  // Says on standard error when texts became smaller than asked for.
  void write(const figure::Row& row, const figure::Subject& subject, bool kept = false) const;
  // Into a folder that may be a stranger's; `out` is a name in it.
  void write(const figure::Row& row, const figure::Subject& subject, bool kept, const Folder& folder) const;
  // The figure as it is drawn.
  plot::Plot drawn(const figure::Row& row, const figure::Subject& subject) const;

 private:
  plot::Exported made(const figure::Row& row, const figure::Subject& subject, bool kept) const;
  std::string preset_ = "screen", size_ = "900x600";
  std::optional<double> font_pt_, width_mm_;
  std::optional<plot::Colours> colours_;
  bool dark_ = false, no_title_ = false, no_legend_ = false;
  CLI::App* app_ = nullptr;
  CLI::Option* size_given_ = nullptr;
  std::vector<CLI::Option*> look_;
};

// A matrix for a figure: by its whole path, with the hash of the file's contents.
figure::Subject::OfMatrix figure_matrix(const std::string& source, Matrix matrix);
// Name and roofs of the device of a run, at its precision unless the options name one; how much of its roofs any run
// reaches.
void of_device(figure::Subject& subject, const Services& services, const RunRecord& run,
               const figure::Options& options = {});
void share_of_roofs(figure::Subject& subject, const Services& services);

}  // namespace warpspy::cli
