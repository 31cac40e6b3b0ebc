// Warps as a figure. Pure: data in, Plot out.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/plot/plot.hpp"
#include "core/run/warp_trace.hpp"

namespace warpspy::plot {

Color color_of(SectorSource from);
// The value of an entry, as the papers print it: "5", "-0.1234".
std::string entry_text(double value);

// A panel for each warp, side by side: what its lanes ask for in a step, and all of its steps. `step` -1: the one
// with the most sectors. Export has a row per step and lane.
Plot warp_figure(const std::vector<WarpTrace>& warps, std::int64_t step, const Theme& theme);

// Which thread reads which element of an array, as Bell & Garland 2008 print it in figures 16, 18, 21 and 23: a row of
// elements for each round of the threads, or for each warp. `warps`: all of a launch. Throws Error where nothing is
// loaded from the array, or where it has more elements than can be read side by side.
enum class AccessRows : std::uint8_t { iterations, warps };
Plot access_figure(const std::vector<WarpTrace>& warps, const std::string& array, AccessRows rows);

// The warps that share the SM with this one, a row each on an axis of time: who issues, who waits and for what. A line
// stands where the warp asks for what it does in `step`. Export has a row per span; a window
// that draws it anew for every step does without.
Plot sm_axis_figure(const WarpTrace& warp, std::size_t step, const Theme& theme, bool rows = true);
// When that is, in ns from the beginning of the axis; -1 where it is not told.
double time_of_step(const WarpTrace& warp, std::size_t step);

// One panel of it: for a window, which goes from step to step and keeps `steps`, the picture of all steps. `sums` are
// those until behind this step.
WarpPanel warp_panel(const WarpTrace& warp, std::size_t step, const Theme& theme,
                     const std::vector<std::uint32_t>& steps, const WarpSums& sums);
// What is said of a step, and of one of its lanes, where the mouse rests: the first line is a title.
std::string step_card(const WarpTrace& warp, std::size_t step);
std::string lane_card(const WarpTrace& warp, std::size_t step, int lane);
// Columns x 32 pixels; a column is a step, or of many the one with the most sectors.
std::vector<std::uint32_t> picture_of_steps(const WarpTrace& warp, const Theme& theme);
// What the colours mean; `shared`: of accesses to shared memory too.
std::vector<std::pair<Color, std::string>> warp_keys(const Theme& theme, bool shared = false);

}  // namespace warpspy::plot
