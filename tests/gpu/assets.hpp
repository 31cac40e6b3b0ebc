// Where the simulated GPUs are: a bundle brings its own, elsewhere the source tree has them.
#pragma once

#include <cstdlib>
#include <string>

#include "tests/paths.hpp"

namespace warpspy::testing {

inline std::string assets_folder() {
  const char* chosen = std::getenv("WARPSPY_ASSETS");
  return chosen ? chosen : WARPSPY_SOURCE_DIR "/assets";
}

}  // namespace warpspy::testing
