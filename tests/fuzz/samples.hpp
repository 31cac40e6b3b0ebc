// Records with every field filled.
#pragma once

#include "core/run/tune.hpp"

namespace warpspy::fuzz {

RunRecord sample_run();
TuneRecord sample_search();

}  // namespace warpspy::fuzz
