// The window offers these examples while no matrix is open. Each names a matrix, a kernel and the state of the caches,
// and says what they show. A test runs each example and checks that the diagnosis first finds what the example
// promises.
#pragma once

#include <span>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

struct Example {
  const char *name, *source, *kernel;  // kernel empty: the usual one
  CacheState caches;
  const char* why;
  std::vector<const char*> limits;  // rules of the diagnosis; on a large GPU the example's first finding comes from one
                                    // of them
};
std::span<const Example> examples();

}  // namespace warpspy
