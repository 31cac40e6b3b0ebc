// How counters (profiling/cupti) run a product that timing has prepared.
#pragma once

#include <functional>
#include <vector>

namespace warpspy {

// A product as counters see it: run once per pass (user replay: it writes y from its inputs alone, so nothing has to be
// saved and put back).
struct CounterRun {
  std::function<void()> before;  // brings the caches into the state of the timed product; it is not counted
  std::function<void()> launch;  // one product, to its end
  // The product's kernels one by one, each to its end; empty for a library's product, whose source is not known.
  std::vector<std::function<void()>> launches = {};
};

}  // namespace warpspy
