#include "core/plot/figures.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

extern const FigureRow tuning = {
    .id = "tuning",
    .word = "tuning",
    .label = "Export the tuning plane...",
    .help = "As SVG, PDF or PNG; every product as CSV or JSON.",
    .tab = "tune",
    .why_not = [](const AppState& s) -> std::string {
      return s.tuning && s.tuning->plane && !s.tuning->record.steps.empty() ? "" : "Nothing was tuned yet.";
    },
    .picture =
        [](const AppState& s, const ExportFigure&, const plot::Theme& theme, const Progress&) {
          const TuneRecord& record = s.tuning->record;
          plot::TunePlaneStyle style;
          style.x = s.tune.x, style.y = s.tune.y, style.path = tune_path(s);
          return plot::tune_plane_figure(record, *s.catalog->kernel(record.request.run.kernel), style, theme);
        },
    .tell =
        [](const AppState& s, plot::FigureRecipe& recipe) {
          if (const OpenMatrix* m = s.matrix(s.tuning->matrix))
            recipe.matrices.push_back({m->source, m->file ? m->file->hash : ""});
          plot::add_device(recipe, s.tuning->record.device_name, s.tuning->record.provenance);
        },
};

}  // namespace warpspy::ui::figures
