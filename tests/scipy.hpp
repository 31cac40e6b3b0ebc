// A Python that has SciPy, for tests that compare with it. They are skipped where there is none.
#pragma once

#include <cstdlib>
#include <string>

namespace warpspy::testing {

// The command that starts it; "" where there is none.
inline std::string python_with_scipy() {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (std::system((std::string(python) + " -c 'import scipy.sparse.linalg' 2>/dev/null").c_str()) == 0) return python;
  return {};
}

}  // namespace warpspy::testing
