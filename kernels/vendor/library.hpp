// Finds the vendor's library at run time, so that the program also works without it.
#pragma once

#include <string>
#include <vector>

namespace warpspy {

// An opened shared library, or why it could not be opened. It stays open until the end of the program.
struct LoadedLibrary {
  void* handle = nullptr;           // dlopen's
  std::string path;                 // the file that was opened
  std::vector<std::string> looked;  // names and paths that were tried, in order
  std::string reason;               // why the library is not available, in one line
};
// Tries the names as dlopen takes them (LD_LIBRARY_PATH, the system's list), then in each folder. Never throws.
LoadedLibrary load_library(const std::vector<std::string>& names, const std::vector<std::string>& folders);

// Folders that dlopen does not know and that may have cuSPARSE: beside the program, in CUDA_HOME, in the toolkit.
std::vector<std::string> cuda_folders();

struct VendorLibrary {
  bool available = false;
  std::string name;            // "cuSPARSE"
  std::string version, path;   // "12.6.3"
  std::string reason, remedy;  // one line each when not available: what was looked for, and what to install
};
// cuSPARSE on this machine. It is looked for only once; never throws.
const VendorLibrary& vendor_library();

}  // namespace warpspy
