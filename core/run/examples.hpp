// The examples that an empty start offers: matrix, kernel and caches, and what they show. examples() is the one list. A
// test runs each example and checks that the diagnosis first finds what the example promises.
#pragma once

#include <span>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

struct Example {
  const char *name, *source, *kernel;  // kernel empty: the usual one
  CacheState caches;
  const char* why;
  std::vector<const char*> limits;  // rules: the example's first finding on a large GPU comes from one of these
};
std::span<const Example> examples();

}  // namespace warpspy
