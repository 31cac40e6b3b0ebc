// Where the window shows each figure of the registry (core/figure), and what of the state it is of: screen, export,
// preview and report draw by the same rows.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/figure/figure.hpp"
#include "core/jobs/progress.hpp"
#include "core/plot/figure_recipe.hpp"
#include "core/plot/plot.hpp"
#include "ui/platform/input.hpp"
#include "ui/state/actions.hpp"

namespace warpspy::ui {

// All that the window knows of a figure beside its row in the registry.
struct FigureRow {
  const char* id;     // of the registry; in the name of its command, export.ID, and of the file that is written
  const char* word;   // in the export dialog
  std::string label;  // of its command
  std::string help;
  Chord keys = {};
  const char* tab = "";                               // where the window shows it
  bool of_matrix = false;                             // the name of the file begins with the matrix's
  std::string (*why_not)(const AppState&) = nullptr;  // why there is nothing to export now, or ""; none: always is
  bool (*has)(const OpenMatrix&) = nullptr;  // of a figure of one matrix: whether this one has it; none: all have
  // What it is of and what is chosen. Of a figure of one matrix `m` is that one, else nullptr. May throw Error.
  void (*fill)(const AppState&, const OpenMatrix* m, figure::Subject&, figure::Options&) = nullptr;

  const figure::Row& drawn() const { return *figure::row(id); }
  bool picture() const { return drawn().picture(); }
  bool in_part() const { return drawn().takes_field("part"); }  // what is visible can be exported alone
  std::string reason(const AppState& s) const { return why_not ? why_not(s) : ""; }
};

// In the order of the registry: that of the menu and of the export dialog. A figure of saved runs needs no row of its
// own in rows.cpp.
std::span<const FigureRow* const> figure_rows();
const FigureRow* figure_row(const std::string& id);  // nullptr when there is none

// A figure as the state has it. `m`: of this matrix in place of the current one.
struct Figure {
  const FigureRow* row = nullptr;
  figure::Subject subject;
  figure::Options options;

  plot::Plot draw(const plot::Theme& theme, const Progress& progress) const;  // for the screen
  plot::Plot draw(const plot::Page& page, const Progress& progress) const;
  std::string csv() const { return row->drawn().csv(subject); }
  std::string json() const { return row->drawn().json(subject); }
  bool operator==(const Figure&) const = default;
};
Figure figure_of(const AppState& s, const FigureRow& row, const OpenMatrix* m = nullptr);
Figure figure_of(const AppState& s, const char* id, const OpenMatrix* m = nullptr);
Figure figure_of(const ManyReads& reads, const char* id);  // one of those of many runs

// All that a figure on the screen is made of.
struct Drawing {
  Figure figure;
  ThemeId theme = ThemeId::paper;
  bool operator==(const Drawing&) const = default;
};
std::shared_ptr<const plot::Plot> drawn(const Drawing& of, Progress& progress);

// How a figure of the window came to be. `desk` (core/session, as JSON): with it the file brings back what it shows.
plot::FigureRecipe recipe_of(const AppState& s, const Figure& figure, const std::string& desk = {});
// Writes a figure; a job's work. Throws Error. What is no picture has no page.
plot::Fitted export_figure(const AppState& snapshot, const ExportFigure& what, const std::string& desk,
                           const Progress& progress);
// Draws it as it would be written; a job's work. Throws Error.
PagePicture preview_figure(const AppState& snapshot, const PreviewFigure& what, const Progress& progress);

}  // namespace warpspy::ui
