// Figures of products over several GPUs: pure functions from data to a Plot.
#pragma once

#include <memory>
#include <vector>

#include "core/model/speed_ups.hpp"
#include "core/plot/plot.hpp"

namespace warpspy::plot {

// Draws a lane for each GPU of the runs over several of them, on one time axis in us: its local product, the way of its
// halo beside that, its waiting, its product with the halo. Runs stand one below the other, at most six, the last ones.
// Of many GPUs the slowest are drawn. Without such runs the figure is empty. The id of a bar is its run.
Plot parts_figure(const std::vector<std::shared_ptr<const RunRecord>>& runs, const Theme& theme);

// Draws the speed-up over the number of GPUs, a line for each curve, beside the ideal one; and on the right axis the
// efficiency, a dashed line. Only the twelve curves with the largest speed-ups are drawn. The id of a mark is its run.
Plot speed_up_figure(const SpeedUps& of, const Theme& theme);

}  // namespace warpspy::plot
