// Models the steady state of many products in a row. After the end of a product, its beginning goes through the caches
// again, and so finds in L2 what the product has left.
#pragma once

#include <vector>

#include "profiling/simulated/driver.hpp"
#include "profiling/simulated/scaling.hpp"

namespace warpspy {

// The beginning of a warm product ends when this many times the size of L2 has come from DRAM. L2 then has nothing of
// its first contents.
constexpr double l2_refills = 2;
// Tells how often the beginning runs again if it is the whole product: only after several products it is settled which
// lines are in both partitions of L2.
constexpr int products_again = 3;

// The slices at the beginning of a warm product, kept until it has ended.
class WarmupReplay {
 public:
  WarmupReplay(bool wanted, const GpuSpec& gpu) : open_(wanted), enough_(l2_refills * gpu.l2_bytes) {}

  void keep(SliceRun&& slice);
  // Call this when a sampled launch has emptied the caches: then there is no steady state.
  void drop();
  bool empty() const { return kept_.empty(); }
  // Whether a replay was wanted, but could not be done because a launch ran only in a sample.
  bool dropped() const { return dropped_; }
  // After the end of a product, runs its beginning again, with what the product has left in L2. The new counts replace
  // the old ones in the launches of `runs`.
  void replay(Driver& driver, std::vector<LaunchRun>& runs, const Progress& progress);

 private:
  void replay_once(Driver& driver, std::vector<LaunchRun>& runs, const Progress& progress);

  bool open_;  // the product has not gone beyond its beginning
  bool wanted_ = open_, dropped_ = false;
  double enough_, filled_ = 0, bytes_ = 0;
  std::vector<SliceRun> kept_;
};

}  // namespace warpspy
