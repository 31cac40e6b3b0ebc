// Draws the mesh that a matrix comes from. Edges between different blocks of rows are marked as cut (Bell & Garland
// 2008, sections 3.2 and 3.6, figures 8 and 12).
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/plot/figures.hpp"
#include "core/plot/text.hpp"

namespace warpspy::plot {
namespace {

// Colours that everyone can tell apart, and that no memory level has. The marks also distinguish blocks.
const Color kBlockColors[] = {rgb(0x0072B2), rgb(0xE69F00), rgb(0x7A7A7A), rgb(0x56B4E9)};

struct MeshEdge {
  index_t a, b;
  auto operator<=>(const MeshEdge&) const = default;
};

// Both triangles count, each edge once.
std::vector<MeshEdge> mesh_edges(const Csr& a) {
  std::vector<MeshEdge> edges;
  for (index_t r = 0; r < a.rows(); ++r)
    for (index_t k = a.row_ptr()[r]; k < a.row_ptr()[r + 1]; ++k) {
      const index_t c = a.columns()[static_cast<std::size_t>(k)];
      if (c != r) edges.push_back({std::min(r, c), std::max(r, c)});
    }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

struct RowBlock {
  index_t first = 0, rows = 0, within = 0, cut = 0;
  std::set<index_t> elsewhere = {};  // elements of x of other blocks
};

Series edge_lines(std::string name, Color color, double width, bool dashed) {
  Series s;
  s.name = std::move(name), s.color = color, s.width = width, s.dashed = dashed;
  return s;
}
void add_edge(Series& s, const MeshPoints& p, const MeshEdge& e) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  const auto a = static_cast<std::size_t>(e.a), b = static_cast<std::size_t>(e.b);
  for (const double v : {p.x[a], p.x[b], gap}) s.x.push_back(v);
  for (const double v : {p.y[a], p.y[b], gap}) s.y.push_back(v);
}

Axis place_axis(const char* label, const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  Axis a;
  a.label = label;
  a.integers = true;
  a.min = (values.empty() ? 0 : *least) - 0.6, a.max = (values.empty() ? 0 : *most) + 0.6;
  return a;
}

void add_nodes(Plot& plot, const MeshPoints& points, const std::vector<RowBlock>& blocks,
               const std::vector<index_t>& outside) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Series nodes;
    nodes.kind = Series::Kind::points;
    nodes.mark = mark_in_turn(b), nodes.color = kBlockColors[b % std::size(kBlockColors)];
    nodes.width = std::clamp(60 / std::sqrt(static_cast<double>(points.x.size()) + 1), 1.5, 5.0);
    for (index_t r = blocks[b].first; r < blocks[b].first + blocks[b].rows; ++r) {
      const auto k = static_cast<std::size_t>(r);
      nodes.x.push_back(points.x[k]), nodes.y.push_back(points.y[k]);
      nodes.ids.push_back(static_cast<std::uint64_t>(r) + 1);
      nodes.tooltips.push_back("row " + grouped(r + 1) + ", block " + std::to_string(b + 1) + "\n" +
                               counted(outside[k], "edge") + " into other blocks");
    }
    plot.series.push_back(std::move(nodes));
  }
}

}  // namespace

Plot mesh_figure(const Matrix& m, const MeshPoints& points, index_t block_rows, const Theme& theme) {
  const Csr& a = *m.csr;
  const index_t rows = a.rows();
  if (rows > kMostMeshRows)
    throw Error("a mesh of " + grouped(rows) + " nodes is no picture", m.source.name,
                "take one of at most " + grouped(kMostMeshRows));
  if (a.cols() != rows || static_cast<index_t>(points.x.size()) != rows || points.y.size() != points.x.size())
    throw Error("the nodes of the mesh are not the rows of the matrix", m.source.name, "take a generated grid");
  if (block_rows == 0) block_rows = std::max<index_t>(1, (rows + 3) / 4);
  if (rows > block_rows * kMostMeshBlocks)
    throw Error(grouped((rows + block_rows - 1) / block_rows) + " blocks are no picture", m.source.name,
                "take larger ones: at least " + grouped((rows + kMostMeshBlocks - 1) / kMostMeshBlocks) + " rows");

  const auto block_of = [&](index_t row) { return static_cast<std::size_t>(row / block_rows); };
  std::vector<RowBlock> blocks;
  for (index_t first = 0; first < rows; first += block_rows)
    blocks.push_back({first, std::min(block_rows, rows - first)});
  std::vector<index_t> outside(static_cast<std::size_t>(rows), 0);
  std::vector<Series> within;
  for (std::size_t b = 0; b < std::min(blocks.size(), std::size(kBlockColors)); ++b)
    within.push_back(edge_lines(b == 0 ? "within a block" : "", kBlockColors[b], 1, false));
  Series cut = edge_lines("", theme.ink, 1.6, true);
  index_t edges = 0, edges_cut = 0;
  for (const MeshEdge& e : mesh_edges(a)) {
    ++edges;
    RowBlock &one = blocks[block_of(e.a)], &other = blocks[block_of(e.b)];
    if (&one == &other) {
      ++one.within;
      add_edge(within[block_of(e.a) % within.size()], points, e);
      continue;
    }
    ++edges_cut, ++one.cut, ++other.cut;
    one.elsewhere.insert(e.b), other.elsewhere.insert(e.a);
    ++outside[static_cast<std::size_t>(e.a)], ++outside[static_cast<std::size_t>(e.b)];
    add_edge(cut, points, e);
  }
  const std::string share =
      edges > 0 ? " (" + percent(static_cast<double>(edges_cut) / static_cast<double>(edges)) + ")" : "";

  Plot plot;
  plot.title = m.source.name;
  plot.subtitle = grouped(rows) + " rows in " + counted(static_cast<index_t>(blocks.size()), "block") + " of " +
                  grouped(block_rows) + ": " + grouped(edges_cut) + " of " + counted(edges, "edge") + " cut" + share;
  plot.x = place_axis("x", points.x), plot.y = place_axis("y", points.y);
  plot.square_cells = plot.x.max - plot.x.min < 8 * (plot.y.max - plot.y.min) &&
                      plot.y.max - plot.y.min < 8 * (plot.x.max - plot.x.min);
  cut.name = "cut";
  for (Series& s : within)
    if (!s.x.empty()) plot.series.push_back(std::move(s));
  if (!cut.x.empty()) plot.series.push_back(std::move(cut));
  add_nodes(plot, points, blocks, outside);
  plot.foot = {
      "A node is a row, an edge an entry. What is within a block finds x in the block's own rows; a cut edge asks "
      "for x of another (Bell & Garland 2008, section 3.6)."};
  plot.columns = {"block", "row_first", "row_last", "edges_within", "edges_cut", "x_of_other_blocks", "provenance"};
  for (std::size_t b = 0; b < blocks.size(); ++b)
    plot.rows.push_back({std::to_string(b + 1), std::to_string(blocks[b].first + 1),
                         std::to_string(blocks[b].first + blocks[b].rows), std::to_string(blocks[b].within),
                         std::to_string(blocks[b].cut), std::to_string(blocks[b].elsewhere.size()),
                         name_of(Provenance::derived)});
  return plot;
}

}  // namespace warpspy::plot
