// The steady state of one product after another: its beginning goes through the caches once more behind its end.
#pragma once

#include <vector>

#include "profiling/simulated/driver.hpp"
#include "profiling/simulated/scaling.hpp"

namespace warpspy {

// The beginning of a warm product is over when this many times the size of L2 came from DRAM: L2 then holds nothing
// any more of what it began with.
constexpr double l2_refills = 2;
// So often it runs again when it is the whole product: which lines the two partitions of L2 both hold settles over
// several products.
constexpr int products_again = 3;

// The slices at the beginning of a warm product, kept until it has ended.
class WarmupReplay {
 public:
  WarmupReplay(bool wanted, const GpuSpec& gpu) : open_(wanted), enough_(l2_refills * gpu.l2_bytes) {}

  void keep(SliceRun&& slice);
  // A sampled launch has emptied the caches: there is no steady state to be had.
  void drop();
  bool empty() const { return kept_.empty(); }
  // Whether it was wanted, and a sample has made it impossible.
  bool dropped() const { return dropped_; }
  // Behind the end of a product, its beginning once more: now with what the product leaves in L2. What it counts takes
  // the place of what it had counted in its launch of `runs`.
  void replay(Driver& driver, std::vector<LaunchRun>& runs, const Progress& progress);

 private:
  void replay_once(Driver& driver, std::vector<LaunchRun>& runs, const Progress& progress);

  bool open_;  // the product has not gone beyond its beginning
  bool wanted_ = open_, dropped_ = false;
  double enough_, filled_ = 0, bytes_ = 0;
  std::vector<SliceRun> kept_;
};

}  // namespace warpspy
