// The exception for a failure while counters are read. The run's time stays valid, and a smaller set of counters may
// still work.
#pragma once

#include <string>

#include "core/base/types.hpp"

namespace warpspy {

struct CounterFailure : Error {
  // Whether every set of counters would fail in the same way, for example because the user may not read counters.
  bool for_all_sets = false;
  CounterFailure(std::string why, std::string remedy_, bool all = false)
      : Error(std::move(why), {}, std::move(remedy_)), for_all_sets(all) {}
};

// Returns the exception for CUPTI's result code `code`, with what it means for the user. `what` says what the program
// did, `text` is CUPTI's own message.
CounterFailure counter_failure(int code, const std::string& what, const std::string& text);

}  // namespace warpspy
