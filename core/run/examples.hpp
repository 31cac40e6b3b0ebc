// The examples that an empty start offers: matrix, kernel and caches, and what they show. examples() is THE list; a
// test runs each and holds that what is said is what the diagnosis finds first.
#pragma once

#include <span>
#include <vector>

#include "core/run/record.hpp"

namespace warpspy {

struct Example {
  const char *name, *source, *kernel;  // kernel empty: as it is chosen
  CacheState caches;
  const char* why;
  std::vector<const char*> limits;  // the rules of which one comes first when it runs on a large GPU
};
std::span<const Example> examples();

}  // namespace warpspy
