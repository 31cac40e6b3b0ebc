// How counters (profiling/cupti) run a product that timing has made ready.
#pragma once

#include <functional>
#include <vector>

namespace warpspy {

// A product as counters see it: run once per pass (user replay: it writes y from its inputs alone, so nothing has to be
// saved and put back).
struct CounterRun {
  std::function<void()> before;  // brings the caches to the state of the timed product; not counted
  std::function<void()> launch;  // one product, to its end
  // The product's kernels one by one, each to its end; empty for a library's, whose source nobody has.
  std::vector<std::function<void()>> launches = {};
};

}  // namespace warpspy
