#include "core/plot/warp_figure.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

extern const FigureRow warp = {
    .id = "warp",
    .word = "warp",
    .label = "Export the warp...",
    .help = "What is shown, the step or the SM over time, as SVG, PDF or PNG; the numbers behind it as CSV or JSON.",
    .tab = "warp",
    .of_matrix = true,
    .why_not = [](const AppState& s) -> std::string { return s.warp.trace ? "" : "No warp is shown yet."; },
    .picture =
        [](const AppState& s, const ExportFigure&, const plot::Theme& theme, const Progress&) {
          if (s.warp.view == WarpView::axis) return plot::sm_axis_figure(*s.warp.trace, s.warp.step, theme);
          std::vector<WarpTrace> warps;
          for (const WarpShown::Seen& seen : s.warp.seen) warps.push_back(*seen.trace);
          return plot::warp_figure(warps, static_cast<std::int64_t>(s.warp.step), theme);
        },
    .tell = [](const AppState& s,
               plot::FigureRecipe& recipe) { plot::add_device(recipe, s.warp.trace->gpu, Provenance::modelled); },
};

}  // namespace warpspy::ui::figures
