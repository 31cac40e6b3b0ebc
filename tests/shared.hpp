// Real matrices and other projects' test files. They are kept beside the project and never copied into it; a test that
// needs them is skipped where they are missing, and says so (tests/README.md).
#pragma once

#include <string>

#include "tests/paths.hpp"

namespace warpspy::test {

inline const std::string kSharedMatrices = std::string(WARPSPY_SHARED_DIR) + "/matrices/";

inline std::string needs_shared(const std::string& path) {
  return "needs " + path + ", which is kept beside the project and is not here";
}

}  // namespace warpspy::test
