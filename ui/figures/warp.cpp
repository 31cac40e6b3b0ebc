#include "core/plot/warp_figure.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

extern const FigureRow warp = {
    .id = "warp",
    .word = "warp",
    .label = "Export the warp...",
    .help = "The step that is shown, as SVG, PDF or PNG; what its lanes ask for as CSV or JSON.",
    .of_matrix = true,
    .why_not = [](const AppState& s) -> std::string { return s.warp.trace ? "" : "No warp is shown yet."; },
    .picture =
        [](const AppState& s, const ExportFigure&, const plot::Theme& theme, const Progress&) {
          std::vector<WarpTrace> warps;
          for (const WarpShown::Seen& seen : s.warp.seen) warps.push_back(*seen.trace);
          return plot::warp_figure(warps, static_cast<std::int64_t>(s.warp.step), theme);
        },
};

}  // namespace warpspy::ui::figures
