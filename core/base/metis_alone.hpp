// Lets one thread at a time call METIS.
#pragma once

#include <mutex>

namespace warpspy {

// METIS seeds and draws from rand(), which the whole process shares. Where two threads call METIS at once, a matrix
// gets another partition than it gets alone. Hold the result during the call.
[[nodiscard]] inline std::unique_lock<std::mutex> metis_alone() {
  static std::mutex one;
  return std::unique_lock(one);
}

}  // namespace warpspy
