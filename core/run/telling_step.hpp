// The step of a warp that best shows why the warp was chosen.
#pragma once

#include <cstddef>
#include <string>

#include "core/run/warp_trace.hpp"

namespace warpspy {

// Returns the index of that step. For `sectors` it is the first request with the most sectors, for `idle` the first
// instruction with the most idle lanes. For `time` it is the first step, since waiting is shown on the SM's axis of
// time. If the warp accesses `array`, only steps of that array count. Returns 0 if no step fits.
std::size_t telling_step(const WarpTrace& warp, WarpMeasure measure, const std::string& array = {});

// The warp of another kernel with which this warp is compared: the warp that computes the same row. So both are
// compared on equal work, not each at its own worst. If the user asked for a row, or the warp has none, `wanted` is
// returned.
WarpWanted beside_of(const WarpWanted& wanted, const WarpTrace& warp);

}  // namespace warpspy
