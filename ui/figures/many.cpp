#include "core/plot/many_figures.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

namespace {

std::string nothing_ran(const AppState& s) { return s.runs.all().empty() ? "There are no runs yet." : ""; }

}  // namespace

extern const FigureRow heatmap = {
    .id = "heatmap",
    .word = "heat map",
    .label = "Export the heat map...",
    .help = "Matrix x kernel, as SVG, PDF or PNG; the numbers as CSV or JSON.",
    .tab = "matrices",
    .why_not = nothing_ran,
    .picture = [](const AppState& s, const ExportFigure&, const plot::Theme& theme,
                  const Progress&) { return plot::heat_map_figure(run_grid(s), s.matrices_view.measure, theme); },
    .runs = runs_of_figures,
};

extern const FigureRow profile = {
    .id = "profile",
    .word = "performance profile",
    .label = "Export the performance profile...",
    .help = "Dolan & More's, as SVG, PDF or PNG; the numbers as CSV or JSON.",
    .tab = "matrices",
    .why_not = nothing_ran,
    .picture = [](const AppState& s, const ExportFigure&, const plot::Theme& theme,
                  const Progress&) { return plot::profile_figure(run_grid(s), theme); },
    .runs = runs_of_figures,
};

extern const FigureRow line = {
    .id = "line",
    .word = "line chart",
    .label = "Export the line chart...",
    .help = "Speed over a parameter, as SVG, PDF or PNG; the numbers as CSV or JSON.",
    .tab = "matrices",
    .why_not = [](const AppState& s) -> std::string {
      return run_lines(s).curves.empty() ? "No parameter took several values in these runs." : "";
    },
    .picture = [](const AppState& s, const ExportFigure&, const plot::Theme& theme,
                  const Progress&) { return plot::line_figure(run_lines(s), theme); },
    .runs = runs_of_figures,
};

}  // namespace warpspy::ui::figures
