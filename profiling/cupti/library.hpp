// Finds CUPTI at run time, so that the program also works without it.
#pragma once

#include <string>
#include <vector>

namespace warpspy {

struct CuptiLibrary {
  bool available = false;
  bool found = false;          // the library was found; it may be too old
  std::string version, path;   // "13.0" of the CUDA toolkit it belongs to
  int cuda_version = 0;        // 13000; 0 when not known
  std::string reason, remedy;  // one line each when not available
};
// CUPTI on this machine. It is looked for only once; never throws.
const CuptiLibrary& cupti_library();

// File names of CUPTI to look for, best first: first the one of the CUDA version that the driver supports, since a
// newer one may not work with it. `driver_version` as CUDA tells it (13000 is CUDA 13.0), 0 without a driver.
std::vector<std::string> cupti_names(int driver_version);

// The CUDA toolkit, as 12060, that a CUPTI says it belongs to by cuptiGetVersion(): 24 is CUDA 12.6, 130001 is CUDA
// 13.0. 0 when it is older than what we know (cupti_version.h).
int cuda_of_cupti(unsigned version);

}  // namespace warpspy
