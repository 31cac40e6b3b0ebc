// The warp that is stepped through.
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

// A step of the warp; the same beside the kernel's source; the warps of its SM on an axis of time.
enum class WarpView : std::uint8_t { step, source, axis };

struct WarpShown {
  std::uint64_t matrix = 0;  // 0: none was asked for
  std::string of;            // "run 12 k7m2p4x", "the next run"
  std::uint64_t run = 0;     // that one; 0: the next
  std::string waits;         // as the desk says it, until its tab is looked at
  RunRequest request;
  WarpWanted wanted;
  JobPtr job;                                // while it is being found out
  std::string problem;                       // why there is none
  std::shared_ptr<const WarpTrace> trace;    // of the first
  std::vector<plot::SeenWarp> seen;          // and that of another kernel beside it, where one was asked for
  std::string beside;                        // id of the other kernel; empty: none
  std::string beside_problem;                // why it is not there
  std::shared_ptr<const plot::Plot> figure;  // of the step, or of the time
  std::vector<Traffic> lines;                // of the first, by source line
  std::size_t step = 0;
  WarpStride stride = WarpStride::access;  // what a step on or back is
  bool playing = false;
  WarpView view = WarpView::step;
};

}  // namespace warpspy::ui
