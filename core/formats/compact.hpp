// Compact formats beside those that they stand for (FormatInfo::compact_of).
#pragma once

#include "core/formats/format.hpp"

namespace warpspy {

// Parameters of what a compact format stands for: those that both have are the same, and those that are tried as one of
// these are as that.
ParamSet plain_params(const FormatInfo& compact, const ParamSet& params);

}  // namespace warpspy
