// Which Warpspy this is: what a bug report needs.
#pragma once

#include <string>

namespace warpspy {

struct Version {
  const char* number;     // 0.1.0
  const char* commit;     // of git when it was built; "unknown" where it was built without a repository
  const char* compilers;  // C++, and CUDA's where there is one
  const char* libraries;  // with their versions when it was built
};
const Version& version();

// "0.1.0 (5b18d84)".
std::string short_version();

// The same as text: a line each, for --version.
std::string version_text();

}  // namespace warpspy
