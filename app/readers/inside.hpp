// What an HDF5 file takes from elsewhere. The library follows it without a word: whoever reads a stranger's file hands
// out whatever file the stranger named.
#pragma once

// Of the versions of the library's interface the one that both Debians have.
#define H5_USE_110_API
#include <hdf5.h>

#include <string>

namespace warpspy {

struct Outside {
  std::string what;      // a sentence about the first thing that was found; empty if there is none
  bool damaged = false;  // it is only that a part of the file cannot be looked at
};

// Walks through all of an open file without following anything out of it. Found is what is not in the file itself, or
// would be another name for what is: external storage, a virtual dataset, an external, soft or user-defined link,
// wherever it stands, also behind references.
Outside leads_outside(hid_t file);

}  // namespace warpspy
