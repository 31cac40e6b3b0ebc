// Prints the steps of one warp of a run.
#pragma once

#include <cstdint>

#include "core/run/warp_trace.hpp"

namespace warpspy::cli {

// Prints the warp's number, its sums by array, its idle lanes by reason, and its first steps.
void print_warp(const WarpTrace& t);
// Prints the same facts, but only one step, in detail: what each lane requests, and where each cache line came from.
// Throws Error if there is no such step.
void print_step(const WarpTrace& t, std::int64_t step);

}  // namespace warpspy::cli
