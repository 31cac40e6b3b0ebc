#include "core/plot/figures.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

extern const FigureRow histogram = {
    .id = "histogram",
    .word = "row lengths",
    .label = "Export the row lengths...",
    .help = "As SVG, PDF or PNG; the numbers as CSV or JSON.",
    .tab = "matrix",
    .of_matrix = true,
    .why_not = needs_matrix,
    .picture =
        [](const AppState& s, const ExportFigure&, const plot::Theme& theme, const Progress&) {
          const OpenMatrix& m = *s.current();
          if (!m.facts) throw Error("the facts of the matrix are not ready yet", m.name, "wait a moment and try again");
          return plot::histogram_figure(*m.matrix, m.facts->rows, histogram_style(s, m), theme);
        },
};

}  // namespace warpspy::ui::figures
