// Runs of many matrices as a grid: a row per matrix, a column per way to compute its product (kernel, and precision,
// device and cache state where they differ). Heat maps and performance profiles are made from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/model/roofline.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// Tells how near a run comes to its roofs: (its speed) / (the roof that is nearest to it).
struct RoofShare {
  double share = 0;  // 1: at the roof
  Level level = Level::dram;
  Provenance provenance = Provenance::modelled;
};
// Computes the share from the points of one run; nothing if no roof is known.
std::optional<RoofShare> roof_share(const std::vector<RooflinePoint>& points);
// Gives the share of a run, if it is known.
using ShareOf = std::function<std::optional<RoofShare>(const RunRecord&)>;

// Parameters of kernel and format that are not the default: "coop 16, slice_rows 64".
std::string params_text(const RunRecord& r, const Catalog& catalog);

struct RunGrid {
  enum class Is : std::uint8_t { missing, failed, ok };
  struct Cell {
    Is is = Is::missing;
    double us = 0, gflops = 0;  // time and speed of the fastest run, if the cell is ok
    std::optional<double> share;
    Provenance provenance = Provenance::modelled;
    std::string reason = {};  // one line, if the run failed
    std::uint64_t run = 0;
    std::string params = {};                    // parameters that differ from the defaults: "coop 16"
    std::optional<double> preparation_us = {};  // of that run, if it is known
    bool reads_csr = false;                     // its format is CSR
    bool operator==(const Cell&) const = default;
  };
  std::vector<std::string> matrices, columns;  // names, each once
  std::vector<std::string> sources;            // of the matrices
  // The precision of each column, if there are both: times of different precisions are not compared. Empty: all have
  // the same.
  std::vector<Precision> precisions;
  // If columns are grouped by device: each device's name and number of columns. Empty: they are not grouped.
  std::vector<std::pair<std::string, std::size_t>> groups;
  bool ordered = false;            // the user chose the order of the columns, so curves keep it too
  std::vector<Cell> cells;         // matrices x columns, row-major
  std::string conditions;          // what all runs share: "f32, Toy GPU, warm"
  std::vector<std::string> notes;  // sentences on what was left out

  const Cell& at(std::size_t matrix, std::size_t column) const { return cells[matrix * columns.size() + column]; }
  bool rivals(std::size_t a, std::size_t b) const { return precisions.empty() || precisions[a] == precisions[b]; }
  // The least time on the matrix among the columns with which this column is compared; nothing if none has a good run.
  std::optional<double> best_us(std::size_t matrix, std::size_t column) const;
  // The preparation of a cell, in products of the fastest CSR kernel among these columns; nothing if either is unknown.
  std::optional<double> preparation(std::size_t matrix, std::size_t column) const;
  bool empty() const { return cells.empty(); }
  bool operator==(const RunGrid&) const = default;
};

// The order of the columns.
struct GridOrder {
  std::vector<std::string> kernels = {};  // these kernels stand first, in this order; the others follow in the
                                          // catalog's order
  bool by_device = false;                 // columns of a device stand together, and RunGrid::groups names the devices
};

// Makes the grid of the runs. Matrices stand in the order in which they first appear, kernels in the catalog's order.
// Cancelled runs do not count; a wrong result is a failure. Products and transposed products are not compared: the
// operation with more runs is shown, and a note names the other. `share_of` may be empty.
RunGrid grid_of(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog,
                const ShareOf& share_of, const GridOrder& order = {});

// A performance profile (Dolan & More 2002). For each column (a kernel) it tells on which share of the matrices the
// kernel takes at most tau times as long as the fastest one. Failures never count as solved. Only matrices on which
// every column was tried count, and only columns that were tried on at least half of all matrices.
struct PerformanceProfile {
  struct Curve {
    std::size_t column = 0;          // of the grid
    std::vector<double> ratios;      // time / best time of each matrix that it solved, increasing
    std::vector<std::size_t> rows;   // rows of the grid: the matrix of each ratio
    double share(double tau) const;  // of all matrices
    std::size_t matrices = 0;
  };
  std::vector<Curve> curves;          // most wins first, or as the columns of an ordered grid
  std::vector<std::size_t> matrices;  // rows of the grid that count
  double most = 1;                    // the largest ratio
  std::vector<std::string> notes;     // says what was left out
};
PerformanceProfile profile_of(const RunGrid& grid);

}  // namespace warpspy
