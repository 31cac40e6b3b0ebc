// Warps as a figure. Pure: data in, Plot out.
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

// All steps of a warp as a picture: columns x 32 pixels; a column is a step, or of many the one with the most sectors.
struct StepsPicture {
  std::vector<std::uint32_t> pixels;
  Color active, idle;  // of lanes that ask for no memory, and of idle ones: these are the theme's
};
StepsPicture picture_of_steps(const WarpTrace& warp, const Theme& theme);

// A warp to be drawn, and what is the same at every step. What is not there, or of another theme, is made.
struct SeenWarp {
  SeenWarp(std::shared_ptr<const WarpTrace> of, std::shared_ptr<const StepsPicture> all = {},
           std::shared_ptr<const RunningSums> so_far = {})
      : trace(std::move(of)), picture(std::move(all)), sums(std::move(so_far)) {}
  std::shared_ptr<const WarpTrace> trace;
  std::shared_ptr<const StepsPicture> picture;
  std::shared_ptr<const RunningSums> sums;
  bool operator==(const SeenWarp&) const = default;
};

// A panel for each warp, side by side: what its lanes ask for in a step, and all of its steps. `step` -1: the one
// with the most sectors. Export has a row per lane, and of step -1 those of all steps.
Plot warp_figure(const std::vector<SeenWarp>& warps, std::int64_t step, const Theme& theme);

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

// What is said of a step, and of one of its lanes, where the mouse rests: the first line is a title.
std::string step_card(const WarpTrace& warp, std::size_t step);
std::string lane_card(const WarpTrace& warp, std::size_t step, int lane);

}  // namespace warpspy::plot
