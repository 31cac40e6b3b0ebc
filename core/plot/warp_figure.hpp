// Figures of warps: pure functions from data to a Plot.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/plot/plot.hpp"
#include "core/run/warp_trace.hpp"

namespace warpspy::plot {

Color color_of(SectorSource from);
// The value of an entry, as the papers print it: "5", "-0.1234".
std::string entry_text(double value);

// All steps of a warp as a picture of columns x 32 pixels. A column is a step; if there are more steps than columns, it
// is the one with the most sectors of several.
struct StepsPicture {
  std::vector<std::uint32_t> pixels;
  Color active, idle;  // colours of lanes without a memory request, and of idle lanes; the theme gives them
};
StepsPicture picture_of_steps(const WarpTrace& warp, const Theme& theme);

// A warp to be drawn, and the parts of its figure that are the same at every step. A part that is missing, or from
// another theme, is made.
struct SeenWarp {
  SeenWarp(std::shared_ptr<const WarpTrace> of, std::shared_ptr<const StepsPicture> all = {},
           std::shared_ptr<const RunningSums> so_far = {})
      : trace(std::move(of)), picture(std::move(all)), sums(std::move(so_far)) {}
  std::shared_ptr<const WarpTrace> trace;
  std::shared_ptr<const StepsPicture> picture;
  std::shared_ptr<const RunningSums> sums;
  bool operator==(const SeenWarp&) const = default;
};

// A panel for each warp, side by side: what its lanes ask for in a step, and all of its steps. `step` -1: the one with
// the most sectors. The exported numbers have a row per lane; for step -1 they have the lanes of all steps.
Plot warp_figure(const std::vector<SeenWarp>& warps, std::int64_t step, const Theme& theme);

// Tells which thread reads which element of an array, as Bell & Garland 2008 print it in figures 16, 18, 21 and 23: a
// row of elements for each round of the threads, or for each warp. `warps`: all warps of a launch. Throws Error if the
// array is never loaded, or has more elements than a row of the picture can show.
enum class AccessRows : std::uint8_t { iterations, warps };
Plot access_figure(const std::vector<WarpTrace>& warps, const std::string& array, AccessRows rows);

// The warps that share the SM with this one, a row each on an axis of time: it shows which warps issue, which wait, and
// for what. A line marks when the warp starts the request of `step`. The exported numbers have a row per span; a window
// that draws the figure for every step leaves them out.
Plot sm_axis_figure(const WarpTrace& warp, std::size_t step, const Theme& theme, bool rows = true);
// The time of that line, in ns from the beginning of the axis; -1 if it is not known.
double time_of_step(const WarpTrace& warp, std::size_t step);

// The text for a step, or for one of its lanes, under the mouse: the first line is a title.
std::string step_card(const WarpTrace& warp, std::size_t step);
std::string lane_card(const WarpTrace& warp, std::size_t step, int lane);

}  // namespace warpspy::plot
