#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/base/target.hpp"
#include "core/plot/cairo_canvas.hpp"
#include "core/plot/export.hpp"
#include "ui/figures/figure.hpp"
#include "ui/look/theme.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

namespace {

const FigureRow& possible(const AppState& s, const std::string& id, const std::string& where) {
  const FigureRow* row = figure_row(id);
  if (!row) throw Error("there is no such figure", id);
  if (const std::string why = row->reason(s); !why.empty())
    throw Error(std::string("there is nothing to export (") + row->word + ")", where, why);
  return *row;
}

}  // namespace

plot::Plot Figure::draw(const plot::Theme& theme, const Progress& progress) const {
  return figure::draw(row->drawn(), subject, options, {.theme = theme}, progress);
}
plot::Plot Figure::draw(const plot::Page& page, const Progress& progress) const {
  return figure::draw(row->drawn(), subject, options, figure::look_of(page), progress);
}

Figure figure_of(const AppState& s, const FigureRow& row, const OpenMatrix* m) {
  Figure f{.row = &row, .subject = {}, .options = {}};
  f.subject.catalog = s.catalog;
  row.fill(s, m ? m : s.current(), f.subject, f.options);
  return f;
}
Figure figure_of(const AppState& s, const char* id, const OpenMatrix* m) { return figure_of(s, *figure_row(id), m); }

std::shared_ptr<const plot::Plot> drawn(const Drawing& of, Progress& progress) {
  constexpr double text_size = 12;
  return std::make_shared<const plot::Plot>(of.figure.draw(plot_theme(palette_of(of.theme), text_size), progress));
}

plot::FigureRecipe recipe_of(const AppState& s, const Figure& figure, const std::string& desk) {
  plot::FigureRecipe recipe;
  recipe.command = figure::command_of(figure.row->drawn(), figure.subject, figure.options);
  if (recipe.command.empty()) recipe.command = std::string("the window's export: ") + figure.row->word;
  recipe.version = s.version;
  recipe.desk = desk;
  figure::describe(recipe, figure.subject, true);
  return recipe;
}

plot::Fitted export_figure(const AppState& s, const ExportFigure& what, const std::string& desk,
                           const Progress& progress) {
  const FigureRow& row = possible(s, what.what, what.path);
  if (const std::string wrong = plot::wrong_ending(what.path, row.picture()); !wrong.empty())
    throw Error(std::string(row.word) + ": " + wrong, what.path);
  Figure figure = figure_of(s, row);
  figure.options.part = what.window;
  if (row.picture())
    return plot::export_plot(figure.draw(what.page, progress), what.path, what.page, recipe_of(s, figure, desk));
  write_file(what.path, fs::path(what.path).extension() == ".csv" ? figure.csv() : figure.json());
  return {};
}

PagePicture preview_figure(const AppState& s, const PreviewFigure& what, const Progress& progress) {
  const FigureRow& row = possible(s, what.what, "");
  if (!row.picture()) throw Error(std::string(row.word) + ": these are numbers alone");
  Figure of = figure_of(s, row);
  of.options.part = what.window;
  const plot::Plot figure = of.draw(what.page, progress);
  PagePicture result;
  result.fitted = plot::fitted_to(figure, what.page);
  auto canvas = plot::CairoCanvas::raster(result.fitted.width, result.fitted.height, what.scale);
  plot::draw_page(figure, what.page, result.fitted, canvas);
  result.width = canvas.pixel_width(), result.height = canvas.pixel_height();
  result.rgba = canvas.pixels();
  return result;
}

}  // namespace warpspy::ui
