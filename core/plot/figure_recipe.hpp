// A figure's recipe, stored in the figure's file: which program drew it, from what, and the figure's data, so that it
// can be drawn again on any machine. In SVG as metadata, in PDF as a keyword, in PNG as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/plot/page.hpp"
#include "core/plot/plot.hpp"

namespace warpspy {
struct RunRecord;
}

namespace warpspy::plot {

struct FigureRecipe {
  struct Matrix {
    std::string source;  // path, FILE?name=value or gen:...
    std::string hash;    // hash of the file's contents; empty: generated, or unknown
    bool operator==(const Matrix&) const = default;
  };
  std::string command;  // as typed; of a figure of the window what it is called there
  std::string version;  // of Warpspy
  std::vector<Matrix> matrices;
  std::vector<std::string> devices;  // the devices, with their drivers
  std::vector<std::uint64_t> runs;   // numbers of the runs that are in the history
  std::string provenance;            // "measured", "modelled", ...; empty: a figure without runs
  std::string desk = {};             // a desk (core/session) as JSON, which opening the file restores; may be empty
  bool operator==(const FigureRecipe&) const = default;
};

// Adds a device from which the figure has numbers.
void add_device(FigureRecipe& recipe, const std::string& device, Provenance provenance);
// Adds a run that the figure shows: its number if it was `kept` in the history, its device and driver, and its
// provenance.
void add_run(FigureRecipe& recipe, const RunRecord& run, bool kept);

// Recipe and figure as one text of ASCII letters, which any file can contain: facts for people first, then the figure.
// More rows of numbers than kMostRows are left out.
std::string recipe_text(const FigureRecipe& recipe, const Plot& plot, const Page& page);
inline constexpr std::size_t kMostRows = 20000;

// Returns the recipe's facts in one line for people, and as a JSON object.
std::string facts_line(const FigureRecipe& recipe);
std::string facts_json(const FigureRecipe& recipe);

// A recipe_text() as lines of comment that TeX reads, which read_figure() finds too; "" of "".
std::string as_comment(const std::string& recipe_text);

// The file of a figure with its recipe: an SVG or PDF has it already, a PNG gets it here. It has no date, so the same
// figure always makes the same file.
std::string sealed(std::string file, const std::string& ending, const std::string& recipe_text);

struct FoundFigure {
  FigureRecipe recipe;
  Plot plot;
  Page page;
  bool edited = false;   // the file was changed since it was drawn
  bool has_rows = true;  // the file has the figure's numbers
};
// Throws Error if it is no figure of Warpspy, or its recipe is incomplete.
FoundFigure read_figure(const std::string& bytes);
// Reads the bytes of a file that may be a figure. Throws Error.
std::string figure_bytes(const std::string& path);

}  // namespace warpspy::plot
