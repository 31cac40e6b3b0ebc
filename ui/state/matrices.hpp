// Many matrices at once: how they are listed, what runs on them in one go, and what became of it.
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
#include "core/model/roofline.hpp"
#include "core/model/run_lines.hpp"
#include "core/plot/many_figures.hpp"
#include "core/run/sweep.hpp"
#include "core/sweep/folder.hpp"

namespace warpspy::ui {

struct AppState;
struct OpenMatrix;
using MatrixId = std::uint64_t;
// By run.
using RunPoints = std::map<std::uint64_t, std::vector<RooflinePoint>>;

// The pattern as a small picture, from the counts that are there.
struct Thumbnail {
  int width = 0, height = 0;
  std::vector<std::uint32_t> counts, rgba;  // rgba in the colours of the window
};
// Of all formats without slow estimates, at its default parameters: which holds the matrix in the fewest bytes.
struct SmallestFormat {
  std::string format;  // id
  std::size_t bytes = 0;
  Precision precision = Precision::f32;  // of the values
};

// Columns of the table of matrices.
enum class MatrixColumn : std::uint8_t {
  opened,  // the thumbnail: in the order in which they were opened
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
// What the tab Matrices shows: the table, the cells of the sweep, one of the figures, or the best of each and why.
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
  std::set<MatrixId> chosen;  // beside the selected one
  plot::GridMeasure measure = plot::GridMeasure::gflops;
  std::string over;         // what the line chart is over; empty, or not turned: what was turned most
  bool only_sweep = false;  // figures of the sweep's runs, not of all in the window
};

// The sweep that is under way, or was the last.
struct SweepRun {
  enum class Phase : std::uint8_t { running, paused, stopped, finished } phase = Phase::running;
  Sweep sweep;
  JobPtr job;            // of the cell that runs, or of its folder that is being read
  std::size_t cell = 0;  // which cell
  // Where its cells are kept; "": in the session alone. Open, and locked, only while it runs.
  std::string path = {};
  std::shared_ptr<SweepFolder> folder = {};
  std::vector<std::string> ids = {};  // of the cells, while the folder is open
};

// The search for the fastest kernel of each of several matrices, one after another: under way, or the last.
struct BestSearch {
  struct Item {
    std::string source, name;
    CellState state = CellState::waiting;
    std::string reason = {};  // why it failed or was skipped
  };
  std::vector<Item> items;
  BestRequest of;  // but for the matrix
  bool running = true;
  bool resumes = false;  // once what was cancelled has ended
  JobPtr job = {};       // of the one that is searched for
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
// A run that says how fast a kernel multiplies: it ended well, and its result was right as far as it was checked.
bool good_product(const RunRecord& r, const Catalog& catalog);
// By source of the matrix: of this window and of the history.
std::map<std::string, FastestRun> fastest_runs(const AppState& s);

// "symmetric", "pattern symmetric", "unsymmetric", "rectangular"; "" while it is not known.
std::string structure_text(const OpenMatrix& m);
double variation(const OpenMatrix& m);  // standard deviation / mean of the row lengths; 0 while it is not known

// Those that the filter lets through, in the order of the table.
std::vector<const OpenMatrix*> listed_matrices(const AppState& s, const std::map<std::string, FastestRun>& best);

// The chosen ones that are still open, in the order of the table; the selected one where none is chosen.
std::vector<MatrixId> chosen_matrices(const AppState& s);

// All that the heat map, the profile, the line chart and the table of the best are made of.
struct ManyReads {
  const Catalog* catalog = nullptr;
  std::shared_ptr<const std::vector<std::shared_ptr<const RunRecord>>> runs = {};
  std::vector<std::uint64_t> trail = {};  // not these
  std::vector<std::uint64_t> only = {};   // those of the sweep, where only they are asked for
  bool only_sweep = false;
  Shared<RunPoints> points = {};
  plot::GridMeasure measure = plot::GridMeasure::gflops;
  std::string over = {};
  bool operator==(const ManyReads&) const = default;
};
ManyReads many_reads(const AppState& s);
std::vector<std::shared_ptr<const RunRecord>> runs_of_figures(const ManyReads& reads);
// How much of its roofs a run reaches.
std::optional<RoofShare> share_in(const AppState& s, const RunRecord& r);
ShareOf share_in(const Shared<RunPoints>& points);
RunGrid run_grid(const ManyReads& reads);
// What was turned in them, and curves over what was asked for; no curves: nothing was turned.
std::vector<std::string> turned_axes(const ManyReads& reads);
RunLines run_lines(const ManyReads& reads);

}  // namespace warpspy::ui
