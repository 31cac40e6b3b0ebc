#include "core/plot/format_figures.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

extern const FigureRow layout = {
    .id = "layout",
    .word = "layout",
    .label = "Export the layout...",
    .help = "The arrays of the format looked at, as SVG, PDF or PNG; the numbers as CSV or JSON.",
    .tab = "formats",
    .of_matrix = true,
    .why_not = needs_matrix,
    .picture =
        [](const AppState& s, const ExportFigure&, const plot::Theme& theme, const Progress&) {
          const OpenMatrix& m = *s.current();
          const Knobs& k = s.knobs;
          Progress own;
          return plot::format_figure(*m.matrix, *m.format_facts,
                                     {k.format, format_params_of(s, k.format), k.precision, k.view},
                                     plot::FormatPicture::automatic, m.costs ? m.costs->budget : Budget{}, theme, own);
        },
};

}  // namespace warpspy::ui::figures
