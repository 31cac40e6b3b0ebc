// Says why a kernel is faster than another, from what is known about both without counters.
#pragma once

#include <optional>
#include <string>

#include "profiling/tuner/search.hpp"

namespace warpspy {

// Why what was found is faster than the kernel that was asked for, which took `base_us` by default: bytes, and the
// longest row where its threads share it. Bytes that explain only a part of the gain are said to; the rest is left to
// the findings. Empty where one of the two is not among the problem's alternatives.
std::string reason_of(const Problem& problem, const TuneOutcome& found, std::optional<double> base_us);

}  // namespace warpspy
