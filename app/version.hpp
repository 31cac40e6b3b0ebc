// Tells which version of Warpspy this is, with all facts that a bug report needs.
#pragma once

#include <string>

namespace warpspy {

struct Version {
  const char* number;     // such as 0.1.0
  const char* commit;     // git's commit of the build; "unknown" without a repository
  const char* compilers;  // the C++ compiler, and the CUDA compiler if there is one
  const char* libraries;  // their names and versions at build time
};
const Version& version();

// "0.1.0 (5b18d84)".
std::string short_version();

// All these facts as text, one per line, for --version.
std::string version_text();

}  // namespace warpspy
