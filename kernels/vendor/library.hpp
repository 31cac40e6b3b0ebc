// Where the vendor's library is: found at run time, so that the program starts and works without it.
#pragma once

#include <string>
#include <vector>

namespace warpspy {

// A shared library that was opened, or why not. Kept open until the end of the program.
struct LoadedLibrary {
  void* handle = nullptr;           // dlopen's
  std::string path;                 // the file that was opened
  std::vector<std::string> looked;  // names and paths that were tried, in order
  std::string reason;               // one line when there is none
};
// Tries the names as dlopen takes them (LD_LIBRARY_PATH, the system's list), then in each folder. Never throws.
LoadedLibrary load_library(const std::vector<std::string>& names, const std::vector<std::string>& folders);

// Where cuSPARSE may be beyond what dlopen knows: beside the program, in CUDA_HOME, in the toolkit.
std::vector<std::string> cuda_folders();

struct VendorLibrary {
  bool available = false;
  std::string name;            // "cuSPARSE"
  std::string version, path;   // "12.6.3"
  std::string reason, remedy;  // one line each when not available: what was looked for, and what to install
};
// cuSPARSE on this machine. Looks once; never throws.
const VendorLibrary& vendor_library();

}  // namespace warpspy
