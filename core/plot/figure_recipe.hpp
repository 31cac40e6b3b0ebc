// How a figure was made, carried by its file: who drew it, of what, and the figure itself, so that it can be drawn
// again on any machine. In SVG as metadata, in PDF as a keyword, in PNG as text.
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
    std::string hash;    // of the file's contents; empty: generated, or not known
    bool operator==(const Matrix&) const = default;
  };
  std::string command;  // as typed; of a figure of the window what it is called there
  std::string version;  // of Warpspy
  std::vector<Matrix> matrices;
  std::vector<std::string> devices;  // with their drivers
  std::vector<std::uint64_t> runs;   // their numbers, as far as they were kept
  std::string provenance;            // "measured", "modelled", ...; empty: of the matrix alone
  std::string desk = {};             // core/session's, as JSON: what the window shows of it again; may be empty
  bool operator==(const FigureRecipe&) const = default;
};

// Its numbers are of this device, too.
void add_device(FigureRecipe& recipe, const std::string& device, Provenance provenance);
// The figure is of this run, too: its number where it was `kept` in the history, device and driver, where its numbers
// are from.
void add_run(FigureRecipe& recipe, const RunRecord& run, bool kept);

// Both as one text of ASCII letters that can stand in any file: facts that people can read, then the figure. More rows
// of numbers than kMostRows are left out.
std::string recipe_text(const FigureRecipe& recipe, const Plot& plot, const Page& page);
inline constexpr std::size_t kMostRows = 20000;

// The same facts in one line, for people; and as a JSON object.
std::string facts_line(const FigureRecipe& recipe);
std::string facts_json(const FigureRecipe& recipe);

// A recipe_text() as lines of comment that TeX reads, which read_figure() finds too; "" of "".
std::string as_comment(const std::string& recipe_text);

// A file of a figure with its recipe in it, which `file` has already (SVG, PDF) or gets here (PNG). Nothing is said of
// the time: the same figure is the same file.
std::string sealed(std::string file, const std::string& ending, const std::string& recipe_text);

struct FoundFigure {
  FigureRecipe recipe;
  Plot plot;
  Page page;
  bool edited = false;   // the file was changed since it was drawn
  bool has_rows = true;  // the numbers behind it are there
};
// Throws Error: no figure of Warpspy, or its recipe is not whole.
FoundFigure read_figure(const std::string& bytes);
// The bytes of a file that may be one; throws Error.
std::string figure_bytes(const std::string& path);

}  // namespace warpspy::plot
