// Facts about the machine that a benchmark reports besides its times.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace warpspy {

// The speed of a copy within the device's memory, in 1e9 B/s, read and written bytes together. It copies a gigabyte or
// a quarter of the free memory.
struct CopyBandwidth {
  double gbs = 0;
  double noise = 0;       // median absolute deviation of the samples / their median
  std::size_t bytes = 0;  // copied at a time
};

// The bandwidth of L2, in GB/s, for an array as large as half of L2: read in order, and gathered in sectors of 32 bytes
// from random places, of which all bytes count.
struct L2Bandwidth {
  double read_gbs = 0, gather_gbs = 0;
  double bytes = 0;  // of the part
  int sms = 0;       // of the device
};

struct BenchMachine {
  std::string library, library_version;  // the library to compare with: "cuSPARSE"
  int driver_version = 0;                // 13000: CUDA 13.0
  std::optional<CopyBandwidth> copy;
  std::optional<L2Bandwidth> l2;
};

}  // namespace warpspy
