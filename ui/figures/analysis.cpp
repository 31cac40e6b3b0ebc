#include "core/plot/analysis_figures.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

namespace {

std::shared_ptr<const AnalysisResult> shown(const AppState& s) {
  const auto found = s.analyses.find(s.analysis.id);
  return found == s.analyses.end() ? nullptr : found->second.result;
}

}  // namespace

extern const FigureRow analysis = {
    .id = "analysis",
    .word = "analysis",
    .label = "Export the analysis...",
    .help = "The figure of the tab Analyses, as SVG, PDF or PNG; its numbers and formulas as CSV or JSON.",
    .tab = "analyses",
    .of_matrix = true,
    .why_not = [](const AppState& s) -> std::string { return shown(s) ? "" : "This analysis was not made yet."; },
    .picture = [](const AppState& s, const ExportFigure&, const plot::Theme& theme,
                  const Progress&) { return plot::analysis_figure(*shown(s), theme); },
};

}  // namespace warpspy::ui::figures
