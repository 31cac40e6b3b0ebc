#include "core/plot/figures.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

extern const FigureRow both_lengths = {
    .id = "both_lengths",
    .word = "row lengths of both",
    .label = "Export the row lengths of both...",
    .help = "Of two matrices over each other, as SVG, PDF or PNG; the numbers as CSV or JSON.",
    .tab = "compare",
    .why_not = [](const AppState& s) -> std::string {
      const auto [left, right] = s.compared();
      return left && right ? "" : "Put two matrices side by side first.";
    },
    .picture =
        [](const AppState& s, const ExportFigure&, const plot::Theme& theme, const Progress&) {
          const auto [left, right] = s.compared();
          std::vector<plot::LengthsOf> both;
          for (const auto* m : {left, right}) {
            if (!m->facts)
              throw Error("the facts of the matrix are not ready yet", m->name, "wait a moment and try again");
            both.push_back({m->name, m->matrix, m->facts});
          }
          return plot::lengths_figure(both, theme);
        },
};

}  // namespace warpspy::ui::figures
