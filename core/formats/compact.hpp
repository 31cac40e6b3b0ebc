// Compact formats, and the formats whose numbers they store in fewer bytes (FormatInfo::compact_of).
#pragma once

#include "core/formats/format.hpp"

namespace warpspy {

// Returns the parameters of the plain format that correspond to those of a compact format. Parameters that both have
// keep their values. A parameter with `tried_as` gets the value of the parameter that it names.
ParamSet plain_params(const FormatInfo& compact, const ParamSet& params);

}  // namespace warpspy
