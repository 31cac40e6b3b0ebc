// Explains why a kernel is faster than another, from facts that are known without counters.
#pragma once

#include <optional>
#include <string>

#include "profiling/tuner/search.hpp"

namespace warpspy {

// Returns why the choice that was found is faster than the kernel that was asked for, which took `base_us` with default
// parameters. Reasons are fewer bytes, or that several threads share the longest row. If the bytes explain only a part
// of the gain, the text tells so. Empty if one of the two kernels is not among the problem's alternatives.
std::string reason_of(const Problem& problem, const TuneOutcome& found, std::optional<double> base_us);

}  // namespace warpspy
