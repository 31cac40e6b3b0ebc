// Finds references of an HDF5 file to other files. The library follows them silently, so a reader of a foreign file
// could leak any file that it names.
#pragma once

// The version of the library's interface that both Debian releases have.
#define H5_USE_110_API
#include <hdf5.h>

#include <string>

namespace warpspy {

struct Outside {
  std::string what;      // a sentence about the first finding; empty if there is none
  bool damaged = false;  // only: a part of the file cannot be read
};

// Walks through a whole open file without following any reference. Reports data outside the file, and other names for
// data inside it: external storage, a virtual dataset, and external, soft or user-defined links. It also looks behind
// object references.
Outside leads_outside(hid_t file);

}  // namespace warpspy
