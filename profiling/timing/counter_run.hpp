// Tells code that reads counters (profiling/cupti) how to run a product that timing has prepared.
#pragma once

#include <functional>
#include <vector>

namespace warpspy {

// A product whose counters are read. It runs once per pass. It writes y from its inputs alone, so nothing must be saved
// and restored between passes (CUPTI's user replay).
struct CounterRun {
  std::function<void()> before;  // brings the caches into the state of the timed product; it is not counted
  std::function<void()> launch;  // one product, to its end
  // The product's kernels one by one, each to its end; empty for a library's product, whose source is not known.
  std::vector<std::function<void()>> launches = {};
};

}  // namespace warpspy
