// What a benchmark says of the machine beside its times.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace warpspy {

// What a copy within the device's memory reaches, bytes read and written, in 1e9 B/s; of a gigabyte or a quarter of the
// free memory.
struct CopyBandwidth {
  double gbs = 0;
  double noise = 0;       // median absolute deviation of the samples / their median
  std::size_t bytes = 0;  // copied at a time
};

// What L2 hands out, in GB/s, of a part of it as large as half of it has room for: read side by side, and gathered in
// sectors of 32 bytes that lie anywhere, of which all bytes count.
struct L2Bandwidth {
  double read_gbs = 0, gather_gbs = 0;
  double bytes = 0;  // of the part
  int sms = 0;       // of the device
};

struct BenchMachine {
  std::string library, library_version;  // to compare with: "cuSPARSE"
  int driver_version = 0;                // 13000: CUDA 13.0
  std::optional<CopyBandwidth> copy;
  std::optional<L2Bandwidth> l2;
};

}  // namespace warpspy
