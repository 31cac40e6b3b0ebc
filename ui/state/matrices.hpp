// The state of the tab Matrices: how matrices are listed, sweeps and searches over them, and their results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/shared.hpp"
#include "core/experiment/best.hpp"
#include "core/jobs/jobs.hpp"
#include "core/model/best_runs.hpp"
#include "core/model/product_count.hpp"
#include "core/model/roofline.hpp"
#include "core/model/run_lines.hpp"
#include "core/plot/many_figures.hpp"
#include "core/run/sweep.hpp"
#include "core/sweep/collect.hpp"

namespace warpspy::ui {

struct AppState;
struct OpenMatrix;
using MatrixId = std::uint64_t;
// By run.
using RunPoints = std::map<std::uint64_t, std::vector<RooflinePoint>>;

// The pattern of a matrix as a small picture, made from existing counts.
struct Thumbnail {
  int width = 0, height = 0;
  std::vector<std::uint32_t> counts, rgba;  // rgba in the colours of the window
};
// The format that stores the matrix in the fewest bytes, of all formats without slow estimates, with default
// parameters.
struct SmallestFormat {
  std::string format;  // id
  std::size_t bytes = 0;
  Precision precision = Precision::f32;  // of the values
};

// Columns of the table of matrices.
enum class MatrixColumn : std::uint8_t {
  opened,  // the thumbnail; sorts in the order of opening
  name,
  nnz,
  mean,
  longest,
  cv,
  structure,
  smallest,
  kernel,
  speed,
  share
};
// Tells what the tab Matrices shows: the table, the cells of the sweep, one of the figures, or the best of each and
// why.
enum class MatricesFace : std::uint8_t { table, sweep, heat_map, profile, lines, best };
constexpr const char* name_of(MatricesFace f) {
  constexpr const char* names[] = {"table", "sweep", "heat map", "profile", "line chart", "best"};
  return names[static_cast<int>(f)];
}

struct MatricesView {
  MatricesFace face = MatricesFace::table;
  MatrixColumn sort = MatrixColumn::opened;
  bool descending = false;
  std::string filter;         // words; each in name, source, structure, format or kernel
  std::set<MatrixId> chosen;  // chosen in addition to the selected matrix
  plot::GridMeasure measure = plot::GridMeasure::gflops;
  std::string over;  // the quantity on the line chart's axis; if empty, or without several values: the one with
                     // most values
  ProductCount products = for_ever;  // number of products for which the best is chosen
  bool only_sweep = false;           // figures show only the sweep's runs, not all runs of the window
};

// The running sweep, or the last one.
struct SweepRun {
  // watched: its tasks run elsewhere, and their results are collected as they come.
  enum class Phase : std::uint8_t { running, paused, stopped, finished, watched } phase = Phase::running;
  Sweep sweep;
  JobPtr job;            // the job of the running cell, or the one that reads its folder
  std::size_t cell = 0;  // which cell
  // The folder that keeps its cells; "": only the session keeps them. It is open, and locked, only while the sweep
  // runs.
  std::string path = {};
  std::shared_ptr<SweepFolder> folder = {};
  std::vector<std::string> ids = {};  // ids of the cells, while the folder is open
  // Of a sweep whose tasks run elsewhere: how each stands, and whether another program holds the folder, so that this
  // window looks and does not collect.
  std::vector<TaskStand> tasks = {};
  bool held_by_other = false;
};

// The search for the fastest kernel of each of several matrices, one after another: running, or the last.
struct BestSearch {
  struct Item {
    std::string source, name;
    CellState state = CellState::waiting;
    std::string reason = {};  // why it failed or was skipped
  };
  std::vector<Item> items;
  BestRequest of;  // the request, without the matrix
  bool running = true;
  bool resumes = false;  // continues when the cancelled search has ended
  JobPtr job = {};       // the job of the current search
  std::size_t item = 0;  // which one
  std::size_t count(CellState s) const {
    return static_cast<std::size_t>(
        std::count_if(items.begin(), items.end(), [&](const Item& i) { return i.state == s; }));
  }
  std::size_t left() const { return count(CellState::waiting) + count(CellState::running); }
};

// The fastest good product of a matrix so far.
struct FastestRun {
  std::shared_ptr<const RunRecord> run;
  std::optional<RoofShare> share;
};
// Whether the run tells how fast a kernel multiplies on one GPU: it succeeded, and the checked rows were right.
bool good_product(const RunRecord& r, const Catalog& catalog);
// The fastest runs by the matrix's source, from this window and from the history.
std::map<std::string, FastestRun> fastest_runs(const AppState& s);

// "symmetric", "pattern symmetric", "unsymmetric", "rectangular"; "" while it is not known.
std::string structure_text(const OpenMatrix& m);
double variation(const OpenMatrix& m);  // standard deviation / mean of the row lengths; 0 while it is not known

// The matrices that fit the filter, in the order of the table.
std::vector<const OpenMatrix*> listed_matrices(const AppState& s, const std::map<std::string, FastestRun>& best);

// The chosen matrices that are still open, in the order of the table; if none is chosen, the selected one.
std::vector<MatrixId> chosen_matrices(const AppState& s);

// The values that the heat map, the profile, the line chart and the table of the best read.
struct ManyReads {
  const Catalog* catalog = nullptr;
  std::shared_ptr<const std::vector<std::shared_ptr<const RunRecord>>> runs = {};
  std::vector<std::uint64_t> trail = {};  // not these
  std::vector<std::uint64_t> only = {};   // the sweep's runs, if only these shall be shown
  bool only_sweep = false;
  Shared<RunPoints> points = {};
  plot::GridMeasure measure = plot::GridMeasure::gflops;
  std::string over = {};
  ProductCount products = for_ever;
  bool operator==(const ManyReads&) const = default;
};
ManyReads many_reads(const AppState& s);
std::vector<std::shared_ptr<const RunRecord>> runs_of_figures(const ManyReads& reads);
// The row of the best whose costs are drawn: that of the selected run, else of the current matrix, else the first.
// nullptr: there is none.
const BestRun* best_shown(const AppState& s, const std::vector<BestRun>& best);
const BestRun* best_shown(const AppState& s);  // the best runs in the state
// Returns the share of its nearest roof that a run reaches.
std::optional<RoofShare> share_in(const AppState& s, const RunRecord& r);
ShareOf share_in(const Shared<RunPoints>& points);
RunGrid run_grid(const ManyReads& reads);
// turned_axes: the quantities with several values in these runs. The next function: curves over the chosen one; none if
// no quantity has several values.
std::vector<std::string> turned_axes(const ManyReads& reads);
RunLines run_lines(const ManyReads& reads);

}  // namespace warpspy::ui
