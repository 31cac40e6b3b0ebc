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

// The warp of another kernel to stand beside this one: the one that computes the same row, so that the two are
// compared on equal work and not each at its own worst. What was asked for, where that is a row or the warp has none.
WarpWanted beside_of(const WarpWanted& wanted, const WarpTrace& warp);

}  // namespace warpspy
