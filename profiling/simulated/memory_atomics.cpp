// The time that units of L2 take for atomics: what the busiest unit has to do.
#include <algorithm>
#include <numeric>
#include <utility>

#include "profiling/simulated/memory.hpp"

namespace warpspy {

// Counts eight-byte additions only: smaller ones are native.
void MemorySystem::count_swaps(const L2Request& o) {
  for (std::uint32_t pair = 0; pair < words_per_line / 2; ++pair) {
    if (!(o.bits >> (2 * pair) & 3u)) continue;
    const std::uint64_t n = ++swaps_[std::uint64_t{o.line} * (words_per_line / 2) + pair];
    counts_.swaps_in_a_row = std::max(counts_.swaps_in_a_row, n);
  }
}

void MemorySystem::count_turns(UnitsOfL2& units) {
  const std::uint64_t busiest = *std::max_element(units.begin(), units.end());
  counts_.atomic_turns += busiest;
  counts_.atomics_evened += std::accumulate(units.begin(), units.end(), std::uint64_t{0});
  units.fill(0);
}

void MemorySystem::end_of_bursts(std::size_t window) {
  const double bursts = std::exchange(bursts_asked_, 0);
  if (!sampling_) return count_turns(atomics_);
  // Other slices of the sample stand for other SMs of the wave at the same time. One SM's additions to the same
  // elements continue.
  if (windows_.size() <= window) windows_.resize(window + 1);
  AtomicsOfWindow& w = windows_[window];
  w.add(atomics_, bursts);
  atomics_.fill(0);
  if (w.bursts < bursts_of_window_) return;
  count_turns(w.units);
  w.bursts = 0;
}

void MemorySystem::end_atomics() {
  AtomicsOfWindow rest;
  for (const AtomicsOfWindow& w : windows_) {
    rest.add(w.units, w.bursts);
    if (rest.bursts < bursts_of_window_) continue;
    count_turns(rest.units);
    rest.bursts = 0;
  }
  if (counts_.atomics_evened == 0) count_turns(rest.units);
  windows_.clear();
}

}  // namespace warpspy
