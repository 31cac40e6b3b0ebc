// Options that all commands share that draw a figure: the file, and the size and scale of its page.
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
  figure::Options chosen;  // valid after parsing

  void add(CLI::App& app);
  void add_look(CLI::App& app);  // without the option of the file, for commands with another help text for it
  // Adds the options of this figure, except those that its command declares itself.
  void add_fields(CLI::App& app, const figure::Row& row);
  // Throws Error if options contradict each other, before any file is opened.
  plot::Page page() const;
  // Whether any option of the page was given.
  bool page_given() const;
  // Draws the figure into the file, which contains its recipe. `kept`: its runs have the numbers of the history. Throws
  // Error. Prints a note if texts had to become smaller than asked for.
  void write(const figure::Row& row, const figure::Subject& subject, bool kept = false) const;
  // Writes into a folder that may belong to another user; `out` is a name in that folder.
  void write(const figure::Row& row, const figure::Subject& subject, bool kept, const Folder& folder) const;
  // Returns the figure instead of writing it.
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

// A matrix for a figure, with its absolute path and the hash of its file.
figure::Subject::OfMatrix figure_matrix(const std::string& source, Matrix matrix);
// Sets the device's name and roofs, which are those of the run's precision unless an option names another one. Also
// sets the share of each roof that the runs reach.
void of_device(figure::Subject& subject, const Services& services, const RunRecord& run,
               const figure::Options& options = {});
void share_of_roofs(figure::Subject& subject, const Services& services);

}  // namespace warpspy::cli
