// Figures of many matrices at once: pure functions from data to a Plot.
#pragma once

#include <cstdint>

#include "core/model/best_runs.hpp"
#include "core/model/run_grid.hpp"
#include "core/model/run_lines.hpp"
#include "core/plot/plot.hpp"

namespace warpspy::plot {

// What the colour of a cell means.
enum class GridMeasure : std::uint8_t { gflops, roof_share, over_best, preparation };
constexpr const char* name_of(GridMeasure m) {
  constexpr const char* names[] = {"GFLOP/s", "share of roof", "time over best", "preparation"};
  return names[static_cast<int>(m)];
}

// Matrices from the top down, kernels from left to right. A better cell has a colour further from the background.
// Numbers are shown if they have room. A cross means a failed run, a small circle that there is no run. Series 0 holds
// the cells, row by row from the top: nothing is drawn for it, its tooltips tell them, its ids are the runs (0: none).
Plot heat_map_figure(const RunGrid& grid, GridMeasure measure, const Theme& theme);

// Over tau, on a log2 axis, the share of matrices on which a kernel is within tau times the fastest (Dolan & More
// 2002). A step function for each kernel, the most wins first. The id of a mark is the run of the first matrix there.
Plot profile_figure(const RunGrid& grid, const Theme& theme);

// GFLOP/s over a quantity with several values: a curve for each kernel, matrix and condition; only the fastest twelve.
// The id of a mark is its run.
Plot line_figure(const RunLines& lines, const Theme& theme);

// Preparation + N x time over N, both axes logarithmic: a line for each candidate of one matrix, what is cheapest as a
// band, the crossings, and the N that was asked for. The id of a mark is its run.
Plot cost_figure(const BestRun& best, const std::string& device, const Theme& theme);

// Of the solves among the runs. |r| / |b| on a log axis over the iterations, or over their time: a line for each solve,
// the true residual as a mark at its end, the tolerance. Without solves there is nothing in it. The id of a mark is its
// run.
Plot residual_figure(const std::vector<std::shared_ptr<const RunRecord>>& runs, bool over_time, const Theme& theme);
// A bar for each solve: products, sums, updates and gaps of an iteration, stacked.
Plot iteration_figure(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Theme& theme);

}  // namespace warpspy::plot
