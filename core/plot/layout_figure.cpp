#include <algorithm>
#include <cstdio>
#include <map>

#include "core/plot/format_figures.hpp"
#include "core/plot/text.hpp"

namespace warpspy::plot {
namespace {

std::uint64_t tag_of(index_t row, index_t column, index_t cols) {
  return row < 0 || column < 0 ? 0
                               : 1 + static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>(cols) +
                                     static_cast<std::uint64_t>(column);
}

std::string value_text(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", v);
  return text;
}

// How many rows at the end of an array consist of padding only.
index_t idle_rows(const LayoutArray& a) {
  index_t idle = 0;
  for (index_t r = a.rows - 1; r >= 0; --r) {
    for (index_t c = 0; c < a.cols; ++c)
      if (!a.cells[static_cast<std::size_t>(r * a.cols + c)].padding) return idle;
    ++idle;
  }
  return idle;
}

Table table_of(const LayoutArray& a, index_t cols) {
  Table t;
  t.name = a.name;
  index_t rows = a.rows;
  const index_t idle = a.cols > 0 ? idle_rows(a) : 0;
  if (idle > 2) {
    rows -= idle - 1;
    t.note = "and " + grouped(idle - 1) + " more rows of padding";
  }
  if (a.rows == 0 || a.cols == 0) t.note = "empty";
  t.rows = static_cast<int>(rows), t.cols = static_cast<int>(a.cols);
  for (std::size_t k = 0; k < static_cast<std::size_t>(rows * a.cols); ++k)
    t.cells.push_back({a.cells[k].text, a.cells[k].padding, tag_of(a.cells[k].row, a.cells[k].column, cols)});
  return t;
}

Table matrix_table(const Matrix& m) {
  const Csr& a = *m.csr;
  Table t;
  t.name = "A";
  t.rows = static_cast<int>(a.rows()), t.cols = static_cast<int>(a.cols());
  t.cells.resize(static_cast<std::size_t>(a.rows() * a.cols()));
  for (index_t row = 0; row < a.rows(); ++row)
    for (index_t k = a.row_ptr()[row]; k < a.row_ptr()[row + 1]; ++k) {
      const index_t column = a.columns()[static_cast<std::size_t>(k)];
      t.cells[static_cast<std::size_t>(row * a.cols() + column)] = {value_text(a.values()[static_cast<std::size_t>(k)]),
                                                                    false, tag_of(row, column, a.cols())};
    }
  return t;
}

Plot figure_of(const std::vector<LayoutArray>& arrays, const std::string& title, index_t cols) {
  Plot plot;
  plot.title = title;
  plot.legend = false;
  plot.columns = {"array", "slot", "row", "column", "padding", "text"};
  for (const LayoutArray& a : arrays) {
    plot.tables.push_back(table_of(a, cols));
    for (const LayoutCell& c : a.cells)
      plot.rows.push_back({a.name, std::to_string(c.slot), c.row < 0 ? "" : std::to_string(c.row),
                           c.column < 0 ? "" : std::to_string(c.column), c.padding ? "1" : "0", c.text});
  }
  return plot;
}

}  // namespace

Plot layout_figure(std::vector<LayoutArray> arrays, const std::string& title, const Theme&) {
  index_t cols = 1;
  for (const LayoutArray& a : arrays)
    for (const LayoutCell& c : a.cells) cols = std::max(cols, c.column + 1);
  return figure_of(arrays, title, cols);
}

Plot layout_figure(const Matrix& m, const Format& format, const std::string& label, const Theme&) {
  Plot plot = figure_of(layout_of(format), m.source.name + " in " + label, m.csr->cols());
  const Estimate size = format.size();
  plot.subtitle = grouped(size.stored) + " slots, " + grouped(size.padding) + " of them padding (*), " +
                  grouped(static_cast<index_t>(size.bytes())) + " bytes";
  if (m.csr->rows() <= kMostPrinted && m.csr->cols() <= kMostPrinted && m.csr->rows() > 0 && m.csr->cols() > 0)
    plot.tables.insert(plot.tables.begin(), matrix_table(m));
  return plot;
}

}  // namespace warpspy::plot
