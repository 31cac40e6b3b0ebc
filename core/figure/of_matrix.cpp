// Figures of one matrix, and of several.
#include <algorithm>
#include <cmath>

#include "core/figure/experiment_words.hpp"
#include "core/figure/figure.hpp"
#include "core/plot/pattern_shades.hpp"

namespace warpspy::figure {
namespace {

const Subject::OfMatrix& matrix_of(const Subject& s) {
  if (s.matrices.empty() || !s.matrices.front().matrix)
    throw Error("a figure of a matrix needs one", {}, "name a matrix file, or gen:NAME");
  return s.matrices.front();
}

RowStats lengths_of(const Subject::OfMatrix& m) { return m.facts ? m.facts->rows : row_stats(*m.matrix->csr); }

// Picture cells: square when the shape allows it, stretched beyond 4:1, never finer than one entry.
CountGrid counts_of(const Csr& a, const Window& w, double side, const Progress& progress) {
  const double rows = static_cast<double>(w.row1 - w.row0), cols = static_cast<double>(w.col1 - w.col0);
  const double longest = std::max({rows, cols, 1.0});
  const bool stretch = rows > 4 * cols || cols > 4 * rows;
  const auto cells = [&](double extent) {
    return static_cast<int>(std::clamp(stretch ? side : side * extent / longest, 1.0, std::max(1.0, extent)));
  };
  return count_grid(a, w, cells(cols), cells(rows), &progress);
}

Window part_of(const Csr& a, const Options& o) {
  if (!o.part) return whole(a);
  const Window w = *o.part;
  if (w.row1 > a.rows() || w.col1 > a.cols())
    throw Error("the part reaches beyond the matrix of " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()),
                {}, "name a part of it with --part");
  return w;
}

plot::Plot spy_of(const Subject& s, const Options& o, const Look& look, const Progress& progress) {
  const Matrix& m = *matrix_of(s).matrix;
  const CountGrid counts = counts_of(*m.csr, part_of(*m.csr, o), look.cells, progress);
  if (o.shade.empty()) return plot::spy_figure(m, counts, o.pattern, look.theme);
  const auto* shade = plot::pattern_shade(o.shade);
  if (!shade) throw Error("a pattern shows nothing that is called " + o.shade, {}, "see warpspy draw spy --help");
  if (!s.entries) throw Error("a pattern of a run needs the run", {}, "name its kernel with --kernel");
  return plot::shaded_spy_figure(m, counts, *s.entries, *shade, look.theme);
}

plot::Plot mesh_of(const Subject& s, const Options& o, const Look& look, const Progress&) {
  const Subject::OfMatrix& m = matrix_of(s);
  if (!m.points)
    throw Error(
        "it has no mesh that can be drawn", m.name,
        "take a generated grid of at most 20,000 rows, such as gen:laplace5?nx=20&ny=20 or gen:fem_quad?nx=8&ny=8");
  return plot::mesh_figure(*m.matrix, *m.points, o.block_rows, look.theme);
}

plot::Plot histogram_of(const Subject& s, const Options& o, const Look& look, const Progress&) {
  const Subject::OfMatrix& m = matrix_of(s);
  const RowStats rows = lengths_of(m);
  plot::HistogramStyle style = o.lengths;
  style.log_x = o.log_x.value_or(dwarfed(rows));
  return plot::histogram_figure(*m.matrix, rows, style, look.theme);
}

plot::Plot lengths_of_all(const Subject& s, const Options&, const Look& look, const Progress&) {
  std::vector<plot::LengthsOf> all;
  for (const Subject::OfMatrix& m : s.matrices) {
    auto facts = m.facts;
    if (!facts) {
      MatrixFacts counted;
      counted.rows = row_stats(*m.matrix->csr);
      facts = std::make_shared<const MatrixFacts>(std::move(counted));
    }
    all.push_back({m.name, m.matrix, facts});
  }
  if (all.empty()) matrix_of(s);  // throws
  return plot::lengths_figure(all, look.theme);
}

plot::Plot layout_of_format(const Subject& s, const Options& o, const Look& look, const Progress& progress) {
  const Subject::OfMatrix& m = matrix_of(s);
  Progress own(&progress);
  const auto facts = m.format_facts ? m.format_facts : std::make_shared<const FormatFacts>(*m.matrix);
  return plot::format_figure(*m.matrix, *facts, o.format, o.picture, s.budget, look.theme, own);
}

}  // namespace

bool dwarfed(const RowStats& rows) { return static_cast<double>(rows.max) > 50 * std::max(1.0, rows.median); }

namespace registry {

extern const Row spy = {.id = "spy",
                        .word = "pattern",
                        .help = "Where the entries of a matrix are",
                        .of = Of::matrix,
                        .takes = {"shading", "map", "part", "shade"},
                        .build = spy_of,
                        .named = words_of_pattern};
extern const Row mesh = {.id = "mesh",
                         .word = "mesh",
                         .help = "The mesh of a generated grid, and which of its edges blocks of rows cut",
                         .of = Of::matrix,
                         .takes = {"block-rows"},
                         .build = mesh_of};
extern const Row histogram = {.id = "histogram",
                              .word = "row lengths",
                              .help = "How many rows of a matrix have how many entries",
                              .of = Of::matrix,
                              .takes = {"log-x", "linear-x", "linear-y", "no-cumulative", "no-quartiles", "cut"},
                              .build = histogram_of};
extern const Row lengths = {.id = "lengths",
                            .word = "row lengths over each other",
                            .help = "Row lengths of several matrices, a curve each",
                            .of = Of::matrices,
                            .takes = {},
                            .build = lengths_of_all};
extern const Row layout = {.id = "layout",
                           .word = "layout",
                           .help = "The arrays of a format, or where its padding is",
                           .of = Of::matrix,
                           .takes = {"format", "param", "precision", "view", "picture"},
                           .axes = false,
                           .build = layout_of_format};

}  // namespace registry

}  // namespace warpspy::figure
