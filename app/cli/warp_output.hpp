// Prints a warp.
#pragma once

#include <cstdint>

#include "core/run/warp_trace.hpp"

namespace warpspy::cli {

// Prints the warp's number, its sums by array, its idle lanes by reason, and its first steps.
void print_warp(const WarpTrace& t);
// The same, but instead of the steps one step in detail: what each lane requests, and where each line came from. Throws
// Error if there is no such step.
void print_step(const WarpTrace& t, std::int64_t step);

}  // namespace warpspy::cli
