// THE list of figures that can be exported. Each name is a row (FigureRow) in the file of that name, or in many.cpp.
#define WARPSPY_FIGURES(ROW) \
  ROW(spy)                   \
  ROW(histogram)             \
  ROW(roofline)              \
  ROW(layout)                \
  ROW(tuning)                \
  ROW(analysis)              \
  ROW(memory)                \
  ROW(warp)                  \
  ROW(heatmap)               \
  ROW(profile)               \
  ROW(line)                  \
  ROW(runs)                  \
  ROW(comparison)            \
  ROW(both_lengths)

#include <algorithm>
#include <filesystem>

#include "core/base/target.hpp"
#include "core/plot/cairo_canvas.hpp"
#include "core/plot/export.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

namespace figures {
#define DECLARED(name) extern const FigureRow name;
WARPSPY_FIGURES(DECLARED)
}  // namespace figures

namespace {

#define LISTED(name) &figures::name,
constexpr const FigureRow* list[] = {WARPSPY_FIGURES(LISTED)};

}  // namespace

std::span<const FigureRow* const> figure_rows() { return list; }

const FigureRow* figure_row(const std::string& id) {
  for (const FigureRow* row : list)
    if (id == row->id) return row;
  return nullptr;
}

namespace {

const FigureRow& possible(const AppState& s, const std::string& id, const std::string& where) {
  const FigureRow* row = figure_row(id);
  if (!row) throw Error("there is no such figure", id);
  if (const std::string why = row->reason(s); !why.empty())
    throw Error(std::string("there is nothing to export (") + row->word + ")", where, why);
  return *row;
}

}  // namespace

plot::FigureRecipe recipe_of(const AppState& s, const FigureRow& row, const std::string& desk) {
  plot::FigureRecipe recipe;
  recipe.command = std::string("the window's export: ") + row.word;
  recipe.version = s.version;
  recipe.desk = desk;
  const auto add_matrix = [&](const OpenMatrix& m) {
    const plot::FigureRecipe::Matrix of{m.source, m.file ? m.file->hash : ""};
    if (std::find(recipe.matrices.begin(), recipe.matrices.end(), of) == recipe.matrices.end())
      recipe.matrices.push_back(of);
  };
  if (row.of_matrix && s.current()) add_matrix(*s.current());
  const auto runs = row.runs ? row.runs(s) : std::vector<std::shared_ptr<const RunRecord>>{};
  for (const auto& run : runs) {
    if (run->status != RunStatus::ok) continue;
    add_run(recipe, *run, true);
    for (const OpenMatrix& m : s.matrices)
      if (m.source == run->request.matrix) add_matrix(m);
  }
  if (row.tell) row.tell(s, recipe);
  return recipe;
}

plot::Fitted export_figure(const AppState& s, const ExportFigure& what, const std::string& desk,
                           const Progress& progress) {
  const FigureRow& row = possible(s, what.what, what.path);
  if (const std::string wrong = plot::wrong_ending(what.path, row.picture != nullptr); !wrong.empty())
    throw Error(std::string(row.word) + ": " + wrong, what.path);
  if (row.picture)
    return plot::export_plot(row.picture(s, what, plot::theme_of(what.page), progress), what.path, what.page,
                             recipe_of(s, row, desk));
  write_file(what.path, fs::path(what.path).extension() == ".csv" ? row.csv(s) : row.json(s));
  return {};
}

PagePicture preview_figure(const AppState& s, const PreviewFigure& what, const Progress& progress) {
  const FigureRow& row = possible(s, what.what, "");
  if (!row.picture) throw Error(std::string(row.word) + ": these are numbers alone");
  const ExportFigure as{.what = what.what, .page = what.page, .window = what.window};
  const plot::Plot figure = row.picture(s, as, plot::theme_of(what.page), progress);
  PagePicture result;
  result.fitted = plot::fitted_to(figure, what.page);
  auto canvas = plot::CairoCanvas::raster(result.fitted.width, result.fitted.height, what.scale);
  plot::draw_page(figure, what.page, result.fitted, canvas);
  result.width = canvas.pixel_width(), result.height = canvas.pixel_height();
  result.rgba = canvas.pixels();
  return result;
}

}  // namespace warpspy::ui
