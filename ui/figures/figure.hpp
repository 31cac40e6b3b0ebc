// What can be exported: a picture with the numbers behind it, or numbers alone.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/plot/plot.hpp"
#include "ui/platform/input.hpp"
#include "ui/state/actions.hpp"

namespace warpspy::ui {

// All that the window knows of a figure. The row stands in the figure's own file.
struct FigureRow {
  const char* id;     // in the name of its command, export.ID, and of the file that is written
  const char* word;   // in the export dialog
  const char* label;  // of its command
  const char* help;
  Chord keys = {};
  const char* tab = "";                               // where the window shows it
  bool of_matrix = false;                             // the name of the file begins with the matrix's
  bool in_part = false;                               // what is visible can be exported alone (ExportFigure::window)
  std::string (*why_not)(const AppState&) = nullptr;  // why there is nothing to export now, or ""; none: always is
  // Either the picture, or the same numbers as CSV and as JSON. They may throw Error.
  plot::Plot (*picture)(const AppState&, const ExportFigure&, const plot::Theme&, const Progress&) = nullptr;
  std::string (*csv)(const AppState&) = nullptr;
  std::string (*json)(const AppState&) = nullptr;
  std::vector<std::shared_ptr<const RunRecord>> (*runs)(const AppState&) = nullptr;  // that it is of
  void (*tell)(const AppState&, plot::FigureRecipe&) = nullptr;                      // what else it is of

  std::string reason(const AppState& s) const { return why_not ? why_not(s) : ""; }
};

// In the order of THE list: that of the menu and of the export dialog.
std::span<const FigureRow* const> figure_rows();
const FigureRow* figure_row(const std::string& id);  // nullptr when there is none

// How a figure of the window came to be. `desk` (core/session, as JSON): with it the file brings back what it shows.
plot::FigureRecipe recipe_of(const AppState& s, const FigureRow& row, const std::string& desk = {});
// Writes a figure; a job's work. Throws Error. What is no picture has no page.
plot::Fitted export_figure(const AppState& snapshot, const ExportFigure& what, const std::string& desk,
                           const Progress& progress);
// Draws it as it would be written; a job's work. Throws Error.
PagePicture preview_figure(const AppState& snapshot, const PreviewFigure& what, const Progress& progress);

}  // namespace warpspy::ui
