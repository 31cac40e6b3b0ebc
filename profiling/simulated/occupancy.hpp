// How many blocks an SM holds at a time.
#pragma once

#include "core/gpu/gpu_spec.hpp"
#include "kernels/product/product.hpp"

namespace warpspy {

struct Occupancy {
  int blocks = 0;          // resident per SM
  int warps = 0;           // of these blocks
  const char* limit = "";  // "threads", "blocks", "registers" or "shared memory": what keeps another block out
  double share = 0;        // warps / the SM's most
};

// By threads, blocks, shared memory and registers. Throws Error when not even one block fits, naming the limit.
Occupancy occupancy_of(const GpuSpec& gpu, const LaunchShape& shape);

}  // namespace warpspy
