#include "profiling/simulated/warmup.hpp"

#include <cstdint>
#include <utility>

#include "profiling/simulated/chosen_blocks.hpp"

namespace warpspy {
namespace {

// Larger than any number of waves, so each product assigns its blocks to SMs differently.
constexpr std::uint32_t products_apart = 1u << 27;

double bytes_of(const SliceRun& slice) {
  std::size_t sum = 0;
  for (const SmRun& sm : slice.sms) sum += sm.bytes();
  return static_cast<double>(sum);
}

// The share of a slice's loaded sectors that L2 evicts in the usual order.
double kept_of(const SliceRun& slice) {
  double all = 0, evict_first = 0;
  for (const SmRun& sm : slice.sms) {
    all += static_cast<double>(sm.asked);
    evict_first += static_cast<double>(sm.evict_first);
  }
  return all > 0 ? 1 - evict_first / all : 1;
}

}  // namespace

void WarmupReplay::keep(SliceRun&& slice) {
  if (!open_) return;
  bytes_ += bytes_of(slice);
  const double kept = kept_of(slice);
  for (const ArrayMisses& m : slice.counts.arrays)
    filled_ += static_cast<double>(m.dram_first + m.dram_again) * sector_size * kept;
  filled_ += static_cast<double>(slice.counts.dram_written_bytes);
  kept_.push_back(std::move(slice));
  open_ = filled_ < enough_ && bytes_ < stream_limit_bytes;
}

void WarmupReplay::drop() {
  dropped_ = wanted_;
  open_ = false;
  kept_.clear();
}

void WarmupReplay::replay(Driver& driver, std::vector<LaunchRun>& runs, const Progress& progress) {
  const bool whole_product = open_;
  for (int i = 0; i < (whole_product ? products_again : 1); ++i) replay_once(driver, runs, progress);
}

void WarmupReplay::replay_once(Driver& driver, std::vector<LaunchRun>& runs, const Progress& progress) {
  int launch = -1;
  for (SliceRun& slice : kept_) {
    progress.check();
    LaunchRun& run = runs[static_cast<std::size_t>(slice.launch)];
    if (slice.launch != launch) driver.begin_launch(run.s.shape);
    launch = slice.launch;
    if (slice.dealt) slice.dealt += products_apart;
    run.counts -= slice.counts;
    driver.ask_l2(slice, run.s.costs);
    run.counts += slice.counts;
  }
}

}  // namespace warpspy
