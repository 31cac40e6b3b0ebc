// Handles Ctrl+C while a plan runs.
#pragma once

#include <signal.h>

#include "core/jobs/progress.hpp"

namespace warpspy::cli {

inline constexpr int stopped = 130;  // exit code after Ctrl+C, as in a shell

// Ctrl+C or SIGTERM cancels the running product and the plan. A second one ends the program at once. Only one object
// may exist at a time.
class Interruptible {
 public:
  explicit Interruptible(Progress& progress);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  struct sigaction before_[2] = {};
};

}  // namespace warpspy::cli
