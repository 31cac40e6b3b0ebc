// Ctrl+C while a plan runs.
#pragma once

#include <signal.h>

#include "core/jobs/progress.hpp"

namespace warpspy::cli {

inline constexpr int stopped = 130;  // as a shell tells Ctrl+C

// Ctrl+C, or to be told to end, cancels the product under way and with it the plan; once more, and the program ends at
// once. One at a time.
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
