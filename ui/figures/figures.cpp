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
  ROW(runs)                  \
  ROW(comparison)            \
  ROW(both_lengths)

#include <filesystem>

#include "core/base/target.hpp"
#include "core/plot/export.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui {

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

void export_figure(const AppState& s, const ExportFigure& what, const Progress& progress) {
  const FigureRow* row = figure_row(what.what);
  if (!row) throw Error("there is no such figure", what.what);
  if (const std::string why = row->reason(s); !why.empty())
    throw Error(std::string("there is nothing to export (") + row->word + ")", what.path, why);
  if (row->picture) {
    // White ground, whatever the window looks like: exports go into papers.
    const plot::Theme theme = plot::light_theme();
    return plot::export_plot(row->picture(s, what, theme, progress), what.path, what.width, what.height, theme);
  }
  const std::string ending = std::filesystem::path(what.path).extension().string();
  if (ending == ".csv") return write_file(what.path, row->csv(s));
  if (ending == ".json") return write_file(what.path, row->json(s));
  throw Error(std::string(row->word) + ": written as .csv or .json", what.path, "choose one of these endings");
}

}  // namespace warpspy::ui
