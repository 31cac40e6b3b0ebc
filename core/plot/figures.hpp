// Builders of figures: pure functions from data to a Plot.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/matrix/points.hpp"
#include "core/matrix/stats.hpp"
#include "core/model/roofline.hpp"
#include "core/plot/plot.hpp"
#include "core/raster/raster.hpp"
#include "core/run/tune.hpp"

namespace warpspy::plot {

struct SpyStyle {
  Shading shading = Shading::log;
  Colormap map = Colormap::cividis;
  bool operator==(const SpyStyle&) const = default;
};
// The spy plot of counts already made by count_grid().
Plot spy_figure(const Matrix& m, const CountGrid& counts, const SpyStyle& style, const Theme& theme);

// Draws the mesh of a matrix: its rows are the nodes, its entries the edges. If the rows are divided into blocks of
// `block_rows` rows (0: four blocks), edges between two blocks are marked. Throws Error for more rows or blocks than
// these limits, and for points of another matrix.
inline constexpr index_t kMostMeshRows = 20'000, kMostMeshBlocks = 400;
Plot mesh_figure(const Matrix& m, const MeshPoints& points, index_t block_rows, const Theme& theme);

struct HistogramStyle {
  bool log_x = false, log_y = true, cumulative = true, quartiles = true;
  // The row length at which a format divides rows (K of HYB, the width of ELL): drawn as a labelled line right of that
  // length. Without a label there is no line.
  double cut = 0;
  std::string cut_label = {};
  bool operator==(const HistogramStyle&) const = default;
};
// Row lengths (entries per row) against the number of rows. At most 128 bars (and one of empty rows on a log axis).
// Series 0 holds them: bar k covers the lengths ids[k] <= length < ids[k + 1] and is drawn from halfway to the length
// before to halfway to the length after, so that a bar of one length stands centred on it.
Plot histogram_figure(const Matrix& m, const RowStats& stats, const HistogramStyle& style, const Theme& theme);

// Row lengths of several matrices over each other: the share of rows that are at most so long, a curve each, whose ids
// are the lengths that rows have, ascending.
struct LengthsOf {
  std::string name;
  std::shared_ptr<const Matrix> matrix;
  std::shared_ptr<const MatrixFacts> facts;
};
Plot lengths_figure(const std::vector<LengthsOf>& matrices, const Theme& theme);

// Roofs (series first, in order), points of the runs (one mark per run and level; shape by kernel, colour by level,
// fill by provenance; Series::ids is the run, Series::parts the level). trail: ids of runs that are only a fading trail
// of a dragged parameter.
struct RooflineStyle {
  // Tells what the colour of a mark means. Unless it means the level, a run has only one point, at its outermost known
  // level.
  enum class ColorBy : std::uint8_t { level, matrix, kernel, device } color = ColorBy::level;
  // The shown part of the plane. Without it all runs are shown. A run whose intensity is far beyond the roofs is drawn
  // at the edge, with its intensity as text.
  struct View {
    double x0 = 0, x1 = 0, y0 = 0, y1 = 0;  // flop/byte, GFLOP/s; > 0
    bool operator==(const View&) const = default;
  };
  std::optional<View> view = {};
  std::vector<std::uint64_t> trail;
  std::uint64_t selected = 0;  // run whose marks are emphasised
  std::vector<Level> levels = {Level::dram, Level::l2, Level::l1};
  // The intensity of a product that moves no byte twice: a thin line, modelled.
  struct Minimum {
    double intensity = 0;  // flop/byte
    std::string label;     // "ELL minimum"
    bool operator==(const Minimum&) const = default;
  };
  std::optional<Minimum> minimum = {};
  // The compared runs, the baseline first: an arrow leads from its point to each other run's, with the change of speed.
  // All other runs are pale.
  std::vector<std::uint64_t> compared = {};
  // Runs in which a parameter changes step by step: a line through their outermost points, with an arrow at its end.
  std::vector<std::vector<std::uint64_t>> paths = {};
  FlopCount flops = FlopCount::useful;
  // The papers' byte counts of the selected run (of the only one, when none is selected) below its points.
  bool byte_counts = true;
  bool operator==(const RooflineStyle&) const = default;
};
constexpr const char* name_of(RooflineStyle::ColorBy c) {
  constexpr const char* names[] = {"level", "matrix", "kernel", "device"};
  return names[static_cast<int>(c)];
}
Plot roofline_figure(const std::vector<Roof>& roofs, const std::string& device_name,
                     const std::vector<std::shared_ptr<const RunRecord>>& runs, const RooflineStyle& style,
                     const Theme& theme);

// A search for parameters over the plane of two of them: each cell in the colour of the least time there (whatever the
// other parameters), one strategy's products as a path, the best of all, and cells that failed. Only steps of `kernel`.
// Series 0 holds the cells, row by row from the bottom: nothing is drawn for it, its tooltips tell them. An id is
// the place of a step among all, from 1: of a cell its best, else its last; 0: none.
struct TunePlaneStyle {
  std::string x, y;      // ids of the parameters; empty: the first two that the search turned
  std::string path;      // the strategy whose path is drawn; empty: the one with the longest path in few products
  bool running = false;  // the latest product is marked
  bool operator==(const TunePlaneStyle&) const = default;
};
Plot tune_plane_figure(const TuneRecord& record, const KernelInfo& kernel, const TunePlaneStyle& style,
                       const Theme& theme);
// The parameters on the axes if the style names none; the second is empty if the search changed only one.
std::pair<std::string, std::string> tune_axes(const TuneRecord& record, const KernelInfo& kernel);

// The bandwidth of reads past L1 over the size of the working set: it falls where L2 is full. `l2_bytes` of the device,
// 0 when not known. Series: L2 and DRAM as rules, the curve, its points.
Plot working_set_figure(const MeasuredRoofs& roofs, double l2_bytes, const Theme& theme);

}  // namespace warpspy::plot
