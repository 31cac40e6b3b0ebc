// The step of a warp at which one sees what it was chosen for.
#pragma once

#include <cstddef>
#include <string>

#include "core/run/warp_trace.hpp"

namespace warpspy {

// sectors: the request with the most sectors; idle: the instruction with the most idle lanes; the first of them. time:
// the first step, since waiting is seen on the axis of the SM. Of `array` alone, where the warp asks for it. 0 where
// there is no step.
std::size_t telling_step(const WarpTrace& warp, WarpMeasure measure, const std::string& array = {});

}  // namespace warpspy
