// Computes how many thread blocks an SM holds at a time (the occupancy).
#pragma once

#include "core/gpu/gpu_spec.hpp"
#include "kernels/product/product.hpp"

namespace warpspy {

struct Occupancy {
  int blocks = 0;          // resident per SM
  int warps = 0;           // of these blocks
  const char* limit = "";  // "threads", "blocks", "registers" or "shared memory": what does not allow one more block
  double share = 0;        // warps / the SM's most
};

// Computes it from threads, blocks, shared memory and registers. Throws Error, with the limit's name, if not even one
// block fits.
Occupancy occupancy_of(const GpuSpec& gpu, const LaunchShape& shape);

}  // namespace warpspy
