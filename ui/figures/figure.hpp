// Tells in which tab the window shows each figure of core/figure, and which part of the state the figure shows. The
// screen, exports, previews and reports use the same rows.
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

// Holds what the window knows about a figure, besides its row in core/figure.
struct FigureRow {
  const char* id;     // id in core/figure; also a part of its command's name, export.ID, and of its file's name
  const char* word;   // name in the export dialog
  std::string label;  // of its command
  std::string help;
  Chord keys = {};
  const char* tab = "";                               // tab in which the window shows it
  bool of_matrix = false;                             // the name of the file begins with the matrix's
  std::string (*why_not)(const AppState&) = nullptr;  // why there is nothing to export now, or ""; none: always is
  bool (*has)(const OpenMatrix&) = nullptr;           // whether this matrix has the figure; nullptr: all have it
  // Fills in what the figure shows and which choices are set. For a figure of one matrix `m` is that matrix, otherwise
  // nullptr. May throw Error.
  void (*fill)(const AppState&, const OpenMatrix* m, figure::Subject&, figure::Options&) = nullptr;

  const figure::Row& drawn() const { return *figure::row(id); }
  bool picture() const { return drawn().picture(); }
  bool in_part() const { return drawn().takes_field("part"); }  // the visible part can be exported alone
  std::string reason(const AppState& s) const { return why_not ? why_not(s) : ""; }
};

// The rows in the order of core/figure, which is also the order of the menu and of the export dialog. A figure of saved
// runs needs no row in rows.cpp.
std::span<const FigureRow* const> figure_rows();
const FigureRow* figure_row(const std::string& id);  // nullptr when there is none

// A figure of the present state. `m`: of this matrix in place of the current one.
struct Figure {
  const FigureRow* row = nullptr;
  figure::Subject subject;
  figure::Options options;

  plot::Plot draw(const plot::Theme& theme, const Progress& progress) const;  // for the screen
  plot::Plot draw(const plot::Page& page, const Progress& progress) const;
  std::string csv() const { return row->drawn().csv(subject, options); }
  std::string json() const { return row->drawn().json(subject, options); }
  bool operator==(const Figure&) const = default;
};
Figure figure_of(const AppState& s, const FigureRow& row, const OpenMatrix* m = nullptr);
Figure figure_of(const AppState& s, const char* id, const OpenMatrix* m = nullptr);
Figure figure_of(const ManyReads& reads, const char* id);  // a figure of many runs

// All the data from which a figure on the screen is made.
struct Drawing {
  Figure figure;
  ThemeId theme = ThemeId::paper;
  bool operator==(const Drawing&) const = default;
};
std::shared_ptr<const plot::Plot> drawn(const Drawing& of, Progress& progress);

// The recipe of a figure of the window. `desk` (core/session, as JSON) goes into the file, so that opening the file
// brings back matrices, runs and choices.
plot::FigureRecipe recipe_of(const AppState& s, const Figure& figure, const std::string& desk = {});
// Writes a figure, in a job. Throws Error. Only pictures have a page.
plot::Fitted export_figure(const AppState& snapshot, const ExportFigure& what, const std::string& desk,
                           const Progress& progress);
// Draws the figure as it would be written, in a job. Throws Error.
PagePicture preview_figure(const AppState& snapshot, const PreviewFigure& what, const Progress& progress);

}  // namespace warpspy::ui
