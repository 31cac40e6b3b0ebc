#include "core/plot/analysis_figures.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

extern const FigureRow memory = {
    .id = "memory",
    .word = "memory",
    .label = "Export the memory chart...",
    .help = "As SVG, PDF or PNG; the numbers as CSV or JSON.",
    .tab = "memory",
    .of_matrix = true,
    .why_not = [](const AppState& s) -> std::string { return memory_runs(s).empty() ? "There are no runs yet." : ""; },
    .picture = [](const AppState& s, const ExportFigure&, const plot::Theme& theme,
                  const Progress&) { return plot::memory_figure(memory_runs(s), theme); },
    .runs = memory_runs,
};

}  // namespace warpspy::ui::figures
