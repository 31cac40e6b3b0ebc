// The warp whose steps are shown.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/jobs/jobs.hpp"
#include "core/plot/warp_figure.hpp"
#include "core/run/record.hpp"
#include "core/run/warp_trace.hpp"
#include "ui/look/theme.hpp"

namespace warpspy::ui {

// Tells what the tab shows: a step of the warp, a step beside the kernel's source, or the warps of its SM on an axis of
// time.
enum class WarpView : std::uint8_t { step, source, axis };

struct WarpShown {
  std::uint64_t matrix = 0;  // 0: no warp was asked for
  std::string of;            // "run 12 k7m2p4x", "the next run"
  std::uint64_t run = 0;     // the run to use; 0: the next one
  std::string waits;         // the warp's text from the desk, until its tab is opened
  RunRequest request;
  WarpWanted wanted;
  JobPtr job;                                // while it is being found out
  std::string problem;                       // why there is none
  std::shared_ptr<const WarpTrace> trace;    // of the first
  std::vector<plot::SeenWarp> seen;          // the shown warp, and the one of another kernel beside it, if asked for
  std::string beside;                        // id of the other kernel; empty: none
  std::string beside_problem;                // why there is no second warp
  std::shared_ptr<const plot::Plot> figure;  // figure of the step, or of the time axis
  std::vector<Traffic> lines;                // traffic of the first warp, by source line
  std::size_t step = 0;
  WarpStride stride = WarpStride::access;  // how far one step forward or back goes
  bool playing = false;
  WarpView view = WarpView::step;
};

}  // namespace warpspy::ui
