#include <algorithm>
#include <cmath>

#include "core/plot/figures.hpp"
#include "core/plot/pattern_shades.hpp"
#include "ui/figures/figure.hpp"

namespace warpspy::ui::figures {

namespace {

// Counts at about the resolution of the picture, in the shape of the window.
CountGrid grid_for(const Csr& a, const Window& w, const Progress& progress) {
  constexpr double most = 1200;
  const double rows = static_cast<double>(w.row1 - w.row0), cols = static_cast<double>(w.col1 - w.col0);
  const bool extreme = rows > 4 * cols || cols > 4 * rows;
  const double longest = std::max(rows, cols);
  const auto cells = [&](double n) {
    return static_cast<int>(
        std::clamp(extreme ? std::min(n, most) : std::ceil(n * std::min(1.0, most / longest)), 1.0, most));
  };
  return count_grid(a, w, cells(cols), cells(rows), &progress);
}

plot::Plot picture(const AppState& s, const ExportFigure& what, const plot::Theme& theme, const Progress& progress) {
  const Matrix& m = *s.current()->matrix;
  const CountGrid grid = grid_for(*m.csr, what.window.value_or(whole(*m.csr)), progress);
  const auto* shade = plot::pattern_shade(s.spy.shade);
  if (shade && s.pattern.matrix == s.selected && s.pattern.trace)
    return plot::shaded_spy_figure(m, grid, *s.pattern.trace, *shade, theme);
  return plot::spy_figure(m, grid, s.spy.style, theme);
}

}  // namespace

extern const FigureRow spy = {
    .id = "spy",
    .word = "pattern",
    .label = "Export the pattern...",
    .help = "As SVG, PDF or PNG; the counts as CSV or JSON.",
    .tab = "matrix",
    .of_matrix = true,
    .in_part = true,
    .why_not = needs_matrix,
    .picture = picture,
};

}  // namespace warpspy::ui::figures
