#include "core/plot/figures.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

extern const FigureRow roofline = {
    .id = "roofline",
    .word = "roofline",
    .label = "Export the roofline...",
    .help = "As SVG, PDF or PNG; the numbers as CSV or JSON.",
    .keys = {key('E'), true},
    .tab = "roofline",
    .picture =
        [](const AppState& s, const ExportFigure&, const plot::Theme& theme, const Progress&) {
          const auto* d = s.roofline_device;
          return plot::roofline_figure(s.roofs, d ? d->name : "", roofline_runs(s, false), roofline_style(s), theme);
        },
    .runs = [](const AppState& s) { return roofline_runs(s, false); },
};

}  // namespace warpspy::ui::figures
