// Runs of many matrices as a grid: a row per matrix, a column per way to compute its product (kernel, and precision,
// device and cache state where they differ). What heat maps and performance profiles are made of.
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

// How much of what its roofs allow a run reaches: speed over that roof which is nearest to it.
struct RoofShare {
  double share = 0;  // 1: at the roof
  Level level = Level::dram;
  Provenance provenance = Provenance::modelled;
};
// Of the points of one run; nothing where no roof is known.
std::optional<RoofShare> roof_share(const std::vector<RooflinePoint>& points);
// That of a run, where it is known.
using ShareOf = std::function<std::optional<RoofShare>(const RunRecord&)>;

// Parameters of kernel and format that are not the default: "coop 16, slice_rows 64".
std::string params_text(const RunRecord& r, const Catalog& catalog);

struct RunGrid {
  enum class Is : std::uint8_t { missing, failed, ok };
  struct Cell {
    Is is = Is::missing;
    double us = 0, gflops = 0;  // of the fastest run, when ok
    std::optional<double> share;
    Provenance provenance = Provenance::modelled;
    std::string reason = {};  // when failed; one line
    std::uint64_t run = 0;
    std::string params = {};  // those that are not the default: "coop 16"
    bool operator==(const Cell&) const = default;
  };
  std::vector<std::string> matrices, columns;  // names, each once
  std::vector<std::string> sources;            // of the matrices
  // Of the columns, where there are both: times of different precisions are no rivals. Empty: all are of one.
  std::vector<Precision> precisions;
  // Where columns stand by device: its name, and how many they are. Empty: they do not.
  std::vector<std::pair<std::string, std::size_t>> groups;
  bool ordered = false;            // the columns stand as somebody asked for: curves do so too
  std::vector<Cell> cells;         // matrices x columns, row-major
  std::string conditions;          // what all runs share: "f32, Toy GPU, warm"
  std::vector<std::string> notes;  // sentences on what was left out

  const Cell& at(std::size_t matrix, std::size_t column) const { return cells[matrix * columns.size() + column]; }
  bool rivals(std::size_t a, std::size_t b) const { return precisions.empty() || precisions[a] == precisions[b]; }
  // The least time on the matrix among the rivals of a column; nothing where none is good.
  std::optional<double> best_us(std::size_t matrix, std::size_t column) const;
  bool empty() const { return cells.empty(); }
  bool operator==(const RunGrid&) const = default;
};

// How the columns stand.
struct GridOrder {
  std::vector<std::string> kernels = {};  // these first, in this order; the others as the catalog lists them
  bool by_device = false;                 // those of a device together, which RunGrid::groups names
};

// Of the runs, in the order in which their matrices first appear; kernels as the catalog lists them. Cancelled runs do
// not count; a wrong result is a failure. Products and transposed products are no rivals: whichever has more runs is
// shown, and a note tells of the other. `share_of` may be empty.
RunGrid grid_of(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Catalog& catalog,
                const ShareOf& share_of, const GridOrder& order = {});

// Dolan & More 2002: of each column, on how many of the matrices it is within a factor tau of its fastest rival.
// Failures never count as solved. Only matrices on which every column was tried, and only columns that were tried on at
// least half of all matrices.
struct PerformanceProfile {
  struct Curve {
    std::size_t column = 0;          // of the grid
    std::vector<double> ratios;      // time / best time of each matrix that it solved, rising
    std::vector<std::size_t> rows;   // of the grid: the matrix of each ratio
    double share(double tau) const;  // of all matrices
    std::size_t matrices = 0;
  };
  std::vector<Curve> curves;          // most wins first, or as the columns of an ordered grid
  std::vector<std::size_t> matrices;  // rows of the grid that count
  double most = 1;                    // the largest ratio
  std::vector<std::string> notes;     // what was left out
};
PerformanceProfile profile_of(const RunGrid& grid);

}  // namespace warpspy
