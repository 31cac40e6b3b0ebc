// A warp on its way to the terminal.
#pragma once

#include <cstdint>

#include "core/run/warp_trace.hpp"

namespace warpspy::cli {

// Who it is, its sums by array, its idle lanes by reason, and its first steps.
void print_warp(const WarpTrace& t);
// The same with what each lane asks for in one step, and where each line came from, in place of the steps. Throws Error
// for a step that is not there.
void print_step(const WarpTrace& t, std::int64_t step);

}  // namespace warpspy::cli
