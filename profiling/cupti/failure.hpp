// What goes wrong while counters are read, as a type: the run's time stands, and a smaller set may still work.
#pragma once

#include <string>

#include "core/base/types.hpp"

namespace warpspy {

struct CounterFailure : Error {
  // Whether it would be the same for every set: no right to read counters, another profiler on the device, ...
  bool for_all_sets = false;
  CounterFailure(std::string why, std::string remedy_, bool all = false)
      : Error(std::move(why), {}, std::move(remedy_)), for_all_sets(all) {}
};

// What CUPTI's result code `code` means for the user. `what` is what was being done, `text` CUPTI's own word for it.
CounterFailure counter_failure(int code, const std::string& what, const std::string& text);

}  // namespace warpspy
