// Figures of many matrices at once: pure functions from data to a Plot.
#pragma once

#include <cstdint>

#include "core/model/best_runs.hpp"
#include "core/model/run_grid.hpp"
#include "core/model/run_lines.hpp"
#include "core/plot/plot.hpp"

namespace warpspy::plot {

// Tells what the colour of a cell means.
enum class GridMeasure : std::uint8_t { gflops, roof_share, over_best, preparation };
constexpr const char* name_of(GridMeasure m) {
  constexpr const char* names[] = {"GFLOP/s", "share of roof", "time over best", "preparation"};
  return names[static_cast<int>(m)];
}

// Matrices from the top down, kernels from left to right. A better cell has a colour further from the background.
// Numbers are shown if they have room. A cross means a failed run, a small circle that there is no run. Series 0 holds
// the cells, row by row from the top: nothing is drawn for it, its tooltips tell them, its ids are the runs (0: none).
Plot heat_map_figure(const RunGrid& grid, GridMeasure measure, const Theme& theme);

// Draws a performance profile: over tau, on a log2 axis, the share of matrices on which a kernel takes at most tau
// times as long as the fastest (Dolan & More 2002). Each kernel has a step function; the kernel that wins most often
// comes first. The id of a mark is the run of the first matrix there.
Plot profile_figure(const RunGrid& grid, const Theme& theme);

// Draws GFLOP/s over a quantity with several values, with a curve for each kernel, matrix and condition. Only the
// fastest twelve are drawn. The id of a mark is its run.
Plot line_figure(const RunLines& lines, const Theme& theme);

// Draws the cost preparation + N x time over the number N of products, on logarithmic axes. Each candidate of one
// matrix has a line. A band shows which is cheapest, and marks show the crossings and the N that was asked for. The id
// of a mark is its run.
Plot cost_figure(const BestRun& best, const std::string& device, const Theme& theme);

// Draws the residual |r| / |b| of the solves among the runs, on a log axis, over the iterations or over their time.
// Each solve has a line, with the true residual as a mark at its end; another line is the tolerance. Without solves the
// figure is empty. The id of a mark is its run.
Plot residual_figure(const std::vector<std::shared_ptr<const RunRecord>>& runs, bool over_time, const Theme& theme);
// Draws a bar for each solve, with the times of an iteration stacked: products, sums, updates and gaps.
Plot iteration_figure(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Theme& theme);

}  // namespace warpspy::plot
