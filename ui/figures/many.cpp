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
    .runs = [](const AppState& s) { return s.runs.all(); },
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
    .runs = [](const AppState& s) { return s.runs.all(); },
};

}  // namespace warpspy::ui::figures
