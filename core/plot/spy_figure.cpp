#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/plot/figures.hpp"
#include "core/plot/text.hpp"

namespace warpspy::plot {
namespace {

std::uint32_t packed(Color c) {
  return static_cast<std::uint32_t>(c.a) << 24 | static_cast<std::uint32_t>(c.b) << 16 |
         static_cast<std::uint32_t>(c.g) << 8 | c.r;
}

// The whole matrix keeps its aspect ratio on paper, unless it is too long or too flat to be seen.
bool keeps_shape(const Window& w) {
  const double rows = static_cast<double>(w.row1 - w.row0), cols = static_cast<double>(w.col1 - w.col0);
  return rows > 0 && cols > 0 && rows / cols < 5 && cols / rows < 5;
}

// Rows and columns count from 1, as in Matrix Market files and in the window. A number is at the middle of its cell.
Axis index_axis(const char* label, index_t first, index_t last) {
  Axis a;
  a.label = label;
  a.min = static_cast<double>(first) + 0.5;
  a.max = static_cast<double>(std::max(last, first + 1)) + 0.5;
  a.integers = a.from_one = true;
  return a;
}

std::string subtitle_of(const Csr& a) {
  const double cells = static_cast<double>(a.rows()) * static_cast<double>(a.cols());
  std::string s = grouped(a.rows()) + " \xC3\x97 " + grouped(a.cols()) + ", " + grouped(a.nnz()) + " entries";
  if (cells > 0) s += ", density " + percent(static_cast<double>(a.nnz()) / cells);
  return s;
}

// The size of a cell in rows and columns, if all cells are equal.
std::string cell_label(const CountGrid& g) {
  const index_t rows = g.window.row1 - g.window.row0, cols = g.window.col1 - g.window.col0;
  if (rows % g.height != 0 || cols % g.width != 0) return "entries per cell";
  return "entries per cell of " + grouped(rows / g.height) + " \xC3\x97 " + grouped(cols / g.width);
}

// For max > 1. The bar's colours come from shade(), so that they match the picture.
ColorBar color_bar(const CountGrid& grid, std::uint32_t max, const SpyStyle& style, std::uint32_t ground, bool dark) {
  ColorBar bar;
  const bool log = style.shading == Shading::log;
  constexpr int kSteps = 128;
  const double top = max;
  std::vector<std::uint32_t> counts;
  for (int k = 0; k < kSteps; ++k) {
    const double t = (k + 0.5) / kSteps;
    const double v = log ? std::pow(top, t) : 1 + t * (top - 1);
    counts.push_back(static_cast<std::uint32_t>(std::clamp(std::round(v), 1.0, top)));
  }
  bar.rgba = shade(counts, max, style.shading, style.map, ground, dark);
  bar.label = cell_label(grid);
  Axis scale;
  scale.scale = log ? Scale::log10 : Scale::linear;
  scale.min = 1, scale.max = top, scale.integers = true;
  const auto position = [&](double v) { return log ? std::log(v) / std::log(top) : (v - 1) / (top - 1); };
  bar.ticks.emplace_back(0, "1");
  if (log && top < 1000) {
    for (double v : {2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0})
      if (v < top) bar.ticks.emplace_back(position(v), short_number(v));
  } else {
    for (const Tick& t : ticks(scale, 5))
      if (t.value > 1 && t.value < top) bar.ticks.emplace_back(position(t.value), t.label);
  }
  // The largest count is always a tick; a round number too close to it is left out.
  while (bar.ticks.size() > 1 && bar.ticks.back().first > 0.87) bar.ticks.pop_back();
  bar.ticks.emplace_back(1, short_number(max));
  return bar;
}

}  // namespace

Plot spy_figure(const Matrix& m, const CountGrid& counts, const SpyStyle& style, const Theme& theme) {
  const Window& w = counts.window;
  Plot plot;
  plot.title = m.source.name;
  plot.subtitle = subtitle_of(*m.csr);
  plot.x = index_axis("column", w.col0, w.col1);
  plot.y = index_axis("row", w.row0, w.row1);
  plot.y.inverted = true;
  plot.legend = false;
  plot.square_cells = keeps_shape(w);
  plot.columns = {"row_first", "row_last", "col_first", "col_last", "count", "provenance"};

  const std::uint32_t max = counts.max();
  if (max == 0) {
    // An empty pattern is an empty frame with a note.
    plot.notes.push_back({(plot.x.min + plot.x.max) / 2, (plot.y.min + plot.y.max) / 2,
                          m.csr->nnz() == 0 ? "no entries" : "no entries in this window", theme.muted});
  }
  const std::uint32_t ground = packed(theme.ground);
  auto pixels = std::make_shared<const std::vector<std::uint32_t>>(
      shade(counts.counts, max, style.shading, style.map, ground, theme.dark));
  plot.images.push_back({plot.x.min, plot.x.max, plot.y.min, plot.y.max, counts.width, counts.height, pixels});
  // If every cell has at most one entry, no scale is needed.
  if (max > 1 && style.shading != Shading::binary) plot.colorbar = color_bar(counts, max, style, ground, theme.dark);

  for (int y = 0; y < counts.height; ++y)
    for (int x = 0; x < counts.width; ++x) {
      const std::uint32_t n = counts.counts[static_cast<std::size_t>(y) * counts.width + x];
      if (n == 0) continue;
      // Edges are half-open and count from 0. The file has the first and last row and column of the cell, from 1.
      plot.rows.push_back({std::to_string(counts.row_edge(y) + 1), std::to_string(counts.row_edge(y + 1)),
                           std::to_string(counts.col_edge(x) + 1), std::to_string(counts.col_edge(x + 1)),
                           std::to_string(n), name_of(Provenance::derived)});
    }
  return plot;
}

}  // namespace warpspy::plot
